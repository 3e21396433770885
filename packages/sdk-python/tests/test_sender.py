"""What the real server does not do on demand: broken answers, lost ones, and the timing of repeats."""

from __future__ import annotations

import io
import json as json_format
import math
import os
import pickle
from datetime import datetime, timezone
from typing import Any

import waypost
from forms import KEY, FormTest, both
from raw_server import breaking, cut, ending, gone, json, problem, text
from waypost import (
    AnswerTimeoutError,
    ApiError,
    GatewayError,
    InvalidCallError,
    MalformedAnswerError,
    NoAnswerError,
    RateLimitError,
    Waypost,
    WaypostError,
    answer_of,
)


class WhatLeaves(FormTest):
    def test_a_post_has_its_key_an_agent_json_and_the_bearer(self) -> None:
        self.server.answers(json(202, {"id": "x"}))
        sender = self.sender(base_url=f"{self.server.url}/waypost/")
        self.json("POST", "/v1/messages", sender=sender, body={"a": "é"}, request_id="r1", wait_seconds=5)
        [seen] = self.server.seen
        self.assertEqual((seen.method, seen.url, seen.body.decode()), ("POST", "/waypost/v1/messages", '{"a":"é"}'))
        self.assertEqual(seen.headers["authorization"], f"Bearer {KEY}")
        self.assertEqual(seen.headers["content-type"], "application/json")
        self.assertRegex(seen.headers["user-agent"], r"^waypost-sdk-python/\d")
        self.assertRegex(seen.headers["x-idempotency-key"], r"^[0-9a-f-]{36}$")
        self.assertEqual((seen.headers["x-request-id"], seen.headers["prefer"]), ("r1", "wait=5"))

    def test_a_get_has_no_key_and_its_query_is_written_out(self) -> None:
        self.server.answers(json(200, {"data": []}))
        at = datetime(1970, 1, 1, tzinfo=timezone.utc)
        self.json("GET", query={"tag": ["a b", "c&d"], "at": at, "none": None, "yes": True})
        [seen] = self.server.seen
        self.assertEqual(seen.url, "/v1/x?tag=a+b&tag=c%26d&at=1970-01-01T00%3A00%3A00.000Z&yes=true")
        self.assertNotIn("x-idempotency-key", seen.headers)

    def test_an_id_stays_one_segment(self) -> None:
        self.server.answers(json(200, {}))
        self.run_(self.form.client(self.server.url).contacts.delete_tag("con_1", "a/b c%é"))
        self.assertEqual(self.server.seen[0].url, "/v1/contacts/con_1/tags/a%2Fb%20c%25%C3%A9")

    def test_fields_are_sent_as_they_are_given_and_from_has_a_name_of_its_own(self) -> None:
        self.server.answers(json(202, {"id": "x"}))
        client = self.form.client(self.server.url)
        self.run_(client.messages.send(to="+1", type="text", text={"body": "a"}, from_="num_1"))
        self.run_(client.contacts.update("con_1", name=None))
        self.run_(client.contacts.create(phone="+1", on_conflict="update"))
        bodies = [json_format.loads(seen.body) for seen in self.server.seen]
        sent = {"to": "+1", "type": "text", "text": {"body": "a"}, "from": "num_1"}
        self.assertEqual(bodies, [sent, {"name": None}, {"phone": "+1"}])
        self.assertEqual(self.server.seen[2].url, "/v1/contacts?on_conflict=update")

    def test_what_is_no_address_or_no_key_is_refused_without_the_key_in_the_text(self) -> None:
        for base_url, key in [("localhost:8080", "k"), ("ftp://x", "k"), ("http://x", "wp\nx"), ("http://a:b@x", "k")]:
            error = self.caught(ValueError, lambda: Waypost(key, base_url))
            self.assertNotIn("wp", str(error))
        for name in ("WAYPOST_API_KEY", "WAYPOST_BASE_URL"):
            os.environ.pop(name, None)
        self.assertIn("WAYPOST_API_KEY", str(self.caught(ValueError, Waypost)))
        self.assertIn("WAYPOST_BASE_URL", str(self.caught(ValueError, lambda: Waypost("k"))))

    def test_key_and_address_are_those_of_the_environment(self) -> None:
        self.server.answers(json(200, {"id": "ws_1"}))
        os.environ.update(WAYPOST_API_KEY="wp_live_env", WAYPOST_BASE_URL=self.server.url)
        try:
            with Waypost() as client:
                self.assertEqual(client.workspace.get(), {"id": "ws_1"})
        finally:
            del os.environ["WAYPOST_API_KEY"], os.environ["WAYPOST_BASE_URL"]
        self.assertEqual(self.server.seen[0].headers["authorization"], "Bearer wp_live_env")

    def test_a_call_that_cannot_be_sent_makes_no_request(self) -> None:
        self.server.answers(json(200, {}))
        client = self.form.client(self.server.url)
        circular: Any = {}
        circular["circular"] = circular
        calls = [
            (lambda: client.contacts.get(""), "an id is empty"),
            (lambda: client.messages.cancel(".."), "an id is empty"),
            (lambda: client.contacts.delete_tag("con_1", ""), "an id is empty"),
            (lambda: client.contacts.get("\ud800"), "an id is empty"),
            (lambda: client.contacts.create(phone="+1", idempotency_key="a\nb"), "idempotency_key"),
            (lambda: client.contacts.create(phone="+1", idempotency_key="日本"), "idempotency_key"),
            (lambda: client.contacts.get("con_1", request_id="a\nb"), "request_id"),
            (lambda: client.contacts.update("con_1", if_match="日"), "if_match"),
            (lambda: client.contacts.create_import("x", type="text/\n"), "the type of the file"),
            (lambda: client.media.create(b"x"), "a filename"),
            (lambda: client.media.create(io.StringIO("x"), filename="a"), "binary mode"),
            (lambda: client.contacts.update("con_1", attributes=circular), "the body"),
            (lambda: client.contacts.update("con_1", attributes={"a": math.nan}), "the body"),
            (lambda: client.contacts.update("con_1", attributes={"a": object()}), "the body"),
            (lambda: client.usage.get(timeout=math.nan), "timeout"),
            (lambda: client.contacts.list(created_after=datetime(2026, 1, 1)).page(), "a time with its zone"),
        ]
        for call, said in calls:
            error = self.caught(InvalidCallError, lambda: self.run_(call()))
            self.assertIn(said, str(error))
            self.assertEqual(error.attempts, 0)
        self.assertEqual(self.server.seen, [])


