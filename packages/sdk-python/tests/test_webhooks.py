from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import os
import pickle
import unittest
from pathlib import Path
from typing import Any

import httpx
from waypost import WebhookVerificationError, verify_webhook, webhook_test_headers

SECRET = f"whsec_{base64.b64encode(bytes([7]) * 32).decode()}"
OTHER = f"whsec_{base64.b64encode(bytes([8]) * 32).decode()}"
BODY = json.dumps({"id": "evt_1", "kind": "delivered", "data": {"name": "Zoë"}}, ensure_ascii=False)
NOW = 1_800_000_000
VECTORS = os.environ.get("WEBHOOK_VECTORS", Path(__file__).parents[3] / "fixtures/webhooks/deliveries.json")


def signature(secret: str = SECRET, body: str = BODY, at: int = NOW) -> str:
    return f"t={at},v1={hmac.new(secret.encode(), f'{at}.{body}'.encode(), hashlib.sha256).hexdigest()}"


class Verification(unittest.TestCase):
    def fault(self, body: Any, headers: Any, secret: Any = SECRET, **options: Any) -> str:
        try:
            verify_webhook(body, headers, secret, **options)
        except WebhookVerificationError as error:
            return error.fault
        return "none"

    def test_returns_the_event_for_text_bytes_and_every_kind_of_headers(self) -> None:
        header = signature()
        for body in (BODY, BODY.encode(), bytearray(BODY.encode()), memoryview(BODY.encode())):
            self.assertEqual(verify_webhook(body, header, SECRET, now=NOW), json.loads(BODY))
        for headers in (
            {"x-service-signature": header},
            {"X-Service-Signature": header},
            {"x-service-signature": [header]},
            {b"X-Service-Signature": header.encode()},
            httpx.Headers({"X-Service-Signature": header}),
        ):
            self.assertEqual(self.fault(BODY, headers, now=NOW), "none")

    def test_of_each_shared_vector_what_it_says(self) -> None:
        vectors = json.loads(Path(VECTORS).read_text())["deliveries"]
        self.assertGreater(len(vectors), 10)
        for vector in vectors:
            body = base64.b64decode(vector["body"])
            expected = "none" if body and 0xFF not in body else "malformed_body"
            standard = {name: value for name, value in vector["headers"].items() if name != "x-service-signature"}
            for headers in (vector["headers"], standard):
                with self.subTest(vector["name"], headers=len(headers)):
                    fault = self.fault(body, headers, vector["secret"], now=vector["now"])
                    if vector["valid"]:
                        self.assertEqual(fault, expected)
                    else:
                        self.assertRegex(fault, "_signature$|_tolerance$")

    def test_during_a_rotation_two_signatures_or_two_secrets(self) -> None:
        both = f"{signature(OTHER)},{signature().split(',')[1]}"
        self.assertEqual(self.fault(BODY, both, now=NOW), "none")
        self.assertEqual(self.fault(BODY, signature(OTHER), [SECRET, OTHER], now=NOW), "none")
        self.assertEqual(self.fault(BODY, signature(OTHER), [], now=NOW), "wrong_signature")

    def test_the_vector_published_with_standard_webhooks(self) -> None:
        headers = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        body = '{"test": 2432232314}'
        self.assertEqual(verify_webhook(body, headers, secret, now=1_614_265_330), {"test": 2_432_232_314})
        other = {**headers, "webhook-id": "msg_other"}
        self.assertEqual(self.fault(body, other, secret, now=1_614_265_330), "wrong_signature")

    def test_a_tolerance_of_ones_own_and_a_clock_that_gives_no_number(self) -> None:
        for tolerance, now, fault in [
            (900, NOW + 900, "none"),
            (10, NOW + 11, "outside_tolerance"),
            (300, math.nan, "outside_tolerance"),
            (math.nan, NOW, "outside_tolerance"),
        ]:
            self.assertEqual(self.fault(BODY, signature(), tolerance_seconds=tolerance, now=now), fault)

    def test_refuses_what_is_forged_old_or_malformed(self) -> None:
        many = f"t={NOW}" + f",v1={'0' * 64}" * 20 + f",{signature().split(',')[1]}"
        for body, header, now, fault in [
            (BODY, signature(OTHER), NOW, "wrong_signature"),
            (f"{BODY} ", signature(), NOW, "wrong_signature"),
            (BODY, signature().replace(f"t={NOW}", f"t={NOW + 1}"), NOW, "wrong_signature"),
            (BODY, many, NOW, "wrong_signature"),
            (BODY, signature(), NOW + 301, "outside_tolerance"),
            (BODY, signature(), NOW - 301, "outside_tolerance"),
            (BODY, None, NOW, "missing_signature"),
            (BODY, "", NOW, "missing_signature"),
            (BODY, {}, NOW, "missing_signature"),
            (BODY, {"x-service-signature": []}, NOW, "missing_signature"),
            (BODY, f"t={NOW}", NOW, "malformed_signature"),
            (BODY, signature().split(",")[1], NOW, "malformed_signature"),
            (BODY, signature().replace(f"t={NOW}", "t=1e9"), NOW, "malformed_signature"),
            (BODY, signature().replace(f"t={NOW}", "t=\u0661"), NOW, "malformed_signature"),
            (BODY, signature().replace("v1=", "v0="), NOW, "malformed_signature"),
            (BODY, signature()[:-2], NOW, "malformed_signature"),
            ("{", signature(SECRET, "{"), NOW, "malformed_body"),
            ('{"a":NaN}', signature(SECRET, '{"a":NaN}'), NOW, "malformed_body"),
        ]:
            self.assertEqual(self.fault(body, header, now=now), fault, header)

    def test_without_a_secret_it_is_the_program_that_is_wrong(self) -> None:
        standard = {**webhook_test_headers(BODY, SECRET), "x-service-signature": ""}
        for headers, secret in [(signature(), ""), (standard, ""), (standard, "whsec_"), (standard, "whsec_äö"), (standard, "whsec_a")]:
            with self.assertRaises(ValueError):
                verify_webhook(BODY, headers, secret, now=NOW if isinstance(headers, str) else None)

    def test_an_error_passes_between_processes(self) -> None:
        error = pickle.loads(pickle.dumps(WebhookVerificationError("wrong_signature", "no signature fits")))
        self.assertEqual((error.fault, str(error)), ("wrong_signature", "no signature fits"))


class HeadersForTests(unittest.TestCase):
    def test_satisfy_the_verification_by_each_of_both_signatures(self) -> None:
        headers = webhook_test_headers(BODY, [OTHER, SECRET])
        for secret in (SECRET, OTHER):
            for given in (headers, {**headers, "x-service-signature": ""}):
                self.assertEqual(verify_webhook(BODY, given, secret)["id"], "evt_1")

    def test_use_the_given_values(self) -> None:
        headers = webhook_test_headers(BODY, SECRET, event_id="evt_9", kind="messages", delivery_id="dlv_9", attempt=3, at=NOW)
        self.assertEqual(headers["x-service-signature"], signature())
        names = ("webhook-id", "webhook-timestamp", "x-service-event", "x-service-delivery", "x-service-attempt")
        self.assertEqual([headers[name] for name in names], ["evt_9", str(NOW), "messages", "dlv_9", "3"])
