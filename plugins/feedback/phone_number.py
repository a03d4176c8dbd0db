"""Phone numbers in the format E.164."""

from __future__ import annotations

import re
from typing import Optional


def phone_number(text: str) -> Optional[str]:
    """The number in the format E.164, such as ``+4915123456789``; None if the text is not such a number.

    Spaces, hyphens, dots and parentheses are removed, because people group digits with them. E.164 allows 15 digits
    with the country code, and no number in use has fewer than 7.
    """
    digits = re.sub(r"[ \u00a0().-]", "", text)
    return digits if re.fullmatch(r"\+[1-9][0-9]{6,14}", digits) else None
