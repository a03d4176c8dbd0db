"""The package that pip builds from this folder."""

import base64
import hashlib
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(FOLDER))

import build_backend  # noqa: E402


class PackageTests(unittest.TestCase):
    def test_the_wheel_is_complete_and_can_be_imported(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            name = build_backend.build_wheel(folder)
            info = f"pushhost-{build_backend.project()['version']}.dist-info"
            with zipfile.ZipFile(f"{folder}/{name}") as wheel:
                record = [line.split(",") for line in wheel.read(f"{info}/RECORD").decode().split()]
                self.assertEqual([path for path, _, _ in record], wheel.namelist())
                for path, hash, size in record[:-1]:
                    data = wheel.read(path)
                    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                    self.assertEqual((hash, size), (f"sha256={digest}", str(len(data))), path)
                sources = {f"pushhost/{path.name}" for path in (FOLDER / "src/pushhost").glob("*.py")}
                self.assertLessEqual(sources | {"pushhost/py.typed"}, set(wheel.namelist()))
                metadata = wheel.read(f"{info}/METADATA").decode()
                self.assertIn("Requires-Python: >=3.9\n", metadata)
                self.assertNotIn("Requires-Dist", metadata)
            script = "import sys; sys.path.insert(0, sys.argv[1]); import pushhost; print(pushhost.__file__)"
            command = [sys.executable, "-I", "-c", script, f"{folder}/{name}"]
            self.assertIn(name, subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def test_the_same_sources_give_the_same_wheel(self) -> None:
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            wheels = [Path(folder, build_backend.build_wheel(folder)).read_bytes() for folder in (one, other)]
        self.assertEqual(wheels[0], wheels[1])

    def test_the_version_is_that_of_the_contract(self) -> None:
        from pushhost import CONTRACT_VERSION

        self.assertEqual(build_backend.project()["version"].rsplit(".", 1)[0], CONTRACT_VERSION)


if __name__ == "__main__":
    unittest.main()
