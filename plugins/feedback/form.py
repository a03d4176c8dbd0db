"""The fields that a user's profile lacks, and the values entered for them."""

from __future__ import annotations

from typing import Dict, List, Optional

from phone_number import phone_number
from pushhost_extension import ExtensionContext, ExtensionError, UserInfo


class Form:
    """The fields of the profile that the sender does not know yet."""

    FIELDS = ("first_name", "phone")

    def __init__(self) -> None:
        self.fields: List[str] = []
        #: The contents of the fields as entered.
        self.entered: Dict[str, str] = {}
        self._saved: Dict[str, str] = {}

    def ask(self, user_info: UserInfo) -> None:
        """Judges the key-value pairs: a field that one of them fills is not asked for."""
        self.fields = [field for field in self.FIELDS if not (user_info.optional_string(field) or "").strip()]

    def enter(self, field: str, text: str) -> None:
        self.entered[field] = text

    def value(self, field: str) -> Optional[str]:
        """The value to save for a field; None if the entered text is invalid."""
        text = self.entered.get(field, "").strip()
        if field == "phone":
            return phone_number(text)
        return text if text.isprintable() and 0 < len(text) <= 255 else None

    def is_wrong(self, field: str) -> bool:
        """Whether something was entered that cannot be saved."""
        return self.entered.get(field, "").strip() != "" and self.value(field) is None

    @property
    def can_be_saved(self) -> bool:
        """Whether there is something to save, and nothing wrong beside it."""
        return any(self.value(field) for field in self.fields) and not any(map(self.is_wrong, self.fields))

    def save(self, context: ExtensionContext) -> None:
        """Saves what was entered, each once however often it has to be tried."""
        if not self.can_be_saved:
            raise ExtensionError("nothingToSave", "SAVE needs a first name or a valid phone number; enter one")
        for field in self.fields:
            value = self.value(field)
            if value is not None and self._saved.get(field) != value:
                context.save_user_attribute(field, value)
                self._saved[field] = value
