#!/usr/bin/env python3
"""An onboarding checklist: its steps are ticked off in the notification."""

from __future__ import annotations

from typing import Any, Dict, Hashable, List, Optional, Set

from checklist import Checklist
from pushhost_extension import (
    DeliveredNotification,
    ExtensionContext,
    ExtensionError,
    Interaction,
    Node,
    NotificationAction,
    NotificationContentExtension,
    View,
    main,
)


class OnboardingChecklist(NotificationContentExtension):
    contract_version = "1.1"

    def __init__(self, context: ExtensionContext) -> None:
        super().__init__(context)
        self.checklist = Checklist({}, set())
        #: The key in the App Group under which the steps that this user ticked off are stored.
        self.key = ""
        self.saved: Set[Hashable] = set()

    def did_receive(self, notification: DeliveredNotification) -> None:
        user_info = notification.request.content.user_info
        checklist = Checklist.read(user_info)
        user = user_info.get("braze_id")
        key = "onboarding_steps" + (f".{user}" if isinstance(user, str) and user else "")
        checklist.mark(*self.stored(key))
        if key != self.key:
            self.saved.clear()
        self.checklist, self.key = checklist, key
        self.draw()

    def interact(self, interaction: Interaction) -> None:
        step = interaction.element.removeprefix("step-")
        if interaction.element != f"step-{step}" or step not in self.checklist.steps:
            message = f"the element {interaction.element} does nothing when touched; touch an open step"
            raise ExtensionError("notTouchable", message, "/params/element")
        if self.checklist.is_done(step):
            raise ExtensionError("stepIsDone", f"the step {step} is already done; touch an open one", "/params/element")
        self.tick(step)
        self.draw()

    def tick(self, step: str) -> None:
        """Saves that a step is done, and after the last step that the checklist is."""
        stored = self.stored(self.key)
        # Another notification of this user may have ticked it off.
        if step not in stored:
            self.save_once(("step", step), "Completed Onboarding Step", {"Step": step})
            if set(self.checklist.open) <= {step, *stored}:
                self.save_once(tuple(self.checklist.steps), "Completed Onboarding")
            self.context.store([*stored, step], self.key)
        self.checklist.mark(step, *stored)

    def save_once(self, label: Hashable, name: str, properties: Optional[Dict[str, Any]] = None) -> None:
        """Saves an event once, even if a touch that failed is repeated."""
        if label not in self.saved:
            self.context.save_custom_event(name, properties)
            self.saved.add(label)

    def stored(self, key: str) -> List[str]:
        steps = self.context.retrieve(key)
        return steps if isinstance(steps, list) else []

    # MARK: What is shown

    def draw(self) -> None:
        localized = self.context.localized
        total = len(self.checklist.steps)
        done = total - len(self.checklist.open)
        parts = [
            View.text(localized("CHECKLIST_COUNT", done, total), id="count", style="title"),
            View.progress(done, total, id="progress"),
            *(self.draw_step(step, title) for step, title in self.checklist.steps.items()),
        ]
        self.context.notification_actions = []
        if done == total:
            parts.append(View.text(localized("CHECKLIST_DONE"), id="done"))
            start = NotificationAction("START", localized("CHECKLIST_START"), {"foreground"})
            self.context.notification_actions = [start]
        self.context.view = View.stack(parts)

    def draw_step(self, step: str, title: str) -> Node:
        if self.checklist.is_done(step):
            return View.text(f"✓ {title}", id=f"step-{step}")
        return View.button(f"○ {title}", id=f"step-{step}")


main(OnboardingChecklist)
