"""The receivers as WSGI and ASGI applications, and by `take` alone."""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import threading
import time
import unittest
from typing import Any, Callable, Dict, List, Tuple
from wsgiref.simple_server import WSGIRequestHandler, make_server

import httpx
from waypost import AsyncWebhookReceiver, WebhookReceiver, webhook_test_headers

SECRET = f"whsec_{base64.b64encode(bytes([7]) * 32).decode()}"
OTHER = f"whsec_{base64.b64encode(bytes([8]) * 32).decode()}"
BODY = json.dumps({"id": "evt_1", "kind": "delivered", "data": {"name": "Zoë 👋\u2028"}}, ensure_ascii=False)
MOST_BYTES = 4_096

Post = Callable[..., int]


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


class Wsgi(unittest.TestCase):
    def start(self, secret: Any = SECRET, on_event: Any = None) -> Tuple[Post, List[Any], List[Any]]:
        seen: List[Any] = []
        errors: List[Any] = []
        return self.application(secret, on_event or (lambda *given: seen.append(given)), errors), seen, errors

    def application(self, secret: Any, on_event: Any, errors: List[Any]) -> Post:
        hooks = WebhookReceiver(secret, on_event, on_error=errors.append, max_bytes=MOST_BYTES)
        server = make_server("127.0.0.1", 0, hooks, handler_class=Quiet)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)

        def post(headers: Dict[str, str], body: str = BODY, method: str = "POST") -> int:
            connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
            connection.request(method, "/hooks", body.encode(), headers)
            return connection.getresponse().status

        return post

    def test_takes_a_delivery_with_its_raw_bytes_and_says_what_the_headers_do(self) -> None:
        post, seen, errors = self.start()
        headers = {**webhook_test_headers(BODY, SECRET, attempt=2), "x-service-replay": "true"}
        self.assertEqual([post(headers), post(headers)], [204, 204])
        self.assertEqual([event for event, _ in seen], [json.loads(BODY)] * 2)
        [delivery, again] = [delivery for _, delivery in seen]
        self.assertEqual(delivery, again)
        self.assertEqual((delivery.event_id, delivery.attempt, delivery.is_replay), ("evt_1", 2, True))
        self.assertRegex(delivery.delivery_id, "^dlv_")
        self.assertEqual(errors, [])

    def test_refuses_what_was_not_signed_for_it_now_without_calling_the_handler(self) -> None:
        post, seen, errors = self.start()
        answers = [
            post(webhook_test_headers(BODY, OTHER)),
            post(webhook_test_headers(BODY, SECRET), f"{BODY} "),
            post(webhook_test_headers(BODY, SECRET, at=int(time.time()) - 310)),
            post({}),
            post({}, ""),
        ]
        self.assertEqual(answers, [401] * 5)
        faults = ["wrong_signature", "wrong_signature", "outside_tolerance", "missing_signature", "missing_signature"]
        self.assertEqual([error.fault for error in errors], faults)
        self.assertEqual(seen, [])

    def test_answers_413_to_a_body_beyond_its_bound_and_goes_on(self) -> None:
        post, seen, _ = self.start()
        large = "x" * (MOST_BYTES + 1)
        self.assertEqual(post(webhook_test_headers(large, SECRET), large), 413)
        self.assertEqual(post(webhook_test_headers(BODY, SECRET)), 204)
        self.assertEqual(len(seen), 1)

    def test_answers_500_where_the_handler_raises_so_that_it_is_tried_again(self) -> None:
        fault = OSError("the database is away")

        def fail(*_: Any) -> None:
            raise fault

        post, _, errors = self.start(on_event=fail)
        self.assertEqual(post(webhook_test_headers(BODY, SECRET)), 500)
        self.assertEqual(errors, [fault])

    def test_asks_for_its_secrets_each_time_so_that_they_can_be_rotated(self) -> None:
        secrets = [OTHER]
        post, _, _ = self.start(secret=lambda: secrets)
        self.assertEqual(post(webhook_test_headers(BODY, SECRET)), 401)
        secrets.append(SECRET)
        self.assertEqual(post(webhook_test_headers(BODY, SECRET)), 204)

    def test_answers_no_other_method_with_success(self) -> None:
        post, seen, _ = self.start()
        self.assertEqual([post({}, "", "GET"), post(webhook_test_headers(BODY, SECRET), BODY, "PUT")], [405, 405])
        self.assertEqual(seen, [])


class Asgi(Wsgi):
    def application(self, secret: Any, on_event: Any, errors: List[Any]) -> Post:
        hooks = AsyncWebhookReceiver(secret, on_event, on_error=errors.append, max_bytes=MOST_BYTES)

        def post(headers: Dict[str, str], body: str = BODY, method: str = "POST") -> int:
            async def ask() -> int:
                transport = httpx.ASGITransport(app=hooks)  # type: ignore[arg-type]
                async with httpx.AsyncClient(transport=transport, base_url="http://shop") as client:
                    return (await client.request(method, "/hooks", content=body.encode(), headers=headers)).status_code

            return asyncio.run(ask())

        return post

    def test_waits_for_what_is_a_coroutine(self) -> None:
        seen: List[str] = []

        async def secret() -> str:
            return SECRET

        async def on_event(event: Any, delivery: Any) -> None:
            await asyncio.sleep(0)
            seen.append(event["id"])
            if len(seen) == 2:
                raise OSError("the database is away")

        post, _, errors = self.start(secret=secret, on_event=on_event)
        self.assertEqual([post(webhook_test_headers(BODY, SECRET)) for _ in range(2)], [204, 500])
        self.assertEqual((seen, len(errors)), (["evt_1", "evt_1"], 1))

    def test_takes_a_body_that_arrives_in_pieces_and_leaves_when_the_client_has_left(self) -> None:
        headers = [(name.encode(), value.encode()) for name, value in webhook_test_headers(BODY, SECRET).items()]
        pieces = [BODY.encode()[:10], BODY.encode()[10:]]
        whole = [{"type": "http.request", "body": piece, "more_body": piece is pieces[0]} for piece in pieces]
        for messages, statuses in [(whole, [204]), ([whole[0], {"type": "http.disconnect"}], [])]:
            sent: List[Dict[str, Any]] = []

            async def main(left: List[Dict[str, Any]] = list(messages), to: List[Dict[str, Any]] = sent) -> None:
                async def receive() -> Dict[str, Any]:
                    return left.pop(0)

                async def send(message: Dict[str, Any]) -> None:
                    to.append(message)

                hooks = AsyncWebhookReceiver(SECRET, lambda *_: None)
                await hooks({"type": "http", "method": "POST", "headers": headers}, receive, send)

            asyncio.run(main())
            self.assertEqual([one["status"] for one in sent if "status" in one], statuses)


class Logs(unittest.TestCase):
    def test_says_by_default_what_was_refused_and_what_failed(self) -> None:
        def fail(*_: Any) -> None:
            raise OSError("the database is away")

        hooks = WebhookReceiver(SECRET, fail)
        with self.assertLogs("waypost.receiver") as logs:
            self.assertEqual(hooks.take({}, b"{}").status, 401)
            self.assertEqual(hooks.take(webhook_test_headers(BODY, SECRET), BODY.encode()).status, 500)
        self.assertEqual([record.levelname for record in logs.records], ["WARNING", "ERROR"])
        self.assertNotIn("Zoë", str(logs.output))
        self.assertIn("the database is away", str(logs.output))
