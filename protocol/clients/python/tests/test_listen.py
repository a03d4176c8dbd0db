"""Notifications."""

import ast
import inspect
import re
import threading
import unittest
from itertools import permutations

from pushhost import DeadlineExceededError, Host, Listener, _async_methods, _methods
from pushhost.reasons import InvalidParamsError
from pushhost.types import NOTIFICATIONS, DidDismiss, OpenApplication
from support import PATIENCE, PAYLOAD, options


class ListenTests(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host(**options(self))
        self.addCleanup(self.host.close)
        self.notification = self.host.did_receive(payload=PAYLOAD)["notification"]

    def test_notifications_of_a_topic_arrive_in_order(self) -> None:
        with self.host.listen("viewDidChange") as heard:
            self.host.interact(notification=self.notification, element="tell", value=100)
            texts = [next(heard).params["view"]["children"][0]["text"] for _ in range(100)]
        self.assertEqual(texts, [str(number) for number in range(100)])

    def test_notifications_of_several_topics_arrive_in_order_with_their_names(self) -> None:
        heard: Listener[DidDismiss | OpenApplication]  # And no other, says mypy.
        with self.host.listen("didDismiss", "openApplication") as heard:
            self.host.did_receive_response(
                notification=self.notification, action_identifier="com.apple.UNNotificationDefaultActionIdentifier"
            )
            topics = {heard.next(PATIENCE).topic, heard.next(PATIENCE).topic}
        self.assertEqual(topics, {"didDismiss", "openApplication"})

    def test_listeners_of_one_or_two_topics_have_the_types_of_these_topics(self) -> None:
        for kind, methods in [("Listener", _methods), ("AsyncListener", _async_methods)]:
            types = {
                tuple(re.findall(r"Literal\['(.*?)'\]", ast.unparse(each.args))): ast.unparse(each.returns)
                for each in ast.walk(ast.parse(inspect.getsource(methods)))
                if isinstance(each, ast.FunctionDef) and each.name == "listen" and each.returns
            }
            for one in NOTIFICATIONS:
                self.assertEqual(types[(one,)], f"{kind}[{named(one)}]")
            for one, other in permutations(NOTIFICATIONS, 2):
                self.assertEqual(types[one, other], f"{kind}[{named(one)} | {named(other)}]")

    def test_listeners_subscribe_only_to_their_topics(self) -> None:
        self.host.subscribe(topics=["$/progress"])
        first = self.host.listen("viewDidChange", "$/log")
        second = self.host.listen("$/log")
        chosen = self.host.subscribe(topics=[])["topics"]
        self.assertEqual(sorted(chosen), ["$/log", "viewDidChange"])
        first.close()
        first.close()
        self.assertEqual(sorted(self.host.subscribe(topics=["didDismiss"])["topics"]), ["$/log", "didDismiss"])
        second.close()
        self.assertEqual(self.host.subscribe(topics=[])["topics"], [])

    def test_a_listener_without_topics_receives_the_topics_that_others_chose(self) -> None:
        everything = self.host.listen()
        self.host.subscribe(topics=["didDismiss"])
        self.host.dismiss(notification=self.notification)
        self.assertEqual(everything.next(PATIENCE).topic, "didDismiss")
        everything.close()

    def test_an_unknown_topic_is_refused_and_leaves_no_listener(self) -> None:
        with self.assertRaises(InvalidParamsError):
            self.host.listen("weather")  # type: ignore[call-overload]
        with self.host.listen("didDismiss"):
            self.assertEqual(self.host.subscribe(topics=[])["topics"], ["didDismiss"])

    def test_waiting_for_a_notification_may_have_a_deadline(self) -> None:
        with self.host.listen("didDismiss") as heard:
            with self.assertRaisesRegex(DeadlineExceededError, "a notification of didDismiss took longer"):
                heard.next(deadline=0.05)

    def test_the_end_of_the_host_ends_the_loop(self) -> None:
        heard = self.host.listen("didDismiss")
        self.host.dismiss(notification=self.notification)
        found: list[DidDismiss] = []
        thread = threading.Thread(target=lambda: found.extend(heard))
        thread.start()
        self.host.close()
        thread.join(PATIENCE)
        self.assertFalse(thread.is_alive())
        self.assertEqual([each.topic for each in found], ["didDismiss"])
        self.assertEqual(list(heard), [])


def named(topic: str) -> str:
    return NOTIFICATIONS[topic](topic, {}).__class__.__name__


if __name__ == "__main__":
    unittest.main()
