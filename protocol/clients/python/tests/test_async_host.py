"""The host for asyncio."""

import asyncio
import math
import os
import signal
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from pushhost import CONTRACT_VERSION, AsyncHost, DeadlineExceededError, HostEndedError, HostStartError, UnsendableError
from pushhost.reasons import InvalidParamsError, NoPresentationError
from support import PAYLOAD, options, said


class AsyncHostTests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        asyncio.get_running_loop().set_debug(False)  # It tells how long each step took.

    async def start(self, **more: Any) -> AsyncHost:
        host = await AsyncHost(**options(self, **more)).start()
        # Short, because a hanging extension would delay the end.
        self.addAsyncCleanup(host.close, grace=0.5)
        return host

    async def test_calls_answers_and_errors(self) -> None:
        host = await self.start()
        shown = await host.did_receive(payload=PAYLOAD)
        view = (await host.interact(notification=shown["notification"], element="echo", value="Grüße 😀"))["view"]
        self.assertEqual(said(view), "Grüße 😀")
        await host.dismiss(notification=shown["notification"])
        with self.assertRaises(NoPresentationError) as caught:
            await host.interact(notification=shown["notification"], element="echo")
        self.assertEqual(caught.exception.data["ended"], "dismissed by the client")
        with self.assertRaises(UnsendableError):
            await host.store(key="a", value=math.inf)
        self.assertEqual(await host.call("pending", {"limit": 1}), await host.pending(limit=1))
        self.assertEqual(await host.close(), 0)

    async def test_ten_thousand_calls_at_once_keep_their_order(self) -> None:
        host = await self.start()
        saved = await asyncio.gather(*(host.save_custom_event(name=f"Event {number}") for number in range(10_000)))
        self.assertEqual([each["id"] for each in saved], list(range(1, 10_001)))

    async def test_large_values_come_back_unchanged(self) -> None:
        host = await self.start()
        value = ["0123456789abcdef" * 4096] * 150
        await host.store(key="big", value=value)
        self.assertEqual((await host.retrieve(key="big"))["value"], value)

    async def test_a_cancelled_task_cancels_its_call(self) -> None:
        host = await self.start(arguments=["--call-deadline", "600000"])
        notification = (await host.did_receive(payload=PAYLOAD))["notification"]
        async with host.listen("$/log") as heard:
            task = asyncio.ensure_future(host.interact(notification=notification, element="hang"))
            async for event in heard:
                self.assertEqual(event.params["message"], "hangs")
                break
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        while (await host.status())["requestsInFlight"] > 0:
            pass  # For ever, where the host was not told.

    async def test_a_call_fails_after_its_deadline_and_is_cancelled_at_the_host(self) -> None:
        host = await self.start(arguments=["--call-deadline", "600000"])
        notification = (await host.did_receive(payload=PAYLOAD))["notification"]
        with self.assertRaisesRegex(DeadlineExceededError, "interact took longer than its deadline of 0.2 s"):
            await host.interact(notification=notification, element="hang", deadline=0.2)
        while (await host.status())["requestsInFlight"] > 0:
            pass  # For ever, where the host was not told.

    async def test_a_killed_host_fails_every_waiting_call_with_its_stderr(self) -> None:
        told = asyncio.Event()

        def log(line: str) -> None:
            if "the extension hangs" in line:
                told.set()

        host = await self.start(arguments=["--log-level", "info"], log=log)
        notification = (await host.did_receive(payload=PAYLOAD))["notification"]
        listener = host.listen("didDismiss")
        tasks = [asyncio.ensure_future(host.interact(notification=notification, element="hang")) for _ in range(50)]
        await told.wait()
        os.kill(host.pid, signal.SIGKILL)
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            self.assertIsInstance(outcome, HostEndedError)
            self.assertIn("interact: the host was ended by SIGKILL; its stderr ends:\n", str(outcome))
            self.assertIn("the extension hangs", str(outcome))
        with self.assertRaises(HostEndedError):
            await listener.__anext__()
        with self.assertRaises(HostEndedError):
            await host.ping()
        self.assertEqual(await host.close(), -signal.SIGKILL)

    async def test_notifications_arrive_in_order_and_end_with_the_host(self) -> None:
        host = await self.start()
        notification = (await host.did_receive(payload=PAYLOAD))["notification"]
        listener = host.listen("viewDidChange")
        await host.interact(notification=notification, element="tell", value=100)
        texts: list[str] = []
        async for event in listener:
            texts.append(event.params["view"]["children"][0]["text"])
            if len(texts) == 100:
                break
        self.assertEqual(texts, [str(number) for number in range(100)])
        rest = asyncio.ensure_future(collect(listener))
        await host.close()
        self.assertEqual(await rest, [])

    async def test_listeners_subscribe_only_to_their_topics(self) -> None:
        host = await self.start()
        first, second = host.listen("viewDidChange", "$/log"), host.listen("$/log")
        chosen = (await host.subscribe(topics=["didDismiss"]))["topics"]
        self.assertEqual(sorted(chosen), ["$/log", "didDismiss", "viewDidChange"])
        first.close()
        second.close()
        self.assertEqual((await host.subscribe(topics=[]))["topics"], [])
        with self.assertRaises(InvalidParamsError):
            async with host.listen("weather"):  # type: ignore[call-overload]
                pass

    async def test_a_host_that_cannot_be_started_is_reported_with_what_to_do(self) -> None:
        with self.assertRaisesRegex(HostStartError, "/nowhere/pushhost: No such file.*PUSHHOST"):
            await AsyncHost(program="/nowhere/pushhost").start()
        with self.assertRaisesRegex(HostEndedError, "ping: the host was not started"):
            await AsyncHost(program="/nowhere/pushhost").ping()

    async def test_a_host_that_could_not_be_started_can_be_closed_and_started_again(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "pushhost")
            host = AsyncHost(**options(self, program=str(program)))
            with self.assertRaises(HostStartError):
                await host.start()
            self.assertEqual(await host.close(), 0)
            program.symlink_to(os.environ["PUSHHOST"])
            first, second = await asyncio.gather(host.start(), host.start(), return_exceptions=True)
            self.assertEqual((first, type(second)), (host, RuntimeError))
            self.assertEqual(await host.ping(), {"version": CONTRACT_VERSION})
            self.assertEqual(await host.close(), 0)
        with self.assertRaisesRegex(RuntimeError, "already started"):
            await host.start()

    async def test_in_another_event_loop_each_method_says_so_at_once(self) -> None:
        host = await self.start()
        listener = host.listen("didDismiss")
        await host.ping()
        listener_without_topics = host.listen()

        async def elsewhere() -> list[Any]:
            waits = [host.ping(), host.close(), anext_of(listener), anext_of(listener_without_topics)]
            return await asyncio.gather(*waits, return_exceptions=True)

        errors = await asyncio.to_thread(asyncio.run, elsewhere())
        self.assertEqual([type(error) for error in errors], [RuntimeError] * 4)
        for error, what in zip(errors, ["ping", "close", "listen", "listen"]):
            self.assertRegex(str(error), f"^{what}: this host was started in another event loop; .* use Host, ")
        self.assertGreater(host.pid, 0)
        self.assertEqual(await host.ping(), {"version": CONTRACT_VERSION})

    async def test_a_program_that_is_not_a_host_is_reported(self) -> None:
        script = "input(); print('Welcome!', flush=True); input()"
        host = await self.start(program=sys.executable, plugins=(), data=None, arguments=["-c", script])
        with self.assertRaisesRegex(HostEndedError, "ping: the host wrote a line that is not JSON: Welcome!"):
            await host.ping()

    async def test_control_c_reaches_the_program_and_not_the_host(self) -> None:
        host = await self.start()
        self.assertNotEqual(os.getpgid(host.pid), os.getpgid(0))

    async def test_a_host_that_does_not_stop_is_killed(self) -> None:
        host = await self.start(
            program=sys.executable, plugins=(), data=None, arguments=["-c", "import signal; signal.pause()"]
        )
        self.assertEqual(await host.close(grace=0.1), -signal.SIGTERM)


async def anext_of(listener: Any) -> Any:
    return await listener.__anext__()


async def collect(listener: Any) -> list[Any]:
    return [each async for each in listener]


if __name__ == "__main__":
    unittest.main()
