"""Cases about the timeline of `pushhost preview`: what it draws, how it is used, what is saved from it; and a film."""

import json
import xml.etree.ElementTree

from harness import ROOT, Cases, Keys, Preview, equal, pushhost

cases = Cases()

REGISTER = (ROOT / "plugins/register/payload.apns").read_text(encoding="utf-8")
# Where an arrow begins and ends, by the lane's number from 0.
ENDS = """const [from, to] = arguments[0].querySelector('.arrow').style.gridColumn.split(' / ').map(Number);
return [from - 2, to - 3, arguments[0].classList.contains('left')]"""


def row(browser, kind, text):
    """The row of an entry, which may appear later."""

    def found():
        return next((item for item in browser.all(f"#timeline li.{kind}") if text in item.text), None)

    return browser.wait(f"{kind} {text}", found)


def lanes(browser):
    return [lane.text for lane in browser.all("#timeline-lanes b")]


def registered(browser):
    browser.enter("#picture [data-element=email]", "ada@example.com")
    browser.click("#picture [data-action=REGISTER]")
    browser.wait("three records", lambda: browser.text("#record-count") == "3")


def broken(folder):
    """A bundle whose extension writes a traceback and ends; returns its payload."""
    pushhost("extensions", "new", "--language", "python", "coupon", cwd=folder)
    program = folder / "coupon/coupon.py"
    text = program.read_text(encoding="utf-8")
    crash = 'import os, sys; print("Traceback:\\n    in coupon.py", file=sys.stderr, flush=True); os._exit(3)'
    program.write_text(text.replace("self.code = ", f"{crash}\n        self.code = ", 1), encoding="utf-8")
    return (folder / "coupon/payload.apns").read_text(encoding="utf-8")


def exported(browser, format):
    """What a button saves as a file."""
    script = """const [id, done] = arguments, make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { URL.createObjectURL = make; blob.text().then(done); return make.call(URL, blob); };
        document.getElementById(id).click()"""
    return browser.driver.execute_async_script(script, f"export-{format}")


@cases.case("calls are arrows between lanes, records are marks at their suite, and a flush reaches its destination")
def drawn(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview)
        registered(browser)
        browser.click("#destination option[value='file']")
        would = row(browser, "flush", "would send 3 records in 1 request")
        names = lanes(browser)
        equal(names[:4], ["You", "Host", "register", "group.com.example.pushhost"], "lanes")
        places = {
            "You call": (row(browser, "call", "didReceiveResponse REGISTER"), [0, 1, False]),
            "save": (row(browser, "call", "saveCustomEvent Registered for Certification"), [1, 2, True]),
            "record": (row(browser, "saved", "event Registered for Certification"), [1, 3, False]),
            "dry run": (would, [1, names.index("file"), False]),
        }
        for name, (item, place) in places.items():
            equal(browser.script(ENDS, item), place, name)
        call = row(browser, "call", "didReceive")
        assert " ms" in call.text, "the answer is drawn as the return of its call"
        said = browser.script("return arguments[0].querySelector('.spoken').textContent", call)
        assert said.startswith(", You to Host, answered after "), said
        # Records stand by suite, the newest first, with what they are.
        shown = browser.text("#records")
        assert shown.index("User attribute") < shown.index("Custom attribute") < shown.index("Custom event"), shown
        assert "group.com.example.pushhost" in shown and "ada@example.com" in shown, shown
        # The request of the file destination is a block with the records as they would be written.
        equal(len(browser.all("#flush details")), 1, "requests")
        browser.shows("ada@example.com", "#flush details pre")


