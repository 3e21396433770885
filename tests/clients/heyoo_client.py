"""heyoo: messages and media; it has no error of its own, and checks no signatures."""

import json
import os
import tempfile
import traceback

from heyoo import WhatsApp

WORLD = json.loads(os.environ["WORLD"])
PERSON = WORLD["person"].removeprefix("+")
INBOUND = WORLD["inbound"]
IMAGE = "https://cdn.example/a.jpg"
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452")
BUILT_IN = "https://graph.facebook.com"

wa = WhatsApp(WORLD["token"], phone_number_id=WORLD["number"])
# It has the provider's address built in; everything behind the host stays as it is.
for name in ("base_url", "v15_base_url", "url"):
    setattr(wa, name, getattr(wa, name).replace(BUILT_IN, os.environ["SIMULATOR_URL"]))

reported = set()


def say(operation, outcome, detail=None):
    reported.add(operation)
    print(json.dumps({"operation": operation, "outcome": outcome, "detail": detail}), flush=True)


def attempt(operation, run):
    """Runs one operation; what it raises is its failure. Returns what it returned, or None."""
    try:
        result = run()
    except Exception:
        say(operation, "failed", traceback.format_exc()[-900:])
        return None
    say(operation, "ok")
    return result


def expect_equal(found, expected, what):
    if found != expected:
        raise AssertionError(f"{what}: {found!r} instead of {expected!r}")


def send(operation, method, *args, **kwargs):
    def run():
        answer = getattr(wa, method)(*args, **kwargs)
        if not answer["messages"][0]["id"].startswith("wamid."):
            raise AssertionError("the answer has no message id")

    attempt(operation, run)


def send_content():
    send("send text", "send_message", "Hello", PERSON)
    send("send text that quotes", "reply_to_message", INBOUND, PERSON, "Hello")
    send("send image by link", "send_image", IMAGE, PERSON)
    send("send video by link", "send_video", "https://cdn.example/a.mp4", PERSON)
    send("send audio by link", "send_audio", "https://cdn.example/a.ogg", PERSON)
    send("send document by link", "send_document", "https://cdn.example/a.pdf", PERSON)
    send("send sticker by link", "send_sticker", "https://cdn.example/a.webp", PERSON)
    send("send location", "send_location", "-34.6", "-58.38", "Obelisk", "Buenos Aires", PERSON)
    card = {"name": {"formatted_name": "Ana Diaz", "first_name": "Ana"}, "phones": [{"phone": "+15550001111"}]}
    send("send contacts", "send_contacts", [card], PERSON)
    send("send reaction", "send_reaction", "👍", INBOUND, PERSON)
    send("take reaction back", "send_reaction", "", INBOUND, PERSON)


def send_interactive():
    buttons = [{"type": "reply", "reply": {"id": "yes", "title": "Yes"}}]
    body = {"text": "Choose one"}
    reply = {"type": "button", "body": body, "action": {"buttons": buttons}}
    send("send reply buttons", "send_reply_button", reply, PERSON)
    rows = [{"id": "a", "title": "A", "description": "First"}]
    action = {"button": "Open", "sections": [{"title": "One", "rows": rows}]}
    listed = {"header": "Ours", "body": "Choose one", "footer": "Thanks", "action": action}
    send("send list", "send_button", listed, PERSON)


def send_templates():
    def body(*texts):
        return {"type": "body", "parameters": [{"type": "text", "text": text} for text in texts]}

    def button(sub_type, index, parameter):
        return {"type": "button", "sub_type": sub_type, "index": index, "parameters": [parameter]}

    send("send template", "send_template", "order_ready", PERSON, [])
    send("send template, positional", "send_template", "order_update", PERSON, [body("Ana", "A17")])
    photo = [
        {"type": "header", "parameters": [{"type": "image", "image": {"link": IMAGE}}]},
        body("Ana"),
        button("url", 0, {"type": "text", "text": "A17"}),
        button("quick_reply", 1, {"type": "payload", "payload": "STOP"}),
    ]
    send("send template, media and buttons", "send_template", "client_photo", PERSON, photo)
    code = [body("123456"), button("url", 0, {"type": "text", "text": "123456"})]
    send("send template, authentication", "send_template", "client_code", PERSON, code)

    def refused():
        error = wa.send_template("no_such", PERSON, [])["error"]
        expect_equal((error["code"], type(error["fbtrace_id"])), (132001, str), "the error")

    attempt("refusal is an error with its code", refused)


def use_media(folder):
    path = os.path.join(folder, "a.png")
    with open(path, "wb") as file:
        file.write(PNG)
    media_id = attempt("upload media", lambda: wa.upload_media(path)["id"])
    send("send image by id", "send_image", media_id, PERSON, link=False)

    def read():
        url = wa.query_media_url(media_id)
        expect_equal(type(url), str, "the address")
        return url

    url = attempt("read media", read)

    def download():
        with open(wa.download_media(url, "image/png", os.path.join(folder, "b")), "rb") as file:
            expect_equal(file.read(), PNG, "the bytes")

    attempt("download media", download)
    attempt("delete media", lambda: expect_equal(wa.delete_media(media_id), {"success": True}, "the answer"))
    attempt("mark as read", lambda: expect_equal(wa.mark_as_read(INBOUND), {"success": True}, "the answer"))


def parse(callback):
    """It reads the first message or status of a callback."""
    operation, body = f"parse {callback['name']}", json.loads(callback["body"])
    value = (body["entry"][0].get("changes") or [{}])[0].get("value") or {}
    first = next((value[key][0] for key in ("messages", "statuses") if isinstance(value.get(key), list)), None)
    if first is None:
        return say(operation, "not offered")

    def run():
        if "messages" in value:
            found = (wa.get_message_id(body), wa.get_message_type(body), wa.get_message_timestamp(body))
            expect_equal(found, (first["id"], first["type"], first["timestamp"]), "the message")
        else:
            expect_equal(wa.get_delivery(body), first["status"], "the status")

    attempt(operation, run)


send_content()
send_interactive()
send_templates()
with tempfile.TemporaryDirectory() as folder:
    use_media(folder)
with open(os.environ["CALLBACKS"], encoding="utf8") as file:
    for callback in json.load(file):
        parse(callback)
for operation in json.loads(os.environ["OPERATIONS"]):
    if operation not in reported:
        say(operation, "not offered")
