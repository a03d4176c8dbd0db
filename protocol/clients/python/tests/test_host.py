"""Calls, errors, deadlines and cancellation of the host for threads."""

import contextlib
import io
import math
import os
import subprocess
import sys
import unittest
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pushhost import ABSENT, CONTRACT_VERSION, CallError, DeadlineExceededError, Host, UnsendableError
from pushhost.reasons import (
    ExtensionExitedError,
    LineTooLongError,
    MethodNotFoundError,
    MissingParamError,
    StoppingError,
    UnknownNotificationError,
    UnknownParamError,
)
from support import PAYLOAD, PLUGINS, options, said, wrapped


class HostTests(unittest.TestCase):
    def start(self, **more: Any) -> Host:
        host = Host(**options(self, **more))
        # Short, because a hanging extension would delay the end.
        self.addCleanup(host.close, grace=0.5)
        return host

    def test_calls_have_names_and_types_of_the_contract(self) -> None:
        host = self.start()
        self.assertEqual(host.ping()["version"], CONTRACT_VERSION)
        shown = host.did_receive(payload=PAYLOAD, identifier="one", locale="de")
        self.assertEqual(shown["extension"], "com.example.clients.echo")
        self.assertEqual(
            [each["notification"] for each in host.notifications()["notifications"]], [shown["notification"]]
        )
        self.assertEqual(host.dismiss(notification=shown["notification"]), {"dismissed": True})
        self.assertEqual(host.save_custom_event(name="Seen", properties={"n": 1}), {"id": 1})
        self.assertEqual(host.pending(kind="customEvent")["records"][0]["name"], "Seen")
        self.assertEqual(host.rpc_discover()["info"]["version"], CONTRACT_VERSION)
        self.assertEqual(host.cancel_request(id=77), {"cancelled": False})
        self.assertEqual(host.call("status")["requestsInFlight"], host.status()["requestsInFlight"])
        host.shutdown()
        self.assertEqual(host.close(), 0)

    def test_a_banner_runs_its_extension_only_once_it_is_expanded(self) -> None:
        host = self.start()
        tap = "com.apple.UNNotificationDefaultActionIdentifier"
        banner = host.did_receive(payload=PAYLOAD, expand=False)
        self.assertIs(banner["expanded"], False)
        response = host.did_receive_response(notification=banner["notification"], action_identifier=tap)
        self.assertEqual((response["option"], response["forwarded"]), ("dismissAndForward", True))
        self.assertEqual([each["starts"] for each in host.extensions()["extensions"]], [0])
        self.assertEqual(host.pending()["records"], [])
        banner = host.did_receive(payload=PAYLOAD, expand=False)
        shown = host.expand(notification=banner["notification"])
        self.assertEqual(len(shown["view"]["children"]), 4)
        self.assertEqual([each["starts"] for each in host.extensions()["extensions"]], [1])

    def test_none_leaves_an_argument_out_unless_null_is_a_value_and_absent_always_does(self) -> None:
        host = self.start()
        shown = host.did_receive(payload=PAYLOAD, identifier=None)
        notification = shown["notification"]
        values: list[Any] = [None, 1, 1.0, True, "", [], {"a": None}]
        for value in values:
            view = host.interact(notification=notification, element="echo", value=value)["view"]
            self.assertEqual(repr(said(view)), repr(value))
        view = host.interact(notification=notification, element="echo", value=ABSENT)["view"]
        self.assertIsNone(said(view))
        host.store(key="null", value=None)
        self.assertEqual(host.retrieve(key="null"), {"value": None})

    def test_each_reason_has_an_error_class_and_a_path(self) -> None:
        host = self.start()
        with self.assertRaises(UnknownNotificationError) as caught:
            host.dismiss(notification="nobody")
        error = caught.exception
        self.assertIsInstance(error, CallError)
        self.assertEqual((error.code, error.reason, error.path), (110, "unknownNotification", "/params/notification"))
        self.assertEqual((error.method, error.data["reason"]), ("dismiss", "unknownNotification"))
        self.assertIn("nobody", str(error))
        with self.assertRaises(MissingParamError):
            host.call("store", {"key": "a"})
        with self.assertRaises(UnknownParamError) as unknown:
            host.call("ping", {"echo": 1})
        self.assertEqual(unknown.exception.path, "/params/echo")
        with self.assertRaisesRegex(MethodNotFoundError, f"has version {CONTRACT_VERSION} of the contract"):
            host.call("nothing")

    def test_the_text_of_an_error_ends_with_the_stderr_of_the_extension(self) -> None:
        host = self.start()
        notification = host.did_receive(payload=PAYLOAD)["notification"]
        with self.assertRaises(ExtensionExitedError) as caught:
            host.interact(notification=notification, element="exit")
        self.assertTrue(str(caught.exception).endswith("; the extension's stderr ends:\nthe extension leaves"))
        with self.assertRaises(UnknownNotificationError) as other:
            host.dismiss(notification="nobody")
        self.assertNotIn("stderr", str(other.exception))

    def test_texts_of_all_kinds_come_back_unchanged(self) -> None:
        host = self.start()
        text = 'Grüße \U0001f600 \u2028\u2029 \x00\x7f \ufeff "\\/\n\r 漢字'
        host.store(key="text 😀", value={text: [text]} if "\0" not in text else [text])
        self.assertEqual(host.retrieve(key="text 😀")["value"], [text])
        notification = host.did_receive(payload={"aps": {"category": "echo", "alert": text.replace("\0", "")}})
        view = host.interact(notification=notification["notification"], element="echo", value=text)["view"]
        self.assertEqual(said(view), text)

    def test_large_values_come_back_unchanged(self) -> None:
        host = self.start()
        value = ["0123456789abcdef" * 4096] * 150
        host.store(key="big", value=value)
        self.assertEqual(host.retrieve(key="big")["value"], value)

    def test_values_that_the_host_cannot_read_are_not_sent(self) -> None:
        host = self.start()
        deep: Any = 1
        for _ in range(3000):
            deep = [deep]
        for value, where in [
            ({"a": [math.nan]}, "/params/value/a/0 is nan"),
            (2**63, "needs more than 64 bits"),
            ("\ud800", "half of a surrogate pair"),
            ({"a\0": 1}, "U+0000"),
            (b"bytes", "/params/value is bytes"),
            ({1, 2}, "/params/value is set"),
            (datetime(2026, 1, 1), "value is datetime, which is not a JSON type; pass .astimezone().isoformat()"),
            ([datetime.now(UTC)], "value/0 is datetime, which is not a JSON type; pass .isoformat()"),
            ({"day": date(2026, 1, 1)}, "value/day is date, which is not a JSON type; pass .isoformat()"),
            (deep, "nests deeper"),
        ]:
            with self.assertRaises(UnsendableError) as caught:
                host.store(key="a", value=value)
            self.assertIn(where, str(caught.exception))
        host.store(key="a", value=[2**63 - 1, -(2**63), "1234567890123456789012", "\0"])
        self.assertEqual(host.retrieve(key="a")["value"][0], 2**63 - 1)

    def test_a_line_that_is_too_long_is_not_sent_and_does_not_affect_other_calls(self) -> None:
        for limit, arguments in [
            (16 << 20, []),
            (100_000, ["--line-limit", "100000"]),
            (200_000, ["--line-limit", "9", "--line-limit=200000"]),
        ]:
            host = self.start(arguments=arguments)
            with ThreadPoolExecutor(16) as pool:
                calls = [pool.submit(host.save_custom_event, name="before") for _ in range(50)]
                with self.assertRaisesRegex(UnsendableError, f"bytes; the host accepts at most {limit}$"):
                    host.store(key="a", value="é" * (limit // 2))
                calls += [pool.submit(host.save_custom_event, name="after") for _ in range(50)]
                self.assertEqual(sorted(call.result()["id"] for call in calls), list(range(1, 101)))
            room = limit - len('{"jsonrpc":"2.0","id":102,"method":"store","params":{"key":"a","value":""}}')
            self.assertEqual(host.store(key="a", value="x" * room), {"stored": True})
            with self.assertRaises(UnsendableError):
                host.store(key="a", value="x" * (room + 1))

    def test_member_names_must_be_strings(self) -> None:
        host = self.start()
        odd: list[Any] = [{1: "a", "1": "b"}, {"a": [{None: 1}]}, [MappingProxyType({True: 1})], {1.5: 1}]
        for value in odd:
            with self.assertRaisesRegex(UnsendableError, "has a member .*, whose name is .*, not a string"):
                host.store(key="a", value=value)
        self.assertEqual(host.store(key="a", value=MappingProxyType({"a": ({"b": 1},)})), {"stored": True})

    def test_an_error_without_an_id_fails_only_the_call_that_it_is_about(self) -> None:
        # The client does not know this limit.
        program = wrapped(self, 'exec "$PUSHHOST" --line-limit 100000 "$@"')
        host = self.start(program=program, arguments=["--call-deadline", "600000"])
        notification = host.did_receive(payload=PAYLOAD)["notification"]
        with ThreadPoolExecutor(16) as pool:
            hanging = pool.submit(host.interact, notification=notification, element="hang")
            calls = [pool.submit(host.save_custom_event, name="before") for _ in range(50)]
            big = [pool.submit(host.store, key="a", value="x" * 200_000) for _ in range(2)]
            calls += [pool.submit(host.save_custom_event, name="after") for _ in range(50)]
            for call in big:
                with self.assertRaises(LineTooLongError) as caught:
                    call.result()
                self.assertEqual(caught.exception.method, "store")
            self.assertEqual(sorted(call.result()["id"] for call in calls), list(range(1, 101)))
            self.assertFalse(hanging.done())
            host.close(grace=0.1)
            with self.assertRaises(StoppingError):
                hanging.result()

    def test_threads_share_a_host(self) -> None:
        host = self.start()

        def work(thread: int) -> int:
            for number in range(100):
                key = f"{thread}/{number}"
                host.store(key=key, value=[thread, number])
                if host.retrieve(key=key)["value"] != [thread, number]:
                    return 1
            return 0

        with ThreadPoolExecutor(16) as pool:
            self.assertEqual(sum(pool.map(work, range(16))), 0)

    def test_a_call_fails_after_its_deadline_and_is_cancelled_at_the_host(self) -> None:
        host = self.start(arguments=["--call-deadline", "600000"])
        notification = host.did_receive(payload=PAYLOAD)["notification"]
        with self.assertRaises(DeadlineExceededError) as caught:
            host.interact(notification=notification, element="hang", deadline=0.2)
        self.assertIsInstance(caught.exception, TimeoutError)
        self.assertEqual(str(caught.exception), "interact took longer than its deadline of 0.2 s")
        while host.status()["requestsInFlight"] > 0:
            pass  # For ever, where the host was not told.

    def test_the_default_deadline_applies_to_all_calls(self) -> None:
        host = self.start(deadline=0.5)
        notification = host.did_receive(payload=PAYLOAD, deadline=math.inf)["notification"]
        with self.assertRaises(DeadlineExceededError):
            host.interact(notification=notification, element="hang")
        for wrong in [0, -1, math.nan, True, "1"]:
            with self.assertRaises(ValueError):
                host.ping(deadline=wrong)  # type: ignore[arg-type]

    def test_calls_in_flight_are_finished_at_the_end(self) -> None:
        # The host reads nothing until its input ends, so close() finds every call in flight.
        how = options(self)
        kept = Path(how["data"]) / "kept"
        program = wrapped(self, f'cat > "{kept}"; exec "$PUSHHOST" "$@" < "{kept}"')
        host = Host(program=program, **how)
        with ThreadPoolExecutor(16) as pool:
            calls = [pool.submit(host.store, key=f"{number}", value=number) for number in range(16)]
            while not kept.exists() or kept.read_bytes().count(b"\n") < len(calls):
                pass
            self.assertEqual(host.close(), 0)
            self.assertEqual([call.result() for call in calls], [{"stored": True}] * len(calls))

    def test_the_log_goes_to_the_chosen_callback(self) -> None:
        lines: list[str] = []
        host = self.start(arguments=["--log-level", "info"], log=lines.append)
        notification = host.did_receive(payload=PAYLOAD)["notification"]
        with self.assertRaises(DeadlineExceededError):
            host.interact(notification=notification, element="hang", deadline=0.2)
        host.close(grace=0.5)
        self.assertTrue(any("the extension hangs" in line for line in lines), lines)
        self.assertIn("the extension hangs", host.stderr)

    def test_a_log_callback_that_fails_is_reported_once_and_dropped(self) -> None:
        hosts: list[Host] = []

        def fail(line: str) -> None:
            raise ValueError("my mistake")

        logs: list[tuple[Callable[[str], Any], str]] = [
            (fail, "ValueError: my mistake"),
            # The call would wait for itself.
            (lambda line: hosts[-1].ping(), "RuntimeError: the log callback must not call the host"),
        ]
        for log, text in logs:
            told = io.StringIO()
            with contextlib.redirect_stderr(told):
                host = self.start(arguments=["--log-level", "info"], log=log)
                hosts.append(host)
                notification = host.did_receive(payload=PAYLOAD)["notification"]
                for _ in range(3):
                    with self.assertRaises(ExtensionExitedError):
                        host.interact(notification=notification, element="exit")
                    notification = host.did_receive(payload=PAYLOAD)["notification"]
                self.assertEqual(host.close(), 0)
            self.assertEqual(told.getvalue().count("the log callback failed and gets no more lines:\n"), 1)
            self.assertTrue(told.getvalue().rstrip().splitlines()[-1].startswith(text), told.getvalue())
            self.assertIn("the extension leaves", host.stderr)

    def test_a_closed_stderr_does_not_affect_calls(self) -> None:
        script = """if True:
            import sys
            from pushhost import Host
            with Host(plugins=sys.argv[1], data=sys.argv[2], arguments=["--log-level", "info"]) as host:
                for _ in range(3):
                    shown = host.did_receive(payload={"aps": {"category": "echo", "alert": "Hello"}})
                    try:
                        host.interact(notification=shown["notification"], element="exit")
                    except Exception as error:
                        print(type(error).__name__, flush=True)
            print(host.close(), "the extension leaves" in host.stderr)
        """
        how = options(self)
        words: list[str] = [sys.executable, "-c", script, str(how["plugins"]), how["data"]]
        read, write = os.pipe()
        os.close(read)
        self.addCleanup(os.close, write)
        for command in [words, ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", *words]]:
            with self.subTest(command[0]):
                process = subprocess.run(command, stdout=subprocess.PIPE, stderr=write, text=True)
                self.assertEqual(process.stdout, "ExtensionExitedError\n" * 3 + "0 True\n")

    def test_folders_may_be_paths_or_strings(self) -> None:
        for plugins in [PLUGINS, str(PLUGINS), [PLUGINS / "echo"], [Path(PLUGINS)]]:
            host = self.start(plugins=plugins)
            self.assertEqual(len(host.extensions()["extensions"]), 1)
            host.close()


if __name__ == "__main__":
    unittest.main()
