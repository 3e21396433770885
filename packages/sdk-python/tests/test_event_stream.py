"""Connections that end, break off and are refused, as the real server does not do on demand."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, List

from forms import KEY, FormTest, both
from raw_server import Answer, breaking, ending, problem, text
from waypost import ApiError, AsyncWaypost, MalformedAnswerError, NoAnswerError, Waypost

TYPE = "text/event-stream"


def event(n: int) -> str:
    return f'id: c{n}\nevent: sent\ndata: {{"n":{n}}}\n\n'


class Streams(FormTest):
    def stream(self, max_retries: Any = None) -> Any:
        return self.sender().stream("/v1/events/stream", {"kind": "sent"}, max_retries=max_retries)

    def take(self, stream: Any, count: int) -> List[int]:
        return [one["n"] for one in self.form.items(stream, count)]

    def lasts(self) -> List[Any]:
        return [seen.headers.get("last-event-id") for seen in self.server.seen]

    def test_goes_on_behind_the_last_event_where_a_connection_ended_broke_off_or_was_refused_for_now(self) -> None:
        self.server.answers(
            ending(TYPE, "retry: 2000\n: \nid: c0\n\n", event(1)[:9], event(1)[9:], "id: c2\nevent: sent\nda"),
            breaking(TYPE, event(2) + event(3)[:20]),
            problem(503, "unavailable", True),
            text(502, "<html>"),
            ending(TYPE, ": \nid: c2b\n\n"),
            ending(TYPE, event(3).replace("\n", "\r\n")),
        )
        stream = self.stream()
        self.assertEqual(self.take(stream, 3), [1, 2, 3])
        self.assertEqual(stream.cursor, "c3")
        self.assertEqual(self.lasts(), [None, "c1", "c2", "c2", "c2", "c2b"])
        self.assertEqual({seen.url for seen in self.server.seen}, {"/v1/events/stream?kind=sent"})
        # The first as the server asks, the others with growing pauses; what arrives begins again.
        self.assertEqual(self.pauses, [2, 0.5, 1, 2, 2])

    def test_goes_on_where_the_loop_was_left(self) -> None:
        self.server.answers(ending(TYPE, event(1) + event(2)), ending(TYPE, event(2)))
        stream = self.stream()
        self.assertEqual(self.take(stream, 1), [1])
        self.assertEqual(stream.cursor, "c1")
        self.assertEqual(self.take(stream, 1), [2])
        self.assertEqual(self.lasts(), [None, "c1"])

    def test_takes_texts_in_every_letter_and_separator(self) -> None:
        said = 'id: c1\ndata: {"n":"\u2028Zoë 👋\u0085"}\n\n'.encode()
        pieces = [said[index : index + 1].decode("latin-1") for index in range(len(said))]

        def answer(handler: Any) -> None:
            handler.send_response(200)
            handler.send_header("content-type", TYPE)
            handler.end_headers()
            for piece in pieces:
                handler.wfile.write(piece.encode("latin-1"))
                handler.wfile.flush()
            handler.close_connection = True

        self.server.answers(answer)
        self.assertEqual(self.form.items(self.stream(), 1), [{"n": "\u2028Zoë 👋\u0085"}])

    def test_says_when_a_connection_is_open_and_counts_gaps(self) -> None:
        gap = 'event: gap\ndata: {"gap":true}\n\n'
        self.server.answers(ending(TYPE, event(1)), problem(503, "unavailable", True), ending(TYPE, gap + event(2)))
        stream = self.stream()
        said: List[bool] = []
        stream.on_connection = said.append
        self.assertEqual(self.take(stream, 2), [1, 2])
        self.assertEqual(said, [True, False, False, True])
        self.assertEqual(stream.gaps, 1)

    def test_raises_what_does_not_pass_and_what_passes_after_as_many_failures_as_it_may_have(self) -> None:
        self.server.answers(ending(TYPE, event(1)), problem(401, "unauthorized", False))
        self.caught(ApiError, lambda: self.take(self.stream(), 2))
        self.server.answers(breaking(TYPE))
        self.caught(NoAnswerError, lambda: self.take(self.stream(max_retries=3), 1))
        self.assertEqual(self.pauses[-3:], [0.5, 1, 2])
        for answer in (text(200, "<html>"), ending(TYPE, "data: {\n\n")):
            self.server.answers(answer)
            self.caught(MalformedAnswerError, lambda: self.take(self.stream(), 1))


class Leaving(FormTest):
    def staying(self) -> Answer:
        def answer(handler: Any) -> None:
            handler.send_response(200)
            handler.send_header("content-type", TYPE)
            handler.end_headers()
            handler.wfile.write(event(1).encode())
            self.server.stays(handler)

        return answer

    def test_ends_without_an_error_when_it_is_closed_in_an_event_while_it_waits_ahead_of_the_first(self) -> None:
        for when in ("in an event", "while it waits", "ahead"):
            self.server.answers(self.staying())
            seen = self.followed(when)
            self.assertEqual(seen, [] if when == "ahead" else [1], when)

    def followed(self, when: str) -> List[int]:
        seen: List[int] = []
        with Waypost(KEY, self.server.url) as client, client.events.stream() as stream:
            if when == "ahead":
                stream.close()
            for one in stream:
                seen.append(one["n"])  # type: ignore[typeddict-item]
                if when == "in an event":
                    stream.close()
                else:
                    threading.Timer(0.05, stream.close).start()
        return seen


class LeavingAsync(Leaving):
    def followed(self, when: str) -> List[int]:
        async def follow() -> List[int]:
            seen: List[int] = []
            async with AsyncWaypost(KEY, self.server.url) as client, client.events.stream() as stream:
                if when == "ahead":
                    await stream.aclose()
                async for one in stream:
                    seen.append(one["n"])  # type: ignore[typeddict-item]
                    if when == "in an event":
                        await stream.aclose()
                    else:
                        asyncio.get_running_loop().call_later(0.05, lambda: asyncio.ensure_future(stream.aclose()))
            return seen

        return asyncio.run(follow())

    def test_a_task_that_is_cancelled_leaves_at_once(self) -> None:
        self.server.answers(self.staying())

        async def follow() -> None:
            async with AsyncWaypost(KEY, self.server.url) as client:
                async for _ in client.events.stream():
                    asyncio.get_running_loop().call_soon(task.cancel)

        async def main() -> None:
            global task
            task = asyncio.ensure_future(follow())
            with self.assertRaises(asyncio.CancelledError):
                await task

        asyncio.run(main())


both(Streams, __name__)
