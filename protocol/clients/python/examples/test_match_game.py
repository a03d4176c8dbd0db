"""Plays the match game in CI: the same clock and seed give the same game."""

import tempfile
import unittest
from pathlib import Path

from pushhost import Host
from pushhost.reasons import NoPresentationError

PLUGINS = Path(__file__).resolve().parents[4] / "plugins"


class MatchGameTests(unittest.TestCase):
    def setUp(self) -> None:
        data = tempfile.TemporaryDirectory()
        self.addCleanup(data.cleanup)
        self.host = Host(plugins=PLUGINS, data=data.name, clock="2026-01-01T00:00:00Z", seed=1, deadline=60)
        self.addCleanup(self.host.close)

    def test_a_card_shows_its_face_when_it_is_touched(self) -> None:
        shown = self.host.did_receive(payload={"aps": {"category": "match_game", "alert": "A game?"}})
        touched = self.host.interact(notification=shown["notification"], element="card-0")
        cards = touched["view"]["children"][0]["children"]
        self.assertEqual([card["id"] for card in cards if card["faceUp"]], ["card-0"])

    def test_a_game_that_was_swiped_away_takes_no_touch(self) -> None:
        shown = self.host.did_receive(payload={"aps": {"category": "match_game", "alert": "A game?"}})
        self.host.dismiss(notification=shown["notification"])
        with self.assertRaises(NoPresentationError):
            self.host.interact(notification=shown["notification"], element="card-0")


if __name__ == "__main__":
    unittest.main()
