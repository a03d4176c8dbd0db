"""The steps of an onboarding, and which of them are done."""

from __future__ import annotations

import re
from typing import Dict, List, Set

from pushhost_extension import UserInfo


class Checklist:
    #: The maximum number of steps, because people do not read more.
    LIMIT = 12

    def __init__(self, steps: Dict[str, str], done: Set[str]) -> None:
        #: The steps' titles by their ids, in order.
        self.steps = steps
        self._done = done

    @classmethod
    def read(cls, user_info: UserInfo) -> Checklist:
        """Reads the key-value pairs; raises an error with the reason ``invalidUserInfo`` if one is invalid."""
        parts = user_info.string("steps").split(",")
        pairs = [re.fullmatch(r"\s*([A-Za-z0-9_-]{1,40})\s*=\s*(\S.*?)\s*", part) for part in parts]
        steps = {pair[1]: pair[2] for pair in pairs if pair}
        if len(steps) != len(parts) or len(parts) > cls.LIMIT:
            needed = (
                f"a string of 1 to {cls.LIMIT} steps such as photo=Add a photo with commas between them, each id once, "
                "an id of 1 to 40 characters of A-Z a-z 0-9 _ -"
            )
            raise user_info.wrong("steps", needed)
        completed = (user_info.optional_string("completed_steps") or "").split(",")
        return cls(steps, {step.strip() for step in completed})

    def mark(self, *steps: str) -> None:
        """Marks steps as done; steps of other checklists have no effect."""
        self._done.update(steps)

    def is_done(self, step: str) -> bool:
        return step in self._done

    @property
    def open(self) -> List[str]:
        """The steps that are not done."""
        return [step for step in self.steps if not self.is_done(step)]
