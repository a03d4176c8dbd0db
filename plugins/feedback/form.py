"""The fields that a user's profile lacks, and the values entered for them."""

from __future__ import annotations

from typing import Dict, List, Optional

from phone_number import phone_number
from pushhost_extension import ExtensionContext, ExtensionError, UserInfo


class Form:
    """The fields of the profile whose values the sender does not know."""

    FIELDS = ("first_name", "phone")

    def __init__(self) -> None:
        self.fields: List[str] = []
        #: The texts of the fields as entered.
        self.entered: Dict[str, str] = {}
        self._saved: Dict[str, str] = {}

    def read(self, user_info: UserInfo) -> None:
        """Reads the key-value pairs; the form has the fields that are absent or blank there."""
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
        """Whether there is something to save, and no field is invalid."""
        return any(self.value(field) for field in self.fields) and not any(map(self.is_wrong, self.fields))

    def save(self, context: ExtensionContext) -> None:
        """Saves the entered values; each is saved once, even if the press is repeated."""
        if not self.can_be_saved:
            raise ExtensionError("nothingToSave", "SAVE needs a first name or a valid phone number; enter one")
        for field in self.fields:
            value = self.value(field)
            if value is not None and self._saved.get(field) != value:
                context.save_user_attribute(field, value)
                self._saved[field] = value
