from __future__ import annotations

import unittest

from waypost._retry import Failure, pause_before_retry, retry_after_seconds


class Retry(unittest.TestCase):
    def test_pauses_double_with_jitter_below_and_are_bounded(self) -> None:
        pauses = [pause_before_retry(Failure(), True, retries, 1) for retries in (0, 1, 2, 3, 4, 9, 5_000)]
        self.assertEqual(pauses, [0.5, 1, 2, 4, 8, 8, 8])
        self.assertEqual(pause_before_retry(Failure(), True, 0, 0), 0.25)

    def test_retry_after_is_never_undercut_and_spread_beyond(self) -> None:
        asked = Failure(429, True, 4)
        self.assertEqual([pause_before_retry(asked, False, 0, random) for random in (0, 1)], [4, 5])
        self.assertIsNone(pause_before_retry(Failure(429, True, 31), True, 0, 0))

    def test_reads_the_header(self) -> None:
        for header, seconds in [
            ("7", 7),
            ("0", 0),
            ("Thu, 01 Jan 1970 00:00:12 GMT", 10),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("1.5", 2),
            ("-5", 0),
            ("1234567890", 1_234_567_890),
            ("soon", None),
            ("", None),
            (None, None),
        ]:
            self.assertEqual(retry_after_seconds(header, 2), seconds, header)
