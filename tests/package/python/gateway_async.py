"""A program with the installed SDK and asyncio: says as JSON what it found. gateway_sync.py is the same without it."""

import asyncio
import json
import os

import waypost
from waypost import AsyncWaypost, answer_of

MINE, THEIRS, OPERATOR, URL, LOSSY = (os.environ[name] for name in ("MINE", "THEIRS", "OPERATOR", "URL", "LOSSY"))
TO = os.environ["TO"]
TEMPLATE = {"name": "order_ready", "language": {"code": "en_US"}}
found = {}


async def refusal(call):
    try:
        await call
    except waypost.ApiError as error:
        return [type(error).__name__, error.code, error.status, error.attempts, error.request_id, str(error)]
    return None


async def main():
    mine = AsyncWaypost(MINE, f"{URL}/")
    theirs = AsyncWaypost(THEIRS, URL)
    async with mine, theirs:
        sent = await mine.messages.send(
            to=TO, type="template", template=TEMPLATE, reference="1", idempotency_key=f"sent-{TO}", wait_seconds=10
        )
        again = await mine.messages.send(
            to=TO, type="template", template=TEMPLATE, reference="1", idempotency_key=f"sent-{TO}", wait_seconds=10
        )
        found["sent"] = [sent["status"], sent["to"], again["id"] == sent["id"]]
        found["answers"] = [[answer_of(one).status, answer_of(one).replayed] for one in (sent, again)]
        found["history"] = [entry["status"] for entry in (await mine.messages.get(sent["id"]))["history"]]
        found["theirs"] = await refusal(theirs.messages.get(sent["id"], request_id="their-1"))
        found["closed"] = await refusal(mine.messages.send(to=TO, type="text", text={"body": "Secret"}, request_id="my-1"))
        found["wrong key"] = await refusal(AsyncWaypost("wp_live_wrong", URL).messages.list(request_id="wrong-1").page())
        for reference in ("2", "3", "4", "5"):
            await mine.messages.send(to=TO, type="template", template=TEMPLATE, reference=reference, from_=os.environ["FROM"])
        found["listed"] = [one["reference"] async for one in mine.messages.list(to=TO, limit=2)]
        page = await mine.messages.list(to=TO, limit=4).page()
        rest = await page.next()
        found["pages"] = [len(page.data), [one["reference"] for one in rest.data], await rest.next()]
        async with AsyncWaypost(MINE, LOSSY) as lossy:
            lost = await lossy.messages.send(to=TO, type="template", template=TEMPLATE, reference="lost")
        found["lost"] = [answer_of(lost).replayed, (await mine.messages.list(to=TO, reference="lost").page()).data[0]["id"] == lost["id"]]

        media = await mine.media.create(b"Open from 9 to 5.", filename="hours.txt", type="text/plain")
        content = await mine.media.content(media["id"])
        found["media"] = [media["size"], content.media_type, (await content.read()).decode()]
        found["their media"] = await refusal(theirs.media.content(media["id"], request_id="their-2"))

        cursor = await mine.events.list().page()
        while cursor.has_more:
            cursor = await cursor.next()
        contact = await mine.contacts.create(phone=os.environ["CONTACT"], name="Zoë 👋\u2028 of the shop")
        changed = await mine.contacts.update(contact["id"], attributes={"visits": 3}, if_match=answer_of(contact).etag)
        found["changed"] = changed["attributes"]["visits"]
        found["etag"] = await refusal(mine.contacts.update(contact["id"], name="late", if_match=answer_of(contact).etag, request_id="late-1"))
        names = []
        async with mine.events.stream(cursor=cursor.next_cursor) as stream:
            async for event in stream:
                if event["kind"] in ("contact_created", "contact_updated"):
                    names.append(event["data"]["contact"]["name"])
                if len(names) == 2:
                    break
        found["events"] = names
        found["exported"] = [one["name"] async for one in mine.contacts.export(phone=os.environ["CONTACT"])]
        found["csv"] = (await (await mine.contacts.export(phone=os.environ["CONTACT"]).file("csv")).read()).decode().count("Zoë")
        found["deleted"] = await mine.contacts.delete(contact["id"])
    async with waypost.AsyncWaypostOperator(OPERATOR, URL) as operator:
        workspace = await operator.workspaces.create(name="Fresh")
        key = (await operator.workspaces.create_api_key(workspace["id"], name="first", scopes=["*"]))["key"]
        found["fresh"] = (await AsyncWaypost(key, URL).workspace.get())["name"]
    print(json.dumps(found))


asyncio.run(main())
