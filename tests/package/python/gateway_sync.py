"""A program with the installed SDK, synchronous: says as JSON what it found. gateway_async.py is the same with asyncio."""

import json
import os

import waypost
from waypost import Waypost, answer_of

MINE, THEIRS, OPERATOR, URL, LOSSY = (os.environ[name] for name in ("MINE", "THEIRS", "OPERATOR", "URL", "LOSSY"))
TO = os.environ["TO"]
TEMPLATE = {"name": "order_ready", "language": {"code": "en_US"}}
found = {}


def refusal(call):
    try:
        call()
    except waypost.ApiError as error:
        return [type(error).__name__, error.code, error.status, error.attempts, error.request_id, str(error)]
    return None


mine = Waypost(MINE, f"{URL}/")
theirs = Waypost(THEIRS, URL)
with mine, theirs:
    sent = mine.messages.send(
        to=TO, type="template", template=TEMPLATE, reference="1", idempotency_key=f"sent-{TO}", wait_seconds=10
    )
    again = mine.messages.send(
        to=TO, type="template", template=TEMPLATE, reference="1", idempotency_key=f"sent-{TO}", wait_seconds=10
    )
    found["sent"] = [sent["status"], sent["to"], again["id"] == sent["id"]]
    found["answers"] = [[answer_of(one).status, answer_of(one).replayed] for one in (sent, again)]
    found["history"] = [entry["status"] for entry in mine.messages.get(sent["id"])["history"]]
    found["theirs"] = refusal(lambda: theirs.messages.get(sent["id"], request_id="their-1"))
    found["closed"] = refusal(
        lambda: mine.messages.send(to=TO, type="text", text={"body": "Secret"}, request_id="my-1")
    )
    found["wrong key"] = refusal(lambda: Waypost("wp_live_wrong", URL).messages.list(request_id="wrong-1").page())
    for reference in ("2", "3", "4", "5"):
        mine.messages.send(to=TO, type="template", template=TEMPLATE, reference=reference, from_=os.environ["FROM"])
    found["listed"] = [one["reference"] for one in mine.messages.list(to=TO, limit=2)]
    page = mine.messages.list(to=TO, limit=4).page()
    rest = page.next()
    found["pages"] = [len(page.data), [one["reference"] for one in rest.data], rest.next()]
    with Waypost(MINE, LOSSY) as lossy:
        lost = lossy.messages.send(to=TO, type="template", template=TEMPLATE, reference="lost")
    found["lost"] = [answer_of(lost).replayed, mine.messages.list(to=TO, reference="lost").page().data[0]["id"] == lost["id"]]

    media = mine.media.create(b"Open from 9 to 5.", filename="hours.txt", type="text/plain")
    content = mine.media.content(media["id"])
    found["media"] = [media["size"], content.media_type, content.read().decode()]
    found["their media"] = refusal(lambda: theirs.media.content(media["id"], request_id="their-2"))

    cursor = mine.events.list().page()
    while cursor.has_more:
        cursor = cursor.next()
    contact = mine.contacts.create(phone=os.environ["CONTACT"], name="Zoë 👋\u2028 of the shop")
    changed = mine.contacts.update(contact["id"], attributes={"visits": 3}, if_match=answer_of(contact).etag)
    found["changed"] = changed["attributes"]["visits"]
    found["etag"] = refusal(
        lambda: mine.contacts.update(contact["id"], name="late", if_match=answer_of(contact).etag, request_id="late-1")
    )
    names = []
    with mine.events.stream(cursor=cursor.next_cursor) as stream:
        for event in stream:
            if event["kind"] in ("contact_created", "contact_updated"):
                names.append(event["data"]["contact"]["name"])
            if len(names) == 2:
                break
    found["events"] = names
    found["exported"] = [one["name"] for one in mine.contacts.export(phone=os.environ["CONTACT"])]
    found["csv"] = mine.contacts.export(phone=os.environ["CONTACT"]).file("csv").read().decode().count("Zoë")
    found["deleted"] = mine.contacts.delete(contact["id"])
with waypost.WaypostOperator(OPERATOR, URL) as operator:
    workspace = operator.workspaces.create(name="Fresh")
    key = operator.workspaces.create_api_key(workspace["id"], name="first", scopes=["*"])["key"]
    found["fresh"] = Waypost(key, URL).workspace.get()["name"]
print(json.dumps(found))
