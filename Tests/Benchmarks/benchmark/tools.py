"""Processes, folders and programs that the rows share."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
BUILD = ROOT / ".build" / "benchmarks"
# Of this program, so that two of them do not delete each other's files.
WORK = BUILD / Path(sys.argv[0]).name


SWIFT = "a toolchain comes from swift.org"


class Failure(Exception):
    """A row that could not be measured, and why."""


class Missing(Failure):
    """A row that needs a program which this machine lacks."""

    def __init__(self, program, package):
        super().__init__(f"there is no {program}: {package if ' ' in package else f'apt-get install {package}'}")


def say(text):
    print(text, file=sys.stderr, flush=True)


def need(program, package):
    """The path of a program; if there is none, an error that names its Debian package."""
    path = shutil.which(program)
    if not path:
        raise Missing(program, package)
    return path


def check(command, **options):
    """Runs a command and returns its stdout; if it fails, raises an error with its output."""
    command = list(map(str, command))
    try:
        result = subprocess.run(command, capture_output=True, text=True, **options)
    except OSError as error:
        raise Failure(f"{shlex.join(command)[:200]}: {error.strerror}") from None
    if result.returncode != 0:
        raise Failure(f"{shlex.join(command)[:200]}: {(result.stderr or result.stdout)[-600:].strip()}")
    return result.stdout


def empty_folder(name):
    """Creates an empty folder on the disk of the checkout, because /tmp may be in memory."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def compile_c(*programs):
    """Compiles programs of this folder, and returns their paths."""
    need("cc", "gcc")
    libraries = check([need("pkg-config", "pkg-config"), "--cflags", "--libs", "jansson", "sqlite3"]).split()
    WORK.mkdir(parents=True, exist_ok=True)
    for program in programs:
        check(["cc", "-O2", "-std=gnu2x", HERE / f"{program}.c", "-o", WORK / program, *libraries])
    return [WORK / program for program in programs]


def is_static(program):
    """Whether a program contains the Swift runtime, instead of loading that of the toolchain."""
    return "libswiftCore" not in check(["ldd", program])


def build_package(name, static=False):
    """Builds a Swift package of this folder in release mode, and returns its program of the same name."""
    scratch, options = BUILD / (f"{name}-static" if static else name), ["--static-swift-stdlib"] if static else []
    say(f"building {name}")
    swift = [need("swift", SWIFT), "build", "-c", "release", *options]
    check([*swift, "--package-path", HERE / name, "--scratch-path", scratch])
    return scratch / "release" / name


class Track:
    """The server of track.c; `total` has its totals after it has exited."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "serve"], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.total = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.total = json.loads(self.process.communicate()[0])

    @property
    def environment(self):
        """What `braze` needs to deliver to this server as fast as it can."""
        return {
            "BRAZE_REST_ENDPOINT": f"http://127.0.0.1:{self.port}",
            "BRAZE_API_KEY": "benchmark",
            # The default, 3,000 in 3 s, is Braze's own limit and allows just 75,000 records/s.
            "BRAZE_RATE_REQUESTS": "100000",
        }


def private_environment():
    """The environment of a measured process: without the user's own bundles and suites."""
    return dict(os.environ, XDG_DATA_HOME=str(WORK / "xdg"))
