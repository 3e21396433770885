"""Both forms of the client, so that one test holds for both."""

from __future__ import annotations

import asyncio
import ssl
import unittest
from typing import Any, List, Type

import httpx
from raw_server import RawServer
from waypost import AsyncWaypost, Waypost
from waypost._async_sender import AsyncSender
from waypost._chance import AsyncChance, Chance
from waypost._request import Gateway
from waypost._sender import Sender

KEY = "wp_live_secret"
# Read once: it takes longer than a test.
TLS = ssl.create_default_context()


class Sync:
    def __init__(self) -> None:
        self.pauses: List[float] = []
        pauses = self.pauses

        class Recorded(Chance):
            def random(self) -> float:
                return 0

            def pause(self, seconds: float, until: Any = None) -> None:
                pauses.append(seconds)

        self._chance = Recorded()
        self._http = httpx.Client(verify=TLS)

    def sender(self, base_url: str, timeout: float = 60, max_retries: int = 2) -> Any:
        return Sender(Gateway(base_url, KEY, timeout, max_retries), self._http, self._chance)

    def client(self, base_url: str) -> Any:
        return Waypost(KEY, base_url, http_client=self._http)

    def run(self, value: Any) -> Any:
        return value

    def items(self, values: Any, most: float = float("inf")) -> List[Any]:
        found: List[Any] = []
        for value in values:
            found.append(value)
            if len(found) >= most:
                break
        return found

    def close(self) -> None:
        self._http.close()


class Async(Sync):
    def __init__(self) -> None:
        super().__init__()
        pauses = self.pauses

        class Recorded(AsyncChance):
            def random(self) -> float:
                return 0

            async def pause(self, seconds: float, until: Any = None) -> None:
                pauses.append(seconds)

        self._async_chance = Recorded()
        self._async_http = httpx.AsyncClient(verify=TLS)
        self._loop = asyncio.new_event_loop()

    def sender(self, base_url: str, timeout: float = 60, max_retries: int = 2) -> Any:
        return AsyncSender(Gateway(base_url, KEY, timeout, max_retries), self._async_http, self._async_chance)

    def client(self, base_url: str) -> Any:
        return AsyncWaypost(KEY, base_url, http_client=self._async_http)

    def run(self, value: Any) -> Any:
        return self._loop.run_until_complete(value)

    def items(self, values: Any, most: float = float("inf")) -> List[Any]:
        async def collect() -> List[Any]:
            found: List[Any] = []
            async for value in values:
                found.append(value)
                if len(found) >= most:
                    break
            return found

        return self.run(collect())

    def close(self) -> None:
        super().close()
        self.run(self._async_http.aclose())
        self.run(self._loop.shutdown_asyncgens())
        self._loop.close()


class FormTest(unittest.TestCase):
    """Run for each form by the two classes that `both` makes of it."""

    form_class: Type[Sync] = Sync
    server: RawServer

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = RawServer()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.close()

    def setUp(self) -> None:
        self.form = self.form_class()
        self.addCleanup(self.form.close)
        self.run_ = self.form.run
        self.pauses = self.form.pauses

    def sender(self, **options: Any) -> Any:
        return self.form.sender(**{"base_url": self.server.url, **options})

    def json(self, method: str, path: str = "/v1/x", *, sender: Any = None, **input: Any) -> Any:
        return self.form.run((sender or self.sender()).json(method, path, **input))

    def caught(self, kind: Type[Any], call: Any) -> Any:
        with self.assertRaises(kind) as caught:
            call()
        return caught.exception


def both(cls: Type[FormTest], module: str) -> None:
    """Takes the class out of its module, and puts one for each form there."""
    import sys

    names = vars(sys.modules[module])
    del names[cls.__name__]
    for form in (Sync, Async):
        name = f"{form.__name__}{cls.__name__}"
        names[name] = type(name, (cls,), {"form_class": form, "__module__": module})
