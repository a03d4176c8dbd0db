"""Phone numbers as E.164 has them."""

from __future__ import annotations

import re
from typing import Optional


def phone_number(text: str) -> Optional[str]:
    """The number in the form of E.164, such as ``+4915123456789``; None where the text is no such number.

    People group digits: spaces, hyphens, dots and parentheses are left out. The recommendation allows 15 digits with
    the country code, and none of the numbers in use has less than 7.
    """
    digits = re.sub(r"[ \u00a0().-]", "", text)
    return digits if re.fullmatch(r"\+[1-9][0-9]{6,14}", digits) else None
