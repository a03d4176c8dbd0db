"""The package that pip builds from this folder."""

import os
import subprocess
import sys
import tempfile
import tomllib
import unittest
import zipfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1]


class PackageTests(unittest.TestCase):
    def test_the_wheel_is_complete_and_can_be_imported(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            # As pip does, but with the installed hatchling instead of one from PyPI.
            command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
            subprocess.run(command, cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
            [path] = Path(folder).iterdir()
            with zipfile.ZipFile(path) as wheel:
                sources = {f"pushhost/{path.name}" for path in (FOLDER / "src/pushhost").glob("*.py")}
                packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
                self.assertEqual(packed, sources | {"pushhost/py.typed"})
                [info] = {name.split("/")[0] for name in wheel.namelist()} - {"pushhost"}
                metadata = wheel.read(f"{info}/METADATA").decode()
                self.assertIn("Requires-Python: >=3.11\n", metadata)
                self.assertNotIn("Requires-Dist", metadata)
            script = "import sys; sys.path.insert(0, sys.argv[1]); import pushhost; print(pushhost.__file__)"
            command = [sys.executable, "-I", "-c", script, str(path)]
            self.assertIn(path.name, subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def test_the_version_is_that_of_the_program(self) -> None:
        project = tomllib.loads((FOLDER / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        shown = subprocess.run([os.environ["PUSHHOST"], "--version"], check=True, capture_output=True, text=True).stdout
        self.assertEqual(project["version"], shown.split()[1])


if __name__ == "__main__":
    unittest.main()
