"""Randomness and time; tests replace them."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from typing import Optional


class Chance:
    def random(self) -> float:
        return random.random()

    def pause(self, seconds: float, until: Optional[threading.Event] = None) -> None:
        if until is None:
            time.sleep(seconds)
        else:
            until.wait(seconds)


class AsyncChance:
    def random(self) -> float:
        return random.random()

    async def pause(self, seconds: float, until: Optional[asyncio.Event] = None) -> None:
        if until is None:
            await asyncio.sleep(seconds)
            return
        try:
            await asyncio.wait_for(until.wait(), seconds)
        except asyncio.TimeoutError:
            pass