class Repeats(FormTest):
    def test_a_lost_answer_of_a_post_is_the_same_key_and_body_again(self) -> None:
        self.server.answers(cut, gone, json(202, {"id": "x"}))
        self.assertEqual(self.json("POST", body={"a": 1}), {"id": "x"})
        self.assertEqual(len(self.server.seen), 3)
        self.assertEqual(len({(seen.headers["x-idempotency-key"], seen.body) for seen in self.server.seen}), 1)
        self.assertEqual(self.pauses, [0.25, 0.5])

    def test_two_calls_have_two_keys(self) -> None:
        self.server.answers(json(202, {}))
        sender = self.sender()
        self.json("POST", sender=sender)
        self.json("POST", sender=sender)
        self.assertEqual(len({seen.headers["x-idempotency-key"] for seen in self.server.seen}), 2)

    def test_a_lost_answer_to_a_change_is_reported(self) -> None:
        for method in ("PATCH", "DELETE"):
            self.server.answers(cut)
            self.caught(NoAnswerError, lambda: self.json(method))
            self.assertEqual(len(self.server.seen), 1)

    def test_what_says_that_nothing_was_done_is_repeated(self) -> None:
        for method in ("GET", "POST", "PATCH", "DELETE"):
            self.pauses.clear()
            self.server.answers(problem(503, "unavailable", True, {"retry-after": "1"}), json(200, {"ok": True}))
            self.assertEqual(self.json(method), {"ok": True})
            self.assertEqual(self.pauses, [1])

    def test_what_is_final_is_not(self) -> None:
        refusals = [(400, "invalid_request"), (404, "not_found"), (409, "conflict"), (422, "window_closed"), (500, "internal")]
        for status, code in refusals:
            self.server.answers(problem(status, code, False))
            error = self.caught(ApiError, lambda: self.json("POST"))
            self.assertEqual((error.code, error.status, error.attempts, error.request_id), (code, status, 1, "req-1"))
        self.assertEqual(self.pauses, [])

    def test_429_is_repeated_after_what_it_asks_and_given_up_when_that_is_long(self) -> None:
        self.server.answers(problem(429, "rate_limited", True, {"retry-after": "7"}), json(200, {}))
        self.json("PATCH")
        self.assertEqual(self.pauses, [7])
        self.server.answers(problem(429, "messaging_limit_reached", True, {"retry-after": "3600"}))
        error = self.caught(RateLimitError, lambda: self.json("POST"))
        self.assertEqual((error.retry_after_seconds, error.attempts), (3_600, 1))

    def test_they_end_two_by_default_as_many_as_asked_none_at_all(self) -> None:
        self.server.answers(problem(503, "unavailable", True))
        self.assertEqual(self.caught(GatewayError, lambda: self.json("GET")).attempts, 3)
        none = self.sender(max_retries=0)
        self.assertEqual(self.caught(GatewayError, lambda: self.json("GET", sender=none)).attempts, 1)
        self.assertEqual(self.caught(GatewayError, lambda: self.json("GET", max_retries=5)).attempts, 6)
        self.assertEqual(max(self.pauses), 4)

    def test_a_closed_port_is_tried_three_times_and_neither_key_nor_body_is_in_the_error(self) -> None:
        sender = self.sender(base_url="http://127.0.0.1:1")
        error = self.caught(NoAnswerError, lambda: self.json("POST", sender=sender, body={"secret": 1}))
        self.assertEqual((error.attempts, error.request_id), (3, None))
        self.assertNotRegex(str(error) + str(error.__cause__), "wp_live|secret")

    def test_errors_pass_between_processes(self) -> None:
        self.server.answers(problem(422, "window_closed", False))
        error = pickle.loads(pickle.dumps(self.caught(ApiError, lambda: self.json("POST"))))
        self.assertEqual((type(error), error.code, str(error)), (waypost.UnprocessableError, "window_closed", "Detail."))


