#!/usr/bin/env python3
"""A question that is answered with a text, and then a form for the fields that the profile lacks."""

from __future__ import annotations

from typing import List, Optional

from form import Form
from pushhost_extension import (
    Completion,
    DEFAULT_ACTION_IDENTIFIER,
    DeliveredNotification,
    ExtensionContext,
    ExtensionError,
    Interaction,
    Node,
    NotificationAction,
    NotificationContent,
    NotificationContentExtension,
    NotificationContentExtensionResponseOption as Option,
    NotificationResponse,
    TextInput,
    View,
    main,
)


class Feedback(NotificationContentExtension):
    def __init__(self, context: ExtensionContext) -> None:
        super().__init__(context)
        self.content: Optional[NotificationContent] = None
        self.form = Form()
        self.is_given = False

    def did_receive(self, notification: DeliveredNotification) -> None:
        self.form.read(notification.request.content.user_info)
        self.content = notification.request.content
        self.draw()

    def did_receive_response(self, response: NotificationResponse, completion: Completion) -> None:
        action = response.action_identifier
        if action == "FEEDBACK":
            self.save_feedback((response.user_text or "").strip())
            completion(Option.DO_NOT_DISMISS)
        elif action == "SAVE":
            self.form.save(self.context)
            completion(Option.DISMISS)
        elif action == "CLOSE":
            completion(Option.DISMISS)
        elif action == DEFAULT_ACTION_IDENTIFIER:
            completion(Option.DISMISS_AND_FORWARD_ACTION)
        else:
            completion(Option.DO_NOT_DISMISS)

    def interact(self, interaction: Interaction) -> None:
        """Called when the editing of a field has ended, as on a phone; the save button is offered if all is valid."""
        if not self.is_given or interaction.element not in self.form.fields:
            raise ExtensionError(
                "notTouchable",
                f"the element {interaction.element} does nothing when touched; enter a text in a field",
                "/params/element",
            )
        if not isinstance(interaction.value, str):
            message = f"the value of {interaction.element} must be a string, it is {interaction.value!r}"
            raise ExtensionError("invalidValue", message, "/params/value")
        self.form.enter(interaction.element, interaction.value)
        self.draw()

    def save_feedback(self, text: str) -> None:
        if self.is_given:
            raise ExtensionError("alreadyGiven", "feedback was already given with this notification")
        if text == "":
            raise ExtensionError("emptyFeedback", "the feedback is empty; write something", "/params/userText")
        self.context.save_custom_event("Gave Feedback", {"Feedback": text})
        self.is_given = True
        self.draw()

    # MARK: What is shown

    def draw(self) -> None:
        assert self.content is not None
        localized = self.context.localized
        if not self.is_given:
            field = TextInput(localized("FEEDBACK_SEND"), localized("FEEDBACK_PLACEHOLDER"))
            self.context.notification_actions = [
                NotificationAction("FEEDBACK", localized("FEEDBACK_ACTION"), text_input=field)
            ]
            self.context.view = View.stack(
                [View.text(self.content.title, id="title"), View.text(self.content.body, id="body")]
            )
            return
        thanks = View.text(localized("FEEDBACK_THANKS"), id="thanks")
        self.context.view = View.stack([thanks, *self.draw_form()])
        close = NotificationAction("CLOSE", localized("FEEDBACK_CLOSE"))
        save = NotificationAction("SAVE", localized("PROFILE_SAVE"), {"authenticationRequired"})
        self.context.notification_actions = [save, close] if self.form.can_be_saved else [close]

    def draw_form(self) -> List[Node]:
        if not self.form.fields:
            return []
        localized = self.context.localized
        placeholders = {"first_name": localized("PROFILE_FIRST_NAME"), "phone": localized("PROFILE_PHONE")}
        nodes = [View.text(localized("PROFILE_ASK"), id="ask")]
        for field in self.form.fields:
            value = self.form.entered.get(field, "")
            nodes.append(View.field(id=field, value=value, placeholder=placeholders[field]))
        if self.form.is_wrong("phone"):
            nodes.append(View.text(localized("PROFILE_PHONE_HINT"), id="phone-hint"))
        return nodes


main(Feedback)
