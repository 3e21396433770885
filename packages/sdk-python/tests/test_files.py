"""Files on their way up and down."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import waypost
from forms import FormTest, both
from raw_server import breaking, cut, json, problem, text
from waypost import NoAnswerError


class Files(FormTest):
    def test_a_form_is_sent_again_from_its_beginning(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, 'ä"b.txt')
            path.write_bytes(b"Open.")
            with path.open("rb") as file:
                file.seek(1)
                for content, sent in [(path, b"Open."), (file, b"pen."), ("Open.", b"Open."), (b"Open.", b"Open.")]:
                    self.server.answers(cut, json(201, {"id": "med_1"}))
                    name = None if content is path else 'ä"b.txt'
                    self.run_(self.sender().form("POST", "/v1/media", content, name, "text/plain"))
                    first, again = self.server.seen
                    self.assertEqual(first.body, again.body)
                    boundary = re.sub(".*=", "", first.headers["content-type"])
                    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="ä%22b.txt"\r\nContent-Type: text/plain\r\n\r\n'
                    self.assertEqual(first.body, head.encode() + sent + f"\r\n--{boundary}--\r\n".encode())
                    self.assertEqual(first.headers["content-length"], str(len(first.body)))

    def test_what_can_be_read_once_is_sent_once(self) -> None:
        self.server.answers(cut)
        sender = self.sender()
        pieces = (piece for piece in [b"a,b\n", b"1,2\n"])
        error = self.caught(NoAnswerError, lambda: self.run_(sender.upload("POST", "/v1/x", pieces, "text/csv")))
        self.assertEqual((error.attempts, self.server.seen[0].body), (1, b"a,b\n1,2\n"))
        self.assertEqual(self.server.seen[0].headers["content-type"], "text/csv")

    def test_content_is_whole_or_raises(self) -> None:
        self.server.answers(text(200, "Hello", {"content-type": "text/plain", "x-request-id": "r"}))
        content = self.run_(self.sender().content("/v1/x"))
        self.assertEqual((content.status, content.media_type, self.run_(content.read())), (200, "text/plain", b"Hello"))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a")
            self.run_(self.run_(self.sender().content("/v1/x")).save(path))
            self.assertEqual(path.read_bytes(), b"Hello")
        self.server.answers(breaking("text/plain", "Hel"))
        broken = self.run_(self.sender().content("/v1/x"))
        self.caught(NoAnswerError, lambda: self.run_(broken.read()))
        self.server.answers(problem(409, "conflict", False))
        self.caught(waypost.ConflictError, lambda: self.run_(self.sender().content("/v1/x")))


both(Files, __name__)
