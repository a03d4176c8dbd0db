#!/usr/bin/env python3
"""A form for the fields that a user's profile lacks; each field is saved when it is valid."""

from __future__ import annotations

from typing import Dict, List, Set

from fields import read_fields, value
from pushhost_extension import (
    DeliveredNotification,
    ExtensionContext,
    ExtensionError,
    Interaction,
    Node,
    NotificationContentExtension,
    View,
    main,
)


class CompleteProfile(NotificationContentExtension):
    contract_version = "1.1"

    def __init__(self, context: ExtensionContext) -> None:
        super().__init__(context)
        self.fields: List[str] = []
        self.reset("")

    def reset(self, key: str) -> None:
        """Starts an empty form for another user."""
        #: The key in the App Group that says whether this user's profile was completed.
        self.key = key
        #: The texts of the fields as entered.
        self.entered: Dict[str, str] = {}
        self.wrong: Set[str] = set()
        self.saved: Dict[str, str] = {}
        self.is_event_saved = False

    def did_receive(self, notification: DeliveredNotification) -> None:
        user_info = notification.request.content.user_info
        self.fields = read_fields(user_info)
        user = user_info.get("braze_id")
        key = "profile_completed" + (f".{user}" if isinstance(user, str) and user else "")
        if key != self.key:
            self.reset(key)
        self.draw()

    def interact(self, interaction: Interaction) -> None:
        """Called when the editing of a field has ended, as on a phone."""
        field, text = interaction.element, interaction.value
        if field not in self.fields:
            message = f"the element {field} does nothing when touched; enter a text in a field"
            raise ExtensionError("notTouchable", message, "/params/element")
        if not isinstance(text, str):
            found = "is missing" if text is None else f"is {text!r}"
            raise ExtensionError("invalidValue", f"the value of {field} must be a string, it {found}", "/params/value")
        is_valid = text.strip() == "" or self.save(field, text.strip())
        self.entered[field] = text
        (self.wrong.discard if is_valid else self.wrong.add)(field)
        self.save_completion()
        self.draw()

    def save(self, field: str, text: str) -> bool:
        """Saves the entered text if it is valid, and returns whether it is; the same value is saved once."""
        entered = value(field, text, self.context.now.date())
        if entered is None:
            return False
        if self.saved.get(field) != entered:
            try:
                self.context.save_user_attribute(field, entered)
            except ExtensionError as refusal:
                if refusal.reason != "invalidRecord":
                    raise
                return False
            self.saved[field] = entered
        return True

    def save_completion(self) -> None:
        """Saves that the profile is complete, once for each user, even if a touch that failed is repeated."""
        is_complete = all(field in self.saved for field in self.fields)
        if not is_complete or self.context.retrieve(self.key):
            return
        if not self.is_event_saved:
            self.context.save_custom_event("Completed Profile")
            self.is_event_saved = True
        self.context.store(True, self.key)

    # MARK: What is shown

    def draw(self) -> None:
        localized = self.context.localized
        done = sum(field in self.saved for field in self.fields)
        total = len(self.fields)
        is_thanked = done == total and not self.wrong.intersection(self.fields)
        count = localized("PROFILE_COMPLETE") if is_thanked else localized("PROFILE_COUNT", done, total)
        parts = [View.text(count, id="count", style="title"), View.progress(done, total, id="progress")]
        self.context.view = View.stack([*parts, *map(self.draw_field, self.fields)])

    def draw_field(self, field: str) -> Node:
        localized = self.context.localized
        placeholder = localized(f"FIELD_{field.upper()}")
        parts = [View.field(id=field, value=self.entered.get(field, ""), placeholder=placeholder)]
        if field in self.wrong:
            parts.append(View.text(localized(f"HINT_{field.upper()}"), id=f"{field}-hint", style="caption"))
        elif field in self.saved:
            parts.append(View.text("✓", id=f"{field}-saved"))
        return View.row(parts)


main(CompleteProfile)
