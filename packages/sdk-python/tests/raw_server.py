"""A server that gives the listed answers, one by one; the last one is repeated."""

from __future__ import annotations

import json as json_format
import socket
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Seen:
    method: str
    url: str
    headers: Dict[str, str]
    body: bytes


class RawServer:
    def __init__(self) -> None:
        self.seen: List[Seen] = []
        self._queue: List[Answer] = []
        self.leaving = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                if self.headers.get("transfer-encoding") == "chunked":
                    body = self._chunks()
                headers = {name.lower(): value for name, value in self.headers.items()}
                server.seen.append(Seen(self.command, self.path, headers, body))
                answer = server._queue.pop(0) if len(server._queue) > 1 else server._queue[0]
                answer(self)

            def _chunks(self) -> bytes:
                body = b""
                while length := int(self.rfile.readline(), 16):
                    body += self.rfile.read(length)
                    self.rfile.readline()
                self.rfile.readline()
                return body

            do_GET = do_POST = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                pass  # clients leave as they like

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def answers(self, *answers: Answer) -> None:
        self.seen.clear()
        self._queue = list(answers)

    def stays(self, handler: BaseHTTPRequestHandler) -> None:
        """Says nothing more, for as long as the server is there."""
        handler.wfile.flush()
        self.leaving.wait(60)
        handler.close_connection = True

    def close(self) -> None:
        self.leaving.set()
        self._server.shutdown()
        self._server.server_close()


def text(status: int, body: str, headers: Optional[Dict[str, str]] = None) -> Answer:
    """Any text, as a proxy answers."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        encoded = body.encode()
        handler.send_response(status)
        for name, value in {"content-type": "text/html", "content-length": str(len(encoded)), **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(encoded)

    return answer


def json(status: int, body: Any, headers: Optional[Dict[str, str]] = None) -> Answer:
    return text(status, json_format.dumps(body), {"content-type": "application/json", **(headers or {})})


def problem(status: int, code: str, retryable: bool, headers: Optional[Dict[str, str]] = None) -> Answer:
    """A refusal as the gateway sends it."""
    body = {
        "type": f"/docs/errors/{code}",
        "title": "Title",
        "status": status,
        "detail": "Detail.",
        "code": code,
        "request_id": "req-1",
        "retryable": retryable,
    }
    return json(status, body, {"x-request-id": "req-1", **(headers or {})})


def breaking(type: str, *parts: str) -> Answer:
    """Cuts the connection behind these parts of a body that was to be longer."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", type)
        handler.send_header("content-length", "100000")
        handler.end_headers()
        for part in parts:
            handler.wfile.write(part.encode())
        gone(handler)

    return answer


def ending(type: str, *parts: str) -> Answer:
    """A body that ends with its connection."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", type)
        handler.send_header("connection", "close")
        handler.end_headers()
        for part in parts:
            handler.wfile.write(part.encode())
            handler.wfile.flush()
        handler.close_connection = True

    return answer


def gone(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


cut = breaking("application/json", '{"id":')
