"""Hosts that die, programs that are not hosts, and hosts that cannot be started."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from pushhost import DeadlineExceededError, Host, HostEndedError, HostStartError
from support import PATIENCE, PAYLOAD, options, wrapped

#: A program that waits for a call until it is interrupted, and then continues.
WAITS = """
import sys
from pushhost import Host

host = Host(program=sys.argv[1], plugins=sys.argv[2], data=sys.argv[3], arguments=["--log-level", "info"],
            log=lambda line: print("ready", flush=True) if "the extension hangs" in line else None)
notification = host.did_receive(payload={"aps": {"category": "echo", "alert": "Hello"}})["notification"]
try:
    host.interact(notification=notification, element="hang")
except KeyboardInterrupt:
    saved = host.save_custom_event(name="after")
    host.close(grace=0.1)
    print(saved, "on signal 2" in host.stderr)
"""

#: A program that does nothing with its host.
IDLES = """
import signal, sys
from pushhost import Host

host = Host(program=sys.argv[1], data=sys.argv[3])
print("ready", flush=True)
signal.pause()
"""


class EndTests(unittest.TestCase):
    def test_a_killed_host_fails_every_waiting_call_with_its_stderr(self) -> None:
        told = threading.Event()

        def log(line: str) -> None:
            if "the extension hangs" in line:
                told.set()

        host = Host(**options(self, arguments=["--log-level", "info"], log=log))
        notification = host.did_receive(payload=PAYLOAD)["notification"]
        with host.listen("didDismiss") as heard:
            with ThreadPoolExecutor(16) as pool:
                hanging = pool.submit(host.interact, notification=notification, element="hang")
                self.assertTrue(told.wait(PATIENCE))
                others = [pool.submit(host.interact, notification=notification, element="echo") for _ in range(50)]
                os.kill(host.pid, signal.SIGKILL)
                for call in [hanging] + others:
                    with self.assertRaises(HostEndedError) as caught:
                        call.result()
                    self.assertEqual(caught.exception.status, -signal.SIGKILL)
            with self.assertRaises(HostEndedError):
                heard.next(PATIENCE)
        self.assertTrue(str(caught.exception).startswith("interact: the host was ended by SIGKILL; its stderr ends:\n"))
        self.assertIn("the extension hangs", caught.exception.stderr)
        with self.assertRaisesRegex(HostEndedError, "ping: the host was ended by SIGKILL"):
            host.ping()
        self.assertEqual(host.close(), -signal.SIGKILL)

    def test_the_first_call_reports_a_wrong_command_line(self) -> None:
        host = Host(**options(self, arguments=["--nonsense"]))
        with self.assertRaises(HostEndedError) as caught:
            host.ping()
        self.assertEqual(caught.exception.status, 64)
        self.assertIn("--nonsense", str(caught.exception))
        host.close()

    def test_a_program_that_is_not_a_host_is_named(self) -> None:
        host = Host(**options(self, program="/bin/true", arguments=[]))
        with self.assertRaisesRegex(HostEndedError, "exit code 0; it answered nothing: is the program pushhost"):
            host.ping()
        host.close()

    def test_a_host_that_cannot_be_started_is_reported_with_what_to_do(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            plain = Path(folder) / "plain"
            plain.write_text("no program")
            for program, word in [(f"{folder}/none", "No such file"), (str(plain), "denied"), (folder, "denied")]:
                with self.assertRaises(HostStartError) as caught:
                    Host(program=program)
                self.assertIn(str(program), str(caught.exception))
                self.assertIn(word, str(caught.exception))
                self.assertIn("PUSHHOST", str(caught.exception))
            with self.assertRaisesRegex(HostStartError, "which is not a folder"):
                Host(cwd=f"{folder}/none")

    def test_a_missing_program_is_reported_with_what_to_do(self) -> None:
        kept = {name: os.environ.pop(name, None) for name in ("PUSHHOST", "PATH")}
        try:
            with self.assertRaisesRegex(HostStartError, "there is no pushhost in PATH"):
                Host()
        finally:
            os.environ.update({name: value for name, value in kept.items() if value is not None})

    def other(self, script: str, **more: Any) -> Host:
        """Starts another program instead of the host."""
        host = Host(program=sys.executable, arguments=["-c", script], log=None, deadline=PATIENCE, **more)
        self.addCleanup(host.close)
        return host

    def test_a_program_that_is_not_a_host_is_reported(self) -> None:
        for script, word in [
            ("print('Welcome!', flush=True); input(); input()", "Welcome!"),
            ("print('[]', flush=True); input(); input()", "not a message"),
            ("input(); print('{\"id\": 1}', flush=True); input()", "not a message"),
        ]:
            host = self.other(script)
            with self.assertRaises(HostEndedError) as caught:
                host.ping()
            self.assertIn("the host wrote a line that is not", str(caught.exception))
            self.assertIn(word, str(caught.exception))

    def test_a_host_that_closes_its_output_counts_as_ended(self) -> None:
        host = self.other("import os, signal; os.close(1); signal.pause()")
        with self.assertRaises(HostEndedError):
            host.ping()

    def test_pipes_that_a_child_process_keeps_open_do_not_delay_the_end(self) -> None:
        # The child process runs until the test closes its stdin.
        read, write = os.pipe()
        self.addCleanup(os.close, write)
        self.addCleanup(os.close, read)
        os.set_inheritable(read, True)
        script = (
            "import os, subprocess, sys\n"
            "subprocess.Popen(['cat'], stdin=os.open(sys.argv[1], os.O_RDONLY))\n"
            "input(); print('the end', file=sys.stderr, flush=True); os._exit(5)\n"
        )
        host = Host(
            program=sys.executable,
            arguments=["-c", script, f"/proc/{os.getpid()}/fd/{read}"],
            log=None,
            deadline=PATIENCE,
        )
        with self.assertRaises(HostEndedError) as caught:
            host.ping()
        self.assertEqual(caught.exception.status, 5)
        self.assertIn("the end", caught.exception.stderr)
        host.close()

    def test_a_host_that_does_not_stop_is_killed(self) -> None:
        host = self.other('import signal; print(\'{"method": "x"}\', flush=True); signal.pause()')
        self.assertEqual(host.close(grace=0.1), -signal.SIGTERM)

    def test_deadlines_hold_even_if_the_host_reads_nothing(self) -> None:
        host = self.other("import signal; signal.pause()")
        with self.assertRaises(DeadlineExceededError):
            host.store(key="a", value="x" * 1_000_000, deadline=0.2)
        host.close(grace=0.1)

    def test_a_closed_host_refuses_calls_and_closing_it_again_has_no_effect(self) -> None:
        with Host(**options(self)) as host:
            host.ping()
        with self.assertRaisesRegex(HostEndedError, "ping: the host was closed"):
            host.ping()
        self.assertEqual(host.close(), 0)

    def run_script(self, script: str, program: str) -> "subprocess.Popen[str]":
        """Starts a script in its own process group, as a shell does, and waits until it is ready."""
        how = options(self)
        words = [sys.executable, "-c", script, program, how["plugins"], how["data"]]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(process.__exit__, None, None, None)
        self.addCleanup(process.kill)
        assert process.stdout is not None
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    def test_control_c_reaches_the_program_and_not_the_host(self) -> None:
        process = self.run_script(WAITS, os.environ["PUSHHOST"])
        os.killpg(process.pid, signal.SIGINT)
        assert process.stdout is not None
        self.assertEqual(process.stdout.read(), "{'id': 1} False\n")

    def test_the_host_ends_if_its_program_is_killed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            # The pipe is open for writing as long as the host runs.
            os.mkfifo(f"{folder}/life")
            program = wrapped(self, f'exec 3>"{folder}/life"; exec "$PUSHHOST" "$@"')
            lives: list[bytes] = []
            reader = threading.Thread(target=lambda: lives.append(Path(f"{folder}/life").read_bytes()))
            reader.start()
            self.run_script(IDLES, program).kill()
            reader.join(PATIENCE)
            self.assertEqual(lives, [b""])

    def test_many_hosts_leave_nothing_behind(self) -> None:
        def descriptors() -> int:
            return len(os.listdir("/dev/fd"))

        Host(**options(self)).close()
        before = descriptors()
        for _ in range(10):
            with Host(**options(self)) as host:
                host.ping()
        self.assertEqual(descriptors(), before)
        self.assertEqual([thread for thread in threading.enumerate() if thread.name.startswith("pushhost")], [])


if __name__ == "__main__":
    unittest.main()