class AnswersOfOthers(FormTest):
    def test_they_are_reported_with_their_status(self) -> None:
        for status, body, method, times in [
            (200, "<html>", "GET", 1),
            (200, '{"id":', "GET", 1),
            (502, "<html>", "GET", 3),
            (502, "<html>", "POST", 3),
            (502, "<html>", "DELETE", 1),
            (400, '{"message":"no"}', "POST", 1),
            (500, "[]", "GET", 1),
        ]:
            self.server.answers(text(status, body, {"x-request-id": "req-2"}))
            error = self.caught(MalformedAnswerError, lambda: self.json(method))
            self.assertEqual((error.status, error.request_id, error.attempts), (status, "req-2", times))
            self.assertEqual(len(self.server.seen), times)

    def test_a_redirect_is_not_followed(self) -> None:
        self.server.answers(text(302, "", {"location": f"{self.server.url}/other"}))
        self.caught(WaypostError, lambda: self.json("GET"))
        self.assertEqual([seen.url for seen in self.server.seen], ["/v1/x"])

    def test_a_code_that_this_version_does_not_know_is_an_api_error(self) -> None:
        self.server.answers(problem(418, "brewing", False))
        error = self.caught(ApiError, lambda: self.json("GET"))
        self.assertEqual((error.code, error.status), ("brewing", 418))

    def test_lists_that_are_none(self) -> None:
        for body in ("null", "{}", "", "[]"):
            self.server.answers(text(200, body))
            self.caught(MalformedAnswerError, lambda: self.form.items(self.sender().list("/v1/x", {})))

    def test_a_list_whose_cursor_stands_still_ends_with_an_error(self) -> None:
        self.server.answers(json(200, {"data": [1], "next_cursor": "same"}))
        error = self.caught(WaypostError, lambda: self.form.items(self.sender().list("/v1/x", {})))
        self.assertIn("does not move on", str(error))

    def test_a_list_that_is_read_again_later_ends_where_it_says_so(self) -> None:
        first = json(200, {"data": [1], "next_cursor": "a", "has_more": True})
        last = json(200, {"data": [2], "next_cursor": "b", "has_more": False})
        self.server.answers(first, last)
        self.assertEqual(self.form.items(self.sender().list("/v1/x", {"q": "y"})), [1, 2])
        self.assertEqual([seen.url for seen in self.server.seen], ["/v1/x?q=y", "/v1/x?q=y&cursor=a"])
        self.server.answers(first, last)
        page = self.run_(self.run_(self.sender().list("/v1/x", {}).page()).next())
        self.assertEqual((page.has_more, page.next_cursor, self.run_(page.next())), (False, "b", None))

    def test_204_has_no_body(self) -> None:
        self.server.answers(text(204, ""))
        self.assertIsNone(self.json("DELETE"))
        self.assertIsNone(answer_of({}))

    def test_rows_that_break_off_or_are_none(self) -> None:
        type = "application/x-ndjson"
        self.server.answers(ending(type, '{"a":1}\n{"a"', ":2}\n"))
        self.assertEqual(self.form.items(self.sender().rows("/v1/x", {})), [{"a": 1}, {"a": 2}])
        for broken in (ending(type, '{"a":1}\n{"a"'), breaking(type, '{"a":1}\n')):
            self.server.answers(broken)
            self.caught(NoAnswerError, lambda: self.form.items(self.sender().rows("/v1/x", {})))
        self.server.answers(text(200, "<html>\n"))
        self.caught(MalformedAnswerError, lambda: self.form.items(self.sender().rows("/v1/x", {})))
        self.assertEqual(self.server.seen[0].headers["accept"], type)

    def test_a_page_is_no_file_of_rows(self) -> None:
        self.server.answers(text(200, "<html>", {"content-type": "text/html", "x-request-id": "r"}))
        error = self.caught(MalformedAnswerError, lambda: self.run_(self.sender().rows("/v1/x", {}).file("csv")))
        self.assertEqual((error.status, error.request_id), (200, "r"))
        self.server.answers(text(200, "a\r\n", {"content-type": "text/csv; charset=utf-8"}))
        self.assertEqual(self.run_(self.run_(self.sender().rows("/v1/x", {}).file("csv")).read()), b"a\r\n")


