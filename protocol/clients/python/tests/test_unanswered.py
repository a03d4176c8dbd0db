"""Finding the call that an error without an id is about."""

import unittest
from itertools import permutations
from typing import Any

from pushhost._unanswered import Unanswered

UNREAD: dict[str, Any] = {"code": -32700, "message": "no JSON", "data": {"reason": "parseError"}}
TOO_LONG: dict[str, Any] = {"code": -32600, "message": "long", "data": {"reason": "lineTooLong", "limit": 100}}


class UnansweredTests(unittest.TestCase):
    def sent(self, *lengths: int) -> Unanswered:
        calls = Unanswered()
        for id, length in enumerate(lengths, 1):
            calls.sent(id, length)
        return calls

    def test_an_error_without_an_id_is_about_the_only_call(self) -> None:
        self.assertEqual(self.sent(10).refused(UNREAD), [(1, UNREAD)])

    def test_an_error_about_a_notification_fails_no_call(self) -> None:
        calls = self.sent()
        self.assertEqual(calls.refused(UNREAD), [])
        calls.sent(1, 10)
        self.assertEqual(calls.refused(UNREAD), [(1, UNREAD)])

    def test_a_refused_line_that_was_too_long_is_found_by_its_length(self) -> None:
        calls = self.sent(10, 101, 100)
        self.assertEqual(calls.refused(TOO_LONG), [(2, TOO_LONG)])
        self.assertEqual([calls.answered(id) for id in (1, 3)], [[], []])

    def test_the_refused_calls_are_those_that_remain_in_any_order_of_the_answers(self) -> None:
        for lost in [{1}, {3}, {1, 2}, {1, 2, 3, 4}]:
            for order in permutations({1, 2, 3, 4} - lost):
                calls = self.sent(10, 10, 10, 10)
                found: list[int] = []
                for _ in lost:
                    found += [id for id, _ in calls.refused(UNREAD)]
                # The error cannot be about a later call.
                calls.sent(5, 10)
                for id in order:
                    self.assertEqual(found, [])
                    found += [id for id, _ in calls.answered(id)]
                self.assertEqual(set(found), lost)
                self.assertEqual(calls.answered(5), [])

    def test_a_refused_call_that_is_found_is_no_suspect_of_other_errors(self) -> None:
        calls = self.sent(10, 101, 10)
        self.assertEqual(calls.refused(UNREAD), [])
        self.assertEqual(calls.refused(TOO_LONG), [(2, TOO_LONG)])
        self.assertEqual(calls.answered(3), [(1, UNREAD)])


if __name__ == "__main__":
    unittest.main()