@cases.case("the keys move through the entries and show their lines; an error is red and keeps the traceback's indentation")
def keys(browser, folder):
    payload = broken(folder)
    with Preview(folder, payload, folder) as preview:
        preview.browser = browser
        cases.origins.add(preview.origin)
        browser.open(preview.url)
        browser.wait("the banner", lambda: browser.all("#picture [data-part=banner]"))
        browser.click("#part [value=expanded]")
        error = row(browser, "error", "exited with code 3")
        color = browser.script("return getComputedStyle(arguments[0].querySelector('.label')).color", error)
        equal(color, "rgb(179, 0, 15)", "the colour of an error")
        row(browser, "stderr", "Traceback:")
        browser.script("arguments[0].querySelector('button').focus()", row(browser, "call", "didReceive"))
        keyboard = browser.driver.switch_to.active_element
        keyboard.send_keys(Keys.ARROW_DOWN)
        second = browser.driver.switch_to.active_element
        assert "expand" in second.text, second.text
        second.send_keys(Keys.END)
        last = browser.driver.switch_to.active_element
        last.send_keys(Keys.HOME)
        first = browser.driver.switch_to.active_element
        first.send_keys(Keys.ENTER)
        browser.shows('"method": "didReceive"', "#entry-lines")
        assert browser.all("#timeline li.open.call"), "the row that is open"
        browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        assert not browser.one("#entry").is_displayed(), "Escape closes the entry"
        equal(browser.driver.switch_to.active_element, first, "the focus after Escape")
        equal(len(browser.all("#timeline button[tabindex='0']")), 1, "stops of the Tab key")
        row(browser, "stderr", "Traceback:").find_element("css selector", "button").click()
        lines = browser.script("return document.querySelector('#entry pre').textContent")
        assert "Traceback:\n    in coupon.py" in lines, repr(lines)


@cases.case("the timeline is filtered by a text and by a lane, cleared, bounded, and follows the newest entry")
def bounds(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview)
        registered(browser)
        shown = "return [...document.querySelectorAll('#timeline li:not([hidden])')].map((item) => item.textContent)"
        row(browser, "saved", "user attribute email")
        browser.one("#timeline-filter").send_keys("savecustomevent")
        # A return goes with its call.
        texts = browser.script(shown)
        assert texts and all("saveCustomEvent" in text or " ms" in text for text in texts), texts
        browser.one("#timeline-filter").send_keys(" nothing")
        browser.shows("Nothing matches the filter.", "#timeline-empty")
        browser.enter("#timeline-filter", "")
        browser.click("#timeline-lane option[value='suite group.com.example.pushhost']")
        equal(len(browser.script(shown)), 3, "entries of the suite")
        browser.click("#timeline-lane option[value='']")
        browser.click("#clear")
        browser.shows("Nothing happened yet", "#timeline-empty")
        for number in range(60):
            browser.click("#push")
            browser.wait("the banner", lambda: browser.all("#phone[data-state=banner]"))
            browser.expand()
            browser.wait("the push", lambda: len(browser.all("#timeline li.call")) > min(3 * number, 80))
        count = "return document.querySelectorAll('#timeline li').length"
        assert browser.script(count) <= 300, browser.script(count)
        rest = "const list = document.getElementById('timeline'); return list.scrollHeight - list.clientHeight - list.scrollTop"
        assert browser.script(rest) < 9, "the newest entry is seen"
        browser.script("document.getElementById('timeline').scrollTop = 40")
        last = browser.script("return document.querySelector('#timeline li:last-child').textContent")
        browser.click("#push")
        browser.wait("more", lambda: browser.script("return document.querySelector('#timeline li:last-child').textContent") != last)
        assert browser.script(rest) > 100, "who has scrolled up stays there"


@cases.case("of edits that follow one another the newest is shown; the others are a click away")
def folded(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview, expands=False)
        for text in ["One", "Two", "Three"]:
            browser.enter("#alert-title", text)
            browser.shows(text, "#picture")
        fold = browser.wait("the row of the earlier edits", lambda: browser.all("#timeline .edits button"))[0]
        seen = lambda: len([item for item in browser.all("#timeline .call") if item.is_displayed()])
        browser.shows("earlier edits", "#timeline")
        few = seen()
        fold.click()
        browser.shows("Hide", "#timeline .edits")
        assert seen() >= few + 4, f"{few} calls, then {seen()}"
        fold.click()
        browser.shows("Show", "#timeline .edits")
        equal(seen(), few, "calls")
        # What the user does next is no part of the edits, which stay folded.
        text = fold.text
        browser.expand()
        row(browser, "call", "expand")
        equal(fold.text, text, "the row of the earlier edits")
        assert seen() > few, "the call after the edits"


