"""The fields of a profile: which of them the form has, and which values are valid."""

from __future__ import annotations

from datetime import date
from typing import List, Optional

from phone_number import phone_number
from pushhost_extension import UserInfo

#: The fields that a form can have, with Braze's names.
FIELDS = ("first_name", "last_name", "email", "phone", "dob")


def read_fields(user_info: UserInfo) -> List[str]:
    """The fields that the profile lacks; blank parts are skipped, so that a template may leave out a field."""
    names = [name.strip() for name in user_info.string("missing_fields").split(",")]
    fields = [name for name in names if name]
    if not set(fields) <= set(FIELDS) or len(set(fields)) < len(fields):
        needed = f"a string of fields with commas between them, each once, of {', '.join(FIELDS)}"
        raise user_info.wrong("missing_fields", needed)
    return fields


def value(field: str, text: str, today: date) -> Optional[str]:
    """The value to save for an entered text; None if the text is invalid.

    The host checks the rest when it saves: it knows Braze's rules for e-mail addresses, dates and lengths.
    """
    if field == "phone":
        return phone_number(text)
    if field == "dob" and not "1900-01-01" <= text <= today.isoformat():
        return None
    return text if text.isprintable() else None
