"""When calls must have been answered."""

import math
import unittest

from pushhost._deadlines import Deadlines


class DeadlinesTests(unittest.TestCase):
    def test_the_earliest_is_next_and_each_is_due_once(self) -> None:
        deadlines = Deadlines()
        self.assertEqual(deadlines.next, math.inf)
        self.assertEqual([deadlines.add(10 + id, id, id) for id in (2, 3, 1)], [True, False, True])
        self.assertEqual(deadlines.next, 11)
        self.assertEqual(deadlines.due(10.5, lambda id: True), [])
        self.assertEqual(deadlines.due(12, lambda id: True), [(1, 1), (2, 2)])
        self.assertEqual((deadlines.next, deadlines.due(12, lambda id: True)), (13, []))
        self.assertEqual(deadlines.due(13, lambda id: True), [(3, 3)])
        self.assertEqual(deadlines.next, math.inf)

    def test_what_was_answered_is_never_due_and_not_kept(self) -> None:
        deadlines = Deadlines()
        for id in range(1_000):
            # The thread looks at once, and not again for each of the others.
            self.assertEqual(deadlines.add(60 + id, id, 60), id == 0)
            self.assertEqual(deadlines.due(id / 1_000, lambda id: False), [])
            self.assertEqual((len(deadlines), deadlines.next), (0, 60))
        self.assertEqual((deadlines.due(60, lambda id: False), deadlines.next), ([], math.inf))


if __name__ == "__main__":
    unittest.main()
