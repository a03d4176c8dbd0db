"""Saves that survive their host: it is killed while it saves many records, and each is stored once."""

import asyncio
import os
import signal
import threading
import unittest
from collections import Counter
from pathlib import Path
from typing import Any
from unittest import mock

from pushhost import AsyncHost, DeadlineExceededError, Host, HostEndedError
from pushhost.reasons import IdempotencyKeyReusedError, UnknownNotificationError
from support import PATIENCE, PAYLOAD, options, wrapped

COUNT = 4_000


def params(number: int) -> dict[str, Any]:
    return {"name": f"event {number}", "properties": {"number": number}}


class RepeatTests(unittest.TestCase):
    def names(self, host: Host) -> list[str]:
        names: list[str] = []
        after = 0
        while True:
            records = host.pending(after=after)["records"]
            if not records:
                return names
            names += [record["name"] for record in records]
            after = records[-1]["id"]

    def test_threads_that_save_one_by_one_do_not_notice_a_restart(self) -> None:
        with Host(**options(self, restart=True)) as host:
            failures: list[BaseException] = []
            saved = threading.Semaphore(0)

            def save(thread: int) -> None:
                try:
                    for number in range(25):
                        host.save_custom_event(name=f"{thread} {number}")
                        saved.release()
                except BaseException as error:
                    failures.append(error)
                    saved.release(400)

            threads = [threading.Thread(target=save, args=(thread,)) for thread in range(16)]
            for thread in threads:
                thread.start()
            for _ in range(3):
                # More than one for each thread, so that the newest host has saved some.
                for _ in range(50):
                    self.assertTrue(saved.acquire(timeout=PATIENCE))
                os.kill(host.pid, signal.SIGKILL)
            for thread in threads:
                thread.join(PATIENCE)
            self.assertEqual(failures, [])
            expected = Counter(f"{thread} {number}" for thread in range(16) for number in range(25))
            self.assertEqual(Counter(self.names(host)), expected)

    def test_a_save_starts_a_killed_host_again(self) -> None:
        with Host(**options(self, restart=True)) as host:
            first = host.save_custom_event(name="before")
            notification = host.did_receive(payload=PAYLOAD)["notification"]
            with host.listen("didDismiss") as heard:
                os.kill(host.pid, signal.SIGKILL)
                with self.assertRaises(HostEndedError):
                    heard.next(PATIENCE)
            with self.assertRaises(HostEndedError):
                host.ping()
            self.assertEqual(host.save_custom_event(name="after"), {"id": first["id"] + 1})
            host.ping()
            with self.assertRaises(UnknownNotificationError):
                host.interact(notification=notification, element="echo")

    def test_the_callers_key_is_sent_unchanged(self) -> None:
        with Host(**options(self, restart=True)) as host:
            saved = host.save_custom_event(name="a", idempotency_key="mine")
            self.assertEqual(saved, {"id": 1})
            again = host.save_custom_event(name="a", idempotency_key="mine")
            self.assertEqual(again, {"id": 1, "repeated": True})
            with self.assertRaises(IdempotencyKeyReusedError) as caught:
                host.save_custom_event(name="b", idempotency_key="mine")
            self.assertEqual(caught.exception.path, "/params/idempotencyKey")

    def test_equal_saves_are_different_saves(self) -> None:
        with Host(**options(self, restart=True)) as host:
            self.assertEqual([host.save_custom_event(name="a")["id"] for _ in range(3)], [1, 2, 3])

    def test_without_restart_a_killed_host_is_not_started_again_and_saves_have_no_key(self) -> None:
        host = Host(**options(self))
        self.assertEqual(host.save_custom_event(name="a"), {"id": 1})
        os.kill(host.pid, signal.SIGKILL)
        for _ in range(2):
            with self.assertRaises(HostEndedError):
                host.save_custom_event(name="a")
        self.assertEqual(host.close(), -signal.SIGKILL)

    def test_the_next_host_does_not_record_over_the_recording_of_the_one_that_died(self) -> None:
        how = options(self, restart=True)
        log = Path(how["data"]) / "arguments"
        program = wrapped(self, f'echo "$@" >> "{log}"; exec "$PUSHHOST" "$@"')
        for arguments in ["--record", f"{log}.first"], [f"--record={log}.second"]:
            with Host(program=program, arguments=arguments, **how) as host:
                host.save_custom_event(name="before")
                os.kill(host.pid, signal.SIGKILL)
                host.save_custom_event(name="after")
            first, second = log.read_text().splitlines()
            log.unlink()
            self.assertEqual(first, f"{second} {' '.join(arguments)}")

    def test_a_host_that_answers_nothing_is_started_three_times(self) -> None:
        how = options(self, restart=True)
        log = Path(how["data"]) / "starts"
        program = wrapped(self, f'echo >> "{log}"; read line; kill -9 $$')
        host = Host(**{**how, "plugins": (), "program": program})
        for _ in range(2):
            with self.assertRaises(HostEndedError):
                host.save_custom_event(name="a")
        host.close()
        self.assertEqual(log.read_text(), "\n" * 3)

    def test_a_host_that_was_killed_before_its_first_answer_is_started_again(self) -> None:
        with Host(**options(self, restart=True)) as host:
            os.kill(host.pid, signal.SIGKILL)
            self.assertEqual(host.save_custom_event(name="a"), {"id": 1})

    def test_the_next_host_starts_in_the_folder_of_the_first_one(self) -> None:
        self.addCleanup(os.chdir, os.getcwd())
        how = options(self, restart=True)
        folders = [Path(how["data"]) / name for name in ("first", "second")]
        for folder in folders:
            folder.mkdir(parents=True)
        log = Path(how["data"]) / "places"
        self.addCleanup(os.environ.pop, "PLACE", None)
        os.environ["PLACE"] = "first"
        os.chdir(folders[0])
        program = wrapped(self, f'echo "$PWD $PLACE" >> "{log}"; exec "$PUSHHOST" "$@"')
        with Host(**{**how, "data": "data", "program": program}) as host:
            self.assertEqual(host.save_custom_event(name="before"), {"id": 1})
            os.chdir(folders[1])
            os.environ["PLACE"] = "second"
            os.kill(host.pid, signal.SIGKILL)
            self.assertEqual(host.save_custom_event(name="after"), {"id": 2})
        first, second = log.read_text().splitlines()
        self.assertEqual(first, second)

    def test_a_save_that_was_cancelled_is_not_sent_again(self) -> None:
        program = wrapped(self, "read save; read cancel; kill -9 $$")
        host = Host(**{**options(self, restart=True), "plugins": (), "program": program})
        with self.assertRaises(DeadlineExceededError):
            host.save_custom_event(name="a", deadline=0.05)
        self.assertFalse(host._session.has_repeats)
        self.assertEqual(host.close(), -signal.SIGKILL)

    def test_a_thread_that_cannot_be_started_ends_the_host(self) -> None:
        host = Host(**options(self, restart=True))
        host.ping()
        os.kill(host.pid, signal.SIGKILL)
        with self.assertRaises(HostEndedError):
            while True:
                host.ping()
        with mock.patch("threading.Thread.start", side_effect=RuntimeError("can't start new thread")):
            with self.assertRaisesRegex(HostEndedError, "can't start new thread"):
                host.save_custom_event(name="a", deadline=PATIENCE)
        host.close()

    def test_a_host_that_was_asked_to_stop_is_not_started_again(self) -> None:
        host = Host(**options(self, restart=True))
        host.ping()
        os.kill(host.pid, signal.SIGTERM)
        while True:
            try:
                host.ping()
            except HostEndedError:
                break
            except Exception:  # It is stopping.
                continue
        with self.assertRaises(HostEndedError):
            host.save_custom_event(name="a")
        host.close()

    def test_a_failed_restart_is_reported(self) -> None:
        program = wrapped(self, 'exec "$PUSHHOST" "$@"')
        host = Host(program=program, **options(self, restart=True))
        host.ping()
        os.remove(program)
        os.kill(host.pid, signal.SIGKILL)
        with self.assertRaisesRegex(HostEndedError, "SIGKILL; the host cannot be started from"):
            while True:
                host.save_custom_event(name="a")
        host.close()


