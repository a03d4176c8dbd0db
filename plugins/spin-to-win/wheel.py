"""The wheel: which discounts it has and where it stops."""

from __future__ import annotations

import re
from typing import List, Optional

from pushhost_extension import PresentationRandom, UserInfo


class Wheel:
    """A wheel with a discount in percent on each slice, which is turned once."""

    #: The maximum number of slices, because people cannot read more.
    LIMIT = 12

    def __init__(self, discounts: List[int]) -> None:
        self.discounts = discounts
        #: The index of the slice at which it stopped; None until it is turned.
        self.stop: Optional[int] = None

    @classmethod
    def read(cls, user_info: UserInfo) -> Wheel:
        """Reads the key-value pair; raises an error with the reason ``invalidUserInfo`` if it is invalid."""
        texts = [text.strip() for text in user_info.string("discounts").split(",")]
        is_number = all(re.fullmatch("[0-9]{1,3}", text) and 1 <= int(text) <= 100 for text in texts)
        if not is_number or not 2 <= len(texts) <= cls.LIMIT:
            needed = f"a string of 2 to {cls.LIMIT} percentages from 1 to 100 with commas between them"
            raise user_info.wrong("discounts", needed)
        return cls([int(text) for text in texts])

    def turn(self, random: PresentationRandom) -> int:
        """Turns the wheel and returns the discount; a second turn returns the same one."""
        if self.stop is None:
            self.stop = random.below(len(self.discounts))
        return self.discounts[self.stop]