@cases.case("the timeline is saved as a picture without scripts and as a report; both are complete and safe")
def exports(browser, folder):
    payload = json.dumps({"aps": {"alert": "```\n# A title", "category": "lab_register"}, "braze_id": "ada",
                          "cert_title": "<script>alert(1)</script>", "cert_description": "D"})
    with Preview(folder, payload) as preview:
        cases.opened(browser, preview)
        registered(browser)
        row(browser, "saved", "user attribute email")
        picture = exported(browser, "svg")
        root = xml.etree.ElementTree.fromstring(picture)
        texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        for wanted in ["You", "Host", "register", "group.com.example.pushhost", "didReceiveResponse REGISTER",
                       "user attribute email"]:
            assert wanted in texts, f"{wanted} in {texts}"
        assert not list(root.iter("{http://www.w3.org/2000/svg}script"))
        report = exported(browser, "report")
        for wanted in ["## Steps", "3. Enter “ada@example.com” in email", "4. Press “REGISTER”", "## Payload", "````json",
                       "## Timeline", "Host → group.com.example.pushhost  saved user attribute email", "## Versions",
                       "- pushhost 1"]:
            assert wanted in report, f"{wanted} in {report}"
        assert "\n# A title" not in report, "no text of the payload is a title of the report"
        file = folder / "timeline.svg"
        file.write_text(picture, encoding="utf-8")
        browser.open(file)
        colors = {}
        for scheme in ["light", "dark"]:
            browser.scheme(scheme)
            colors[scheme] = browser.script("return getComputedStyle(document.querySelector('text')).fill")
        assert colors["light"] != colors["dark"], colors
        browser.scheme("light")


@cases.case("on a phone the timeline is a list with rails, and nothing scrolls sideways")
def narrow(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview)
        registered(browser)
        item = row(browser, "saved", "user attribute email")
        device = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", device)
        try:
            assert "saved, Host → group.com.example.pushhost" in item.text, item.text
            wide = "const list = document.getElementById('timeline-panel'); return list.scrollWidth - list.clientWidth"
            equal(browser.script(wide), 0, "the panel's overflow")
            item.find_element("css selector", "button").click()
            browser.shows('"method": "didSave"', "#entry-lines")
            equal(browser.script(wide), 0, "the panel's overflow with an entry")
        finally:
            browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@cases.case("a film of a session moves wherever an image is shown, and stands still for who prefers that")
def film(browser, folder):
    browser.open(ROOT / "plugins/match-game/film.svg")
    # The layers that are seen at a time, by the clock of the animations.
    seen = """document.getAnimations().forEach((animation) => { animation.pause(); animation.currentTime = arguments[0]; });
        return [...document.querySelectorAll('.film-layer')].filter((layer) => getComputedStyle(layer).opacity > 0.5)
            .map((layer) => layer.textContent).join()"""
    assert browser.script("return document.getAnimations().length") > 20, "animations"
    texts = [browser.script(seen, time) for time in (800, 2_500, 6_000, 1_000_000)]
    equal(len(set(texts)), 4, f"looks {texts}")
    assert "Completed Match Game" not in texts[2] and "A notification arrives" in texts[0], texts
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    equal(browser.script("return document.getAnimations().length"), 0, "animations with reduced motion")
    equal(len(browser.script("return [...document.querySelectorAll('.film-layer')].filter((layer) => getComputedStyle(layer).opacity === '1')")), 2, "layers")
    assert "Completed Match Game" in browser.script(seen, 0), "the last scene stands still"
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    # As an image in a page, as in a README.
    page = folder / "page.html"
    page.write_text(f"<!DOCTYPE html><title>x</title><img id='film' alt='x' src='{(ROOT / 'plugins/match-game/film.svg').as_uri()}'>",
                    encoding="utf-8")
    browser.open(page)
    browser.wait("the image", lambda: browser.script("return document.getElementById('film').naturalWidth") == 417)


if __name__ == "__main__":
    cases.run()