class AsyncRepeatTests(unittest.IsolatedAsyncioTestCase):
    async def test_each_save_is_stored_once_even_if_the_host_is_killed_in_between(self) -> None:
        async with AsyncHost(**options(self, restart=True)) as host:
            pids = [host.pid]
            tasks: list[asyncio.Task[Any]] = []
            for number in range(COUNT):
                tasks.append(asyncio.ensure_future(host.save_custom_event(**params(number))))
                if number % 1_000 == 500:
                    await tasks[number - 200]
                    os.kill(host.pid, signal.SIGKILL)
            ids = [saved["id"] for saved in await asyncio.gather(*tasks)]
            pids.append(host.pid)
            names: list[str] = []
            after = 0
            while True:
                records = (await host.pending(after=after))["records"]
                if not records:
                    break
                names += [record["name"] for record in records]
                after = records[-1]["id"]
            self.assertEqual(Counter(names), Counter(f"event {number}" for number in range(COUNT)))
            self.assertEqual(ids, sorted(set(ids)))
        self.assertNotEqual(pids[0], pids[1])

    async def test_a_save_that_was_cancelled_is_not_sent_again(self) -> None:
        program = wrapped(self, "read save; read cancel; kill -9 $$")
        for how in "task", "method":
            host = await AsyncHost(**{**options(self, restart=True), "plugins": (), "program": program}).start()
            save = asyncio.ensure_future(host.save_custom_event(name="a"))
            await asyncio.sleep(0)  # It is sent, with the first id.
            if how == "task":
                save.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await save
            else:
                for call in [host.cancel_request(id=1), save]:
                    with self.assertRaises(HostEndedError):
                        await call
            self.assertFalse(host._session.has_repeats)
            self.assertEqual(await host.close(), -signal.SIGKILL)

    async def test_a_save_starts_a_killed_host_again(self) -> None:
        async with AsyncHost(**options(self, restart=True)) as host:
            await host.save_custom_event(name="before")
            os.kill(host.pid, signal.SIGKILL)
            with self.assertRaises(HostEndedError):
                while True:
                    await host.ping()
            # Both are sent to the next host, which is being started.
            saved, pong = await asyncio.gather(host.save_custom_event(name="after"), host.ping())
            self.assertEqual(saved, {"id": 2})
            self.assertIn("version", pong)

    async def test_closing_while_the_next_host_starts_still_saves(self) -> None:
        how = options(self, restart=True)
        host = await AsyncHost(**how).start()
        await host.save_custom_event(name="before")
        os.kill(host.pid, signal.SIGKILL)
        with self.assertRaises(HostEndedError):
            while True:
                await host.ping()
        task = asyncio.ensure_future(host.save_custom_event(name="after"))
        await asyncio.sleep(0)
        self.assertEqual(await host.close(), 0)
        self.assertEqual(await task, {"id": 2})

    async def test_a_failed_restart_is_reported(self) -> None:
        program = wrapped(self, 'exec "$PUSHHOST" "$@"')
        host = await AsyncHost(program=program, **options(self, restart=True)).start()
        await host.ping()
        os.remove(program)
        os.kill(host.pid, signal.SIGKILL)
        with self.assertRaisesRegex(HostEndedError, "SIGKILL; the host cannot be started from"):
            while True:
                await host.save_custom_event(name="a")
        await host.close()

    async def test_a_start_that_is_cancelled_ends_the_host(self) -> None:
        for turns in range(2):
            host = await AsyncHost(**options(self, restart=True)).start()
            await host.save_custom_event(name="before")
            os.kill(host.pid, signal.SIGKILL)
            with self.assertRaises(HostEndedError):
                while True:
                    await host.ping()
            save = asyncio.ensure_future(host.save_custom_event(name="after", deadline=PATIENCE))
            for _ in range(turns + 1):
                await asyncio.sleep(0)
            assert host._restarting is not None
            host._restarting.cancel()
            with self.assertRaisesRegex(HostEndedError, "cancelled"):
                await save
            await host.close()

    async def test_a_host_that_was_killed_before_its_first_answer_is_started_again(self) -> None:
        async with AsyncHost(**options(self, restart=True)) as host:
            os.kill(host.pid, signal.SIGKILL)
            self.assertEqual(await host.save_custom_event(name="a"), {"id": 1})

    async def test_the_next_host_starts_in_the_folder_of_the_first_one(self) -> None:
        self.addCleanup(os.chdir, os.getcwd())
        how = options(self, restart=True)
        folders = [Path(how["data"]) / name for name in ("first", "second")]
        for folder in folders:
            folder.mkdir(parents=True)
        os.chdir(folders[0])
        async with AsyncHost(**{**how, "data": "data"}) as host:
            self.assertEqual(await host.save_custom_event(name="before"), {"id": 1})
            os.chdir(folders[1])
            os.kill(host.pid, signal.SIGKILL)
            self.assertEqual(await host.save_custom_event(name="after"), {"id": 2})


if __name__ == "__main__":
    unittest.main()
