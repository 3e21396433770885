"""pywa: verifies a delivery, and calls the handler that it chooses for it."""

import json
import logging
import os
import sys
import threading
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from pywa import WhatsApp
from pywa._logging import get_update_hash
from pywa.types.base_update import RawUpdate

wa = WhatsApp(
    phone_id=None,
    token="none",
    server=None,
    verify_token=os.environ["VERIFY_TOKEN"],
    app_secret=os.environ["RECEIVER_SECRET"],
    filter_updates=False,
    skip_duplicate_updates=False,
)


class Complaints(logging.Handler):
    """The library logs what it cannot construct, and goes on."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.found = []

    def emit(self, record):
        self.found.append(self.format(record))


complaints = Complaints()
logging.getLogger("pywa").addHandler(complaints)
logging.getLogger("pywa").propagate = False
handled = []
heard = {kind.__name__: 0 for kind in wa._handlers_to_updates}
for one in wa._handlers_to_updates:
    wa.add_handlers(one(lambda _, update: handled.append(update)))
one_at_a_time = threading.Lock()


def say(line):
    print(json.dumps(line), flush=True)


def handler_of(body):
    """The handler that the library itself chooses for such a callback; or None where it offers none."""
    try:
        return wa._get_handler_type(RawUpdate(body, hmac_header=None, update_hash=get_update_hash(body)))
    except (KeyError, ValueError, TypeError, IndexError):
        return type(None)  # The library complains of it, and so it is a failure.


def receive(body, signature):
    complaints.found.clear()
    handled.clear()
    kind = handler_of(body)
    refusal = wa.webhook_update_validator(body, signature)
    if refusal is not None:
        raise AssertionError(f"refused: {refusal}")
    if kind is None:
        return "not offered"
    status = wa.webhook_update_handler(body)[1]
    if complaints.found:
        raise AssertionError(complaints.found[0])
    if status != 200 or len(handled) != 1:
        raise AssertionError(f"{status} with {len(handled)} updates that were handled")
    heard[kind.__name__] += 1
    return "ok"


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        answer, status = wa.webhook_challenge_handler(query.get("hub.verify_token"), query.get("hub.challenge"))
        self.answer(status, str(answer))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with one_at_a_time:
            line = {"delivery": body.decode()}
            try:
                line["outcome"] = receive(body, self.headers["X-Hub-Signature-256"])
            except Exception:
                line |= {"outcome": "failed", "detail": traceback.format_exc()[-900:]}
            say(line)
        self.answer(200, "")

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
say({"listening": f"http://127.0.0.1:{server.server_address[1]}/webhook"})
sys.stdin.read()
say({"heard": heard})
