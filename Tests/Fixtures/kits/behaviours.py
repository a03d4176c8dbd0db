#!/usr/bin/env python3
"""An extension that uses every part of the kit, also incorrectly; each touch names the behaviour."""

print("a print while the module is loaded", flush=True)

import os
import subprocess
import sys
import threading
from datetime import datetime, timezone

from pushhost_extension import (
    ExtensionError,
    MediaButton,
    NotificationAction,
    NotificationContentExtension,
    TextInput,
    View,
    main,
)

print("a print before main", flush=True)

WAYS = ["once", "twice", "later", "never", "refusedAfterwards", "nonsense", "linked", "linkedNowhere"]


class Behaviours(NotificationContentExtension):
    contract_version = "1.2"

    def did_receive(self, notification):
        content = notification.request.content
        if content.title == "offered":
            self.context.notification_actions = self.context.notification_actions
            self.show(" ".join(action.identifier for action in self.context.notification_actions))
            return
        if content.title == "members":
            request = notification.request
            values = {**vars(content), **vars(request), "date": notification.date}
            self.show("\n".join(f"{name}={value}" for name, value in values.items()))
            return
        if content.title == "integer":
            self.show(str(content.user_info.integer("number", 1, 10)))
            return
        if content.title == "refuse":
            self.show("refused")
            raise ExtensionError("notToday", "not today")
        self.show("shown")
        field = TextInput("Send", "Text")
        self.context.notification_actions = [
            NotificationAction(way, way, {"foreground"}, field if way == "once" else None) for way in WAYS
        ]

    def interact(self, interaction):
        getattr(self, interaction.value)()

    def did_receive_response(self, response, completion):
        way = response.action_identifier
        self.show(f"{way} {response.user_text}" if response.user_text else way)
        if way.startswith("linked"):
            self.context.application_url = "https://example.com/a?b=c"
            completion("dismissAndForwardAction" if way == "linked" else "doNotDismiss")
        elif way == "asked":
            notification = response.notification
            self.show(f"{response.user_text} {notification.request.content.title} {notification.date}")
            completion("doNotDismiss")
        elif way == "once":
            completion("dismissAndForwardAction")
        elif way == "twice":
            completion("doNotDismiss")
            completion("dismiss")
        elif way == "later":
            threading.Thread(target=completion, args=("dismiss",)).start()
        elif way == "refusedAfterwards":
            completion("dismiss")
            raise ExtensionError("notNow", "not now")
        elif way == "nonsense":
            completion("nonsense")

    def media_play(self):
        self.show("plays")

    def did_dismiss(self):
        self.context.log("dismissed", "notice")
        raise ValueError("nobody is told")

    def show(self, text):
        self.context.view = View.stack([View.text(text, id="text"), View.field(id="way")])

    # MARK: Touches

    def prints(self):
        print("a print of the author's")
        os.write(1, b'{"jsonrpc":"2.0","id":1,"result":{"raw":"no line end"}}')
        sys.stdout.write("half a line")
        found = subprocess.run(["cat"], stdout=subprocess.PIPE).stdout.decode()
        subprocess.run(["echo", "a child's print"])
        self.show(f"read {found!r}")

    def fails(self):
        self.show("not shown")
        raise ValueError("boom")

    def refuses(self):
        self.context.notification_actions = []
        self.context.view["children"][0]["text"] = "not shown"
        raise ExtensionError("notNow", "not now", "/params/value")

    def changes(self):
        self.context.view["children"][0]["text"] = "changed inside"

    def random(self):
        self.show(" ".join(str(self.context.random.next()) for _ in range(5)))

    def time(self):
        times = [self.context.now.isoformat(timespec="milliseconds").replace("+00:00", "Z") for _ in range(2)]
        self.show(" ".join(times))

    def texts(self):
        keys = [("GREETING", "Ada"), ("ORDER", 1, 2), ("ONLY_ENGLISH",), ("ONLY_BASE",), ("NOWHERE",)]
        keys += [("GOALS", "Ada", number) for number in (0, 1, 2, 5, 1022, -1, "many")]
        self.show("|".join(self.context.localized(*key) for key in keys))

    def stores(self):
        self.context.store({"a": [1, None]}, "key")
        found = self.context.retrieve("key")
        self.context.remove_object("key")
        self.show(f"{found == {'a': [1, None]}} {self.context.retrieve('key') is None}")

    def guide(self):
        for key, element in [
            ("pending_custom_events", {"event_name": "Waved", "hand": "left"}),
            ("pending_custom_attributes", {"level": 2}),
            ("pending_user_attributes", {"email": "ada@example.com"}),
        ]:
            pending = self.context.retrieve(key)
            if pending is None:
                self.context.store([element], key)
            else:
                pending.append(element)
                self.context.store(pending, key)
        try:
            self.context.store([], "pending_custom_events")
        except ExtensionError as error:
            self.show(f"{error.reason} {error.path}")

    def saves(self):
        try:
            self.context.save_custom_event("", {"a": 1})
        except ExtensionError as error:
            self.show(f"{error.reason} {error.path}")
        self.context.save_custom_event("Saved", {"a": 1})
        self.context.save_custom_attribute("b", None)
        self.context.save_user_attribute("email", "ada@example.com")

    def saves_nan(self):
        self.context.save_custom_event("E", {"list": [1, {"a/b": float("nan")}]})

    def fails_to_save(self):
        self.context.save_user_attribute("shoe_size", 38)

    def saves_with_options(self):
        options = {"user": {"external_id": "grace"}, "idempotency_key": "once"}
        self.context.save_custom_event("Dated", time=datetime(2025, 1, 1, 1, tzinfo=timezone.utc), **options)
        self.context.save_custom_attribute("merged", {"a": 1}, True, user={"external_id": "grace"}, idempotency_key="c")
        self.context.save_user_attribute("email", None, user={"external_id": "grace"}, idempotency_key="u")

    def waits(self):
        with open("gate", "rb", buffering=0) as gate:
            gate.read(1)
        self.show("waited")

    def later(self):
        def show():
            with open("gate", "rb", buffering=0) as gate:
                gate.read(1)
            self.show("shown later")
            self.context.notification_actions = []
            self.context.save_custom_event("Later")
            self.context.log("later")

        threading.Thread(target=show).start()

    def appearance(self):
        self.context.title = "A title"
        self.context.media = MediaButton("overlay", (1, 2, 3, 4), "#ff0000", False)

    def remarks(self):
        self.context.add_diagnostic("pageLeftOut", "page 2 has no image")

    def remarks_and_refuses(self):
        self.context.add_diagnostic("forgotten", "the error says it all")
        raise ExtensionError("notNow", "not now")

    def nodes(self):
        text = View.text("Heading", style="title", alignment="center", color="#ff0000", is_bold=True)
        image = View.image("https://example.com/a.png", alt="A cat")
        row = View.row(
            [View.button("Back", id="back", color="#ffffff", is_bold=True, background="#0000ff"), View.text("plain")],
            id="row",
            background={"light": "#ffffff", "dark": "#000000"},
        )
        grid = View.grid([View.card(id="card", face="A", is_matched=True)], columns=2, background="#111111")
        progress = View.progress(1, 2, color="#00ff00")
        field = View.field(id="field", value="v", placeholder="p")
        film = View.media("a.mp4", kind="video", state="paused", time=1.5, duration=3.5, id="film", alt="A dance")
        place = {"title": "Here", "latitude": 1.5, "longitude": 2.5}
        chart = View.map(1.5, -2.5, span={"latitude": 0.5, "longitude": 0.25}, annotations=[place])
        rest = View.stack([grid, field, progress, film, chart], background="#222222")
        self.context.view = View.carousel([text, image, row, rest], id="pages", page=2, background="#333333")

    def number(self):
        self.show(2**64)

    def not_a_number(self):
        self.context.view = View.progress(float("nan"), 1)

    def half(self):
        self.show("\ud800")

    def no_view(self):
        self.context.view = "text"

    def logs(self):
        self.context.log("a line", "warning")

    def started(self):
        self.context.media_playing_started()

    def paused(self):
        self.context.media_playing_paused()

    def no_media(self):
        self.context.media = MediaButton("none")

    def opens(self):
        self.context.perform_notification_default_action("myapp://home")

    def opens_nowhere(self):
        self.context.perform_notification_default_action("nowhere")

    def ends(self):
        self.context.dismiss_notification_content_extension()


main(Behaviours, completion_limit=0.5)
