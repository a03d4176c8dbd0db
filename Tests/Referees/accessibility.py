#!/usr/bin/env python3
"""Checks pictures of all bundles, and the live preview, with axe-core: its script comes with PyPI's axe-core-python.

    accessibility.py AXE_SCRIPT PROGRAM

Needs Debian's chromium, chromium-driver and python3-selenium. Exit code 1 says that axe found a violation; each is
named with its rule, its element and the page.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

AXE, PROGRAM = sys.argv[1:]
os.environ["PUSHHOST_PROGRAM"] = str(Path(PROGRAM).resolve())
for name, program in [("PUSHHOST_CHROMIUM", "chromium"), ("PUSHHOST_CHROMEDRIVER", "chromedriver")]:
    os.environ[name] = shutil.which(program) or sys.exit(f"there is no {program}; see README.md's test command")
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Fixtures/browser"))

from harness import ROOT, Browser, Preview  # noqa: E402
from pictures import BUNDLES, of_bundle  # noqa: E402

SCRIPT = Path(AXE).read_text(encoding="utf-8")


def violations(browser):
    """What axe finds in the page that is open, and how many elements it checked."""
    browser.script(SCRIPT)
    results = browser.driver.execute_async_script("axe.run().then(arguments[0], error => arguments[0](String(error)))")
    assert isinstance(results, dict), results
    found = [
        f"{violation['id']}: {violation['help']}: {node['html'][:200]} ({' '.join(map(str, node['target']))})"
        for violation in results["violations"]
        for node in violation["nodes"]
    ]
    return found, sum(len(rule["nodes"]) for rule in results["passes"])


def main():
    problems, checked = [], 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        browser = Browser(folder)

        def check(page):
            nonlocal checked
            # What moves in has little contrast at first.
            browser.rest()
            found, passed = violations(browser)
            assert passed, f"axe checked nothing on {page}"
            problems.extend(f"{page}: {problem}" for problem in found)
            checked += passed

        try:
            # A page with a violation, so that a check that finds nothing is known to look.
            (folder / "planted.html").write_text("<!DOCTYPE html><title>x</title><img src='data:,'>", encoding="utf-8")
            browser.open(folder / "planted.html")
            assert any(problem.startswith("image-alt: ") for problem in violations(browser)[0])
            for bundle in BUNDLES:
                for scheme in ["light", "dark"]:
                    browser.open(of_bundle(folder, bundle, "--scheme", scheme))
                    check(f"{bundle}, {scheme}")
            for bundle in BUNDLES:
                own = folder / bundle
                own.mkdir()
                with Preview(own, (ROOT / "plugins" / bundle / "payload.apns").read_text(encoding="utf-8")) as preview:
                    browser.open(preview.url)
                    browser.shows("Connected", "#status")
                    browser.wait("a picture", lambda: browser.all("#picture *, #problem:not([hidden])"))
                    check(f"the banner of {bundle} in the preview")
                    browser.click("#part [value=expanded]")
                    browser.wait("its end", lambda: browser.all("#phone[data-state=expanded], #problem:not([hidden])"))
                    if bundle == "register":
                        browser.enter("#picture [data-element=email]", "ada@example.com")
                        browser.click("#picture [data-action=REGISTER]")
                        browser.wait("the records", lambda: browser.text("#record-count") == "3")
                        # A finding, and a question about the text that is not saved.
                        browser.enter("#category", "lab_registr")
                        browser.shows("lab_register", "#findings")
                        browser.click("#load")
                        browser.wait("the question", lambda: browser.one("#ask").is_displayed())
                    for scheme in ["light", "dark"]:
                        browser.scheme(scheme)
                        check(f"preview of {bundle}, {scheme}")
        finally:
            browser.quit()
    for problem in dict.fromkeys(problems):
        print(problem)
    print(f"axe-core: {checked} passed checks of elements, {len(problems)} violations")
    sys.exit(1 if problems else 0)


main()
