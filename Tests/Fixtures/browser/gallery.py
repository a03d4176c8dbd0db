"""Cases about the page that `pushhost pictures` writes."""

import json
import os
import subprocess

from harness import Cases, Keys, equal, pushhost

cases = Cases()

LOADED = "return [...document.images].every(image => image.complete && image.naturalWidth > 0)"
SHOWN = "return [...document.querySelectorAll('article')].filter(card => !card.hidden).map(card => card.id)"


def write(folder, name, title):
    file = folder / "payloads" / f"{name}.apns"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"aps": {"alert": {"title": title, "body": "Hello"}}}), encoding="utf-8")


def draw(folder, *options):
    """Draws the payloads of a folder, whatever the exit code is, and returns the page."""
    command = [os.environ["PUSHHOST_PROGRAM"], "pictures", "payloads", *options]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1), f"{run.returncode}\n{run.stdout}\n{run.stderr}"
    return folder / "pictures" / "index.html"


def changed(folder, name="welcome"):
    """A page with an unchanged picture, and one of each other state."""
    for each in [name, "same", "gone"]:
        write(folder, each, "Before")
    draw(folder, "--baseline", "accepted")
    pushhost("pictures", "accept", "--baseline", "accepted", cwd=folder)
    write(folder, name, "After")
    write(folder, "new", "New")
    (folder / "payloads" / "gone.apns").unlink()
    return draw(folder, "--baseline", "accepted")


@cases.case("all pictures are on a page without requests, and search, filters and addresses find them")
def find(browser, folder):
    for name in ["welcome", "orders/paid", "orders/über uns"]:
        write(folder, name, name)
    page = draw(folder, "--scheme", "light", "--scheme", "dark")
    browser.open(page)
    equal(len(browser.script(SHOWN)), 6, "cards")
    browser.script("for (const image of document.images) image.loading = 'eager'")
    browser.wait("the pictures", lambda: browser.script(LOADED))
    browser.enter("#search", "über")
    equal(browser.script(SHOWN), ["orders/über uns.dark", "orders/über uns.light"], "after the search")
    browser.script("const s = document.querySelector('select'); s.value = 'dark'; s.dispatchEvent(new Event('change'))")
    equal(browser.script(SHOWN), ["orders/über uns.dark"], "after the filter")
    equal(browser.text("#summary"), "1 of 6 pictures", "the summary")
    browser.open(page.as_uri() + "#orders%2F%C3%BCber%20uns.light")
    equal(browser.script("return document.querySelector(':target').id"), "orders/über uns.light", "the anchor")


@cases.case("a changed picture is compared in four ways, and only the difference is not black")
def compare(browser, folder):
    browser.open(changed(folder))
    buttons = {button.text: button for button in browser.all("article.changed button")}
    for mode, images in [("Side by side", 2), ("Overlay", 2), ("Swipe", 2), ("Difference", 2)]:
        buttons[mode].click()
        equal(buttons[mode].get_attribute("aria-pressed"), "true", mode)
        browser.wait(f"the pictures of {mode}", lambda: browser.script(LOADED))
        equal(len(browser.all("article.changed img")), images, mode)
    equal(browser.script("return getComputedStyle(document.querySelector('.difference img + img')).mixBlendMode"), "difference")
    buttons["Swipe"].click()
    slider = browser.one("article.changed input")
    slider.send_keys(Keys.HOME)
    equal(browser.script("return document.querySelector('.stack img + img').style.clipPath"), "inset(0px 100% 0px 0px)")


@cases.case("the buttons make the command that accepts, also for a name that a shell or a page would read in another way")
def accept(browser, folder):
    browser.open(changed(folder, "it's $(touch owned) <!--<script><b>&amp;"))
    for state in ["changed", "gone"]:
        browser.click(f"article.{state} .bar:last-child button")
    reject = [button for button in browser.all("article.new button") if button.text == "Reject"]
    # The driver would click below the footer.
    browser.script("arguments[0].scrollIntoView({block: 'center'})", reject[0])
    reject[0].click()
    equal(browser.text("#rejected"), "1 rejected", "the rejected ones")
    command = browser.one("#command").get_attribute("value")
    shell = f'pushhost() {{ "{os.environ["PUSHHOST_PROGRAM"]}" "$@"; }}; {command}'
    run = subprocess.run(["/bin/sh", "-c", shell], cwd=folder, capture_output=True, text=True, check=False)
    equal((run.returncode, run.stdout), (0, "1 accepted, 1 removed; the baseline is accepted\n"), command)
    assert not (folder / "owned").exists(), command
    browser.open(draw(folder, "--baseline", "accepted"))
    equal(browser.text("#summary"), "3 pictures: 2 unchanged, 1 new", "the summary")


@cases.case("the page fits on a phone, and the keyboard reaches and shows every control")
def narrow(browser, folder):
    browser.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": False}
    )
    try:
        browser.open(changed(folder))
        equal(browser.script("return document.documentElement.scrollWidth <= innerWidth"), True, "the width")
        unnamed = "return [...document.querySelectorAll('input, select, button')].filter(each => "
        unnamed += "!each.ariaLabel && !each.labels?.length && !each.textContent).length"
        equal(browser.script(unnamed), 0, "controls without a name")
        browser.click("article.changed .bar:last-child button")
        controls = browser.script("return document.querySelectorAll('a, input, select, button').length")
        browser.script("document.activeElement.blur(); scrollTo(0, 0)")
        visible = (
            "const each = document.activeElement, box = each.getBoundingClientRect(); const at = document.elementFromPoint("
            "box.x + box.width / 2, box.y + box.height / 2); return each === document.body || each.contains(at)"
        )
        reached = set()
        for _ in range(controls + 2):
            browser.driver.switch_to.active_element.send_keys(Keys.TAB)
            element = browser.driver.switch_to.active_element
            reached.add(element.id)
            assert browser.script(visible), f"{element.tag_name} {element.text} is covered"
        assert len(reached) >= controls, f"{len(reached)} of {controls} controls are reached"
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


if __name__ == "__main__":
    cases.run()
