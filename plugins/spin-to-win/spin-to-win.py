#!/usr/bin/env python3
"""A wheel of discounts, with one spin for each presentation."""

from __future__ import annotations

from typing import Optional

from pushhost_extension import (
    DeliveredNotification,
    ExtensionContext,
    ExtensionError,
    Interaction,
    Node,
    NotificationAction,
    NotificationContent,
    NotificationContentExtension,
    View,
    main,
)
from wheel import Wheel


class SpinToWin(NotificationContentExtension):
    COLUMNS = 3

    def __init__(self, context: ExtensionContext) -> None:
        super().__init__(context)
        self.content: Optional[NotificationContent] = None
        self.wheel: Optional[Wheel] = None
        self.is_event_saved = False
        self.is_won = False

    def did_receive(self, notification: DeliveredNotification) -> None:
        content = notification.request.content
        wheel = Wheel.read(content.user_info)
        self.content = content
        # The drawn prize stays, whatever a later notification of the thread contains.
        if self.wheel is None or self.wheel.stop is None:
            self.wheel = wheel
        self.draw()

    def interact(self, interaction: Interaction) -> None:
        if interaction.element != "spin":
            raise ExtensionError(
                "notTouchable",
                f"the element {interaction.element} does nothing when touched; touch spin",
                "/params/element",
            )
        if self.is_won:
            raise ExtensionError("alreadySpun", "the wheel was already turned; a notification has one spin")
        self.spin()
        self.draw()

    def spin(self) -> None:
        """Turns the wheel and saves the discount, each once, even if a touch that failed is repeated."""
        assert self.wheel is not None
        discount = self.wheel.turn(self.context.random)
        if not self.is_event_saved:
            self.context.save_custom_event("Spun the Wheel", {"Discount": discount})
            self.is_event_saved = True
        self.context.save_custom_attribute("Wheel Discount", discount)
        self.is_won = True

    def draw(self) -> None:
        assert self.content is not None and self.wheel is not None
        localized = self.context.localized
        slices = [self.slice(place) for place in range(len(self.wheel.discounts))]
        parts = [
            View.text(self.content.title, id="title"),
            View.text(self.content.body, id="body"),
            View.grid(slices, columns=self.COLUMNS, id="wheel"),
        ]
        if self.is_won and self.wheel.stop is not None:
            discount = self.wheel.discounts[self.wheel.stop]
            self.context.view = View.stack([*parts, View.text(localized("SPIN_WON", discount), id="won")])
            redeem = NotificationAction("REDEEM", localized("SPIN_REDEEM"), {"foreground"})
            self.context.notification_actions = [redeem]
        else:
            self.context.view = View.stack([*parts, View.button(localized("SPIN_BUTTON"), id="spin")])

    def slice(self, place: int) -> Node:
        assert self.wheel is not None
        text = self.context.localized("SPIN_SLICE", self.wheel.discounts[place])
        return View.text(f"▶ {text}" if self.is_won and place == self.wheel.stop else text, id=f"slice-{place}")


main(SpinToWin)