class Time(FormTest):
    def test_no_answer_in_time_is_repeated_like_any_lost_answer(self) -> None:
        self.server.answers(self.server.stays)
        sender = self.sender(timeout=0.05, max_retries=1)
        error = self.caught(AnswerTimeoutError, lambda: self.json("POST", sender=sender))
        self.assertEqual((error.attempts, len(self.server.seen)), (2, 2))
        self.assertEqual(len({seen.headers["x-idempotency-key"] for seen in self.server.seen}), 1)

    def test_without_a_limit_a_call_does_not_end(self) -> None:
        self.server.answers(json(200, {"ok": True}))
        self.assertEqual(self.json("GET", timeout=math.inf), {"ok": True})

    def test_the_limit_covers_a_body_that_drips(self) -> None:
        def drip(handler: Any) -> None:
            handler.send_response(200)
            handler.send_header("content-length", "100000")
            handler.end_headers()
            while not self.server.leaving.wait(0.01):
                try:
                    handler.wfile.write(b" ")
                except OSError:
                    return

        self.server.answers(drip)
        self.caught(AnswerTimeoutError, lambda: self.json("GET", timeout=0.1, max_retries=0))


for cls in (WhatLeaves, Repeats, AnswersOfOthers, Time):
    both(cls, __name__)
del cls
