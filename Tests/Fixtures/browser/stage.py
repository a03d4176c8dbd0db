"""Cases about the phone of the preview: what is done with notifications by mouse, by touch and on the keyboard."""

import json
import time
from contextlib import contextmanager

from harness import ROOT, Cases, Preview, equal
from pictures import BUNDLES, MIRROR, PROFILE
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

cases = Cases()

REGISTER = (ROOT / "plugins/register/payload.apns").read_text(encoding="utf-8")
# Its extension saves a record as soon as it is expanded.
PROGRESS = (ROOT / "plugins/session-progress/payload.apns").read_text(encoding="utf-8")
CARD = "#picture .note-card"
# A place on the screen beside an expanded notification, near the lower edge.
BESIDE = "#home"


def state(browser):
    return browser.script("return document.getElementById('phone').dataset.state")


def reaches(browser, wanted):
    browser.wait(f"the state {wanted}", lambda: state(browser) == wanted)


def holds(browser):
    """Whether a press took hold of a banner: what just arrived was elsewhere when the press began."""
    return browser.script("return Boolean(document.querySelector('.note-card.held'))") or state(browser) == "expanded"


def box(browser, selector):
    """Where the first element of a selector is seen, as x, y, width and height."""
    return browser.wait(f"the place of {selector}", lambda: browser.script("""
        const box = document.querySelector(arguments[0])?.getBoundingClientRect();
        return box?.width ? [box.x, box.y, box.width, box.height] : null;
    """, selector))


@contextmanager
def briefly(browser):
    """Lets nothing that is done meanwhile be a long press, however slow the machine is."""
    browser.script("""
        window.later = window.setTimeout;
        window.setTimeout = (run, delay, ...rest) => delay === 500 ? 0 : later(run, delay, ...rest);
    """)
    try:
        yield
    finally:
        browser.script("window.setTimeout = later")


# MARK: Hands


def arrives(browser, selector, press):
    """Presses until a click arrives at the first element of a selector. Chromium loses what is pressed right after a
    swipe, and a page that a finger has just moved may still move below the pointer."""

    def arrived():
        browser.script("""
            window.arrival = new Promise((done) => addEventListener(
                'click', (event) => done(Boolean(event.target.closest(arguments[0]))), {capture: true, once: true}));
        """, selector)
        with briefly(browser):
            press()
        return browser.driver.execute_async_script("""
            setTimeout(arguments[0], 1000, false);
            window.arrival.then(arguments[0]);
        """)

    browser.wait(f"a press of {selector}", arrived)


class Mouse:
    """Presses with a mouse."""

    def press(self, browser, selector):
        browser.rest()
        arrives(browser, selector, lambda: browser.click(selector))

    def open(self, browser):
        self.press(browser, CARD)

    def expand(self, browser):
        def held():
            if state(browser) == "expanded":
                return True
            browser.rest()
            cards = browser.all(CARD)
            if not cards:
                return False
            hand = ActionChains(browser.driver).click_and_hold(cards[0])
            hand.perform()
            took = holds(browser)
            if not took:
                ActionChains(browser.driver).release().perform()
            return took

        browser.wait("a press that lasts", held)
        reaches(browser, "expanded")
        ActionChains(browser.driver).release().perform()

    def swipe(self, browser, share):
        """Moves the newest banner to the left, by a share of its width."""

        def swiped():
            browser.wait("a banner", lambda: browser.all(CARD))
            browser.rest()
            card = browser.all(CARD)[0]
            part = -int(box(browser, CARD)[2] * share / 4)
            chain = ActionChains(browser.driver, duration=10).click_and_hold(card)
            for _ in range(4):
                chain.move_by_offset(part, 1)
            with briefly(browser):
                chain.release().perform()
            return True

        browser.wait("a swipe", swiped)

    def clear(self, browser):
        self.swipe(browser, 0.8)

    def close(self, browser):
        ActionChains(browser.driver).move_to_element_with_offset(browser.one(BESIDE), 0, -8).click().perform()

    def enter(self, browser, selector, text):
        self.press(browser, selector)
        browser.enter(selector, text)


class Touch(Mouse):
    """Touches with a finger."""

    def _send(self, browser, kind, x=None, y=None):
        points = [] if x is None else [{"x": x, "y": y}]
        browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def _middle(self, browser, selector):
        # What is there may still arrive.
        browser.wait(f"{selector}", lambda: browser.all(selector))
        browser.rest()
        browser.script("document.querySelector(arguments[0])?.scrollIntoView({block: 'nearest'})", selector)
        x, y, width, height = box(browser, selector)
        return x + width / 2, y + height / 2, width

    def press(self, browser, selector):
        def touch():
            x, y, _ = self._middle(browser, selector)
            self._send(browser, "touchStart", x, y)
            self._send(browser, "touchEnd")
            # What is sent after a touch is answered after it.
            browser.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", "key": "F24"})

        arrives(browser, selector, touch)

    def expand(self, browser):
        def held():
            if state(browser) == "expanded":
                return True
            x, y, _ = self._middle(browser, CARD)
            self._send(browser, "touchStart", x, y)
            took = holds(browser)
            if not took:
                self._send(browser, "touchCancel")
            return took

        browser.wait("a touch that lasts", held)
        reaches(browser, "expanded")
        self._send(browser, "touchEnd")

    def swipe(self, browser, share):
        x, y, width = self._middle(browser, CARD)
        x += width * 0.4
        with briefly(browser):
            self._send(browser, "touchStart", x, y)
            for part in range(1, 9):
                self._send(browser, "touchMove", x - width * share * part / 8, y)
            self._send(browser, "touchEnd")
        browser.done("a swipe")

    def close(self, browser):
        x, y, _ = self._middle(browser, BESIDE)
        self._send(browser, "touchStart", x, y - 8)
        self._send(browser, "touchEnd")


class Keyboard:
    """Has nothing but a keyboard."""

    def _keys(self, browser, *keys):
        ActionChains(browser.driver).send_keys(*keys).perform()

    def reach(self, browser, selector):
        """Presses Tab until an element has the focus."""
        browser.wait(f"an element {selector}", lambda: browser.all(selector))
        for _ in range(150):
            if browser.script("return document.activeElement.matches(arguments[0])", selector):
                return browser.done(f"the focus on {selector}")
            self._keys(browser, Keys.TAB)
        raise AssertionError(f"Tab does not reach {selector}")

    def press(self, browser, selector):
        self.reach(browser, selector)
        self._keys(browser, Keys.ENTER)

    def open(self, browser):
        self.press(browser, CARD)

    def expand(self, browser):
        self.reach(browser, CARD)
        self._keys(browser, Keys.SPACE)

    def swipe(self, browser, share):
        self.reach(browser, "#picture .note-clear")

    def clear(self, browser):
        self.reach(browser, CARD)
        self._keys(browser, Keys.DELETE)

    def close(self, browser):
        self.reach(browser, "#picture button")
        self._keys(browser, Keys.ESCAPE)

    def enter(self, browser, selector, text):
        self.reach(browser, selector)
        self._keys(browser, text, Keys.ENTER)


HANDS = {"mouse": Mouse(), "touch": Touch(), "keyboard": Keyboard()}


def by_each_hand(name):
    """Adds a case for each way in which a page is used."""

    def add(body):
        for hand in HANDS:
            cases.case(f"{name}: {hand}")(lambda browser, folder, hand=hand: body(browser, folder, HANDS[hand]))
        return body

    return add


# MARK: Gestures


@by_each_hand("a banner that is cleared or opened runs nothing and saves nothing; one that is expanded does")
def unopened(browser, folder, hand):
    with Preview(folder, PROGRESS) as preview:
        cases.opened(browser, preview, expands=False)
        equal(state(browser), "banner", "the state")
        hand.clear(browser)
        browser.shows("The notification was dismissed.", "#end")
        equal(browser.all(CARD), [], "banners")
        hand.press(browser, "#again")
        hand.open(browser)
        browser.shows("Session Progress", "#app-name")
        browser.shows("openApplication", "#timeline")
        hand.press(browser, "#leave-app")
        browser.wait("the lock screen", lambda: not browser.one("#app").is_displayed())
        equal(preview.pending(), [], "records of what nobody expanded")
        assert "activate" not in browser.text("#timeline"), "the extension was started"
        hand.press(browser, "#push")
        hand.expand(browser)
        browser.shows("Sessions completed", "#picture")
        browser.wait("a record", lambda: browser.text("#record-count") == "1")
        equal(len(preview.pending()), 1, "records of what was expanded")
        hand.close(browser)
        reaches(browser, "banner")
        equal(len(preview.pending()), 1, "records of what was closed")
        hand.clear(browser)
        reaches(browser, "ended")
        browser.shows("didDismiss", "#timeline")


@by_each_hand("banners stack, the newest on top; a short swipe offers to clear one")
def stack(browser, folder, hand):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview, expands=False)
        browser.enter("#key-cert_title", "Second")
        hand.press(browser, "#push")
        browser.wait("two banners", lambda: len(browser.all(CARD)) == 2)
        newest = browser.script("return document.querySelector('.note').dataset.note")
        hand.swipe(browser, 0.35)
        equal(len(browser.all(CARD)), 2, "banners after a short swipe")
        hand.press(browser, "#picture .note-clear")
        browser.wait("one banner", lambda: len(browser.all(CARD)) == 1)
        left = browser.script("return document.querySelector('.note').dataset.note")
        assert left != newest, "the older one stays"
        hand.expand(browser)
        browser.shows("Prove what you know", "#picture")
        equal(preview.pending(), [], "records")


@cases.case("a banner that is pressed again before its first long press is answered expands")
def impatience(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview, expands=False)
        # The page's timer of a press, which the script ends.
        browser.script("""
            const later = window.setTimeout;
            window.setTimeout = (run, delay, ...rest) => delay === 500 ? void (window.hold = run) : later(run, delay, ...rest);
            window.press = () => document.querySelector(".note-card").dispatchEvent(
                new PointerEvent("pointerdown", {bubbles: true, button: 0, clientX: 1, clientY: 1}));
            press(); hold(); press();
        """)
        # It comes with the picture, which is not drawn below the finger.
        browser.wait("the answer", lambda: browser.script("return document.querySelector('#part [value=expanded]').checked"))
        equal(state(browser), "banner", "the state")
        browser.script("hold()")
        reaches(browser, "expanded")


@cases.case("what is dismissed reaches the extension only with customDismissAction")
def dismissal(browser, folder):
    reply = folder / "reply.json"
    reply.write_text(json.dumps({"view": {"type": "text", "text": "Seen"}}), encoding="utf-8")
    payload = {"aps": {"alert": "Hello", "category": "mirror"}, "replyFile": str(reply)}
    with Preview(folder, payload, MIRROR) as preview:
        cases.opened(browser, preview)
        browser.shows("Seen", "#picture")
        browser.click("#picture .pn-close")
        reaches(browser, "ended")
        browser.shows("didDismiss", "#timeline")
        assert "didReceiveResponse" not in browser.script("""
            return [...document.querySelectorAll('#timeline li')].map((item) => item.textContent)
                .filter((text) => /host . mirror/.test(text)).join()
        """), "the extension got the dismissal"


@cases.case("an edit stays where the notification is: a banner as a banner, an expanded one expanded")
def edits(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview, expands=False)
        browser.enter("#alert-subtitle", "Typed")
        browser.shows("Typed", "#picture")
        equal(state(browser), "banner", "the state")
        equal(len(browser.all(CARD)), 1, "banners")
        browser.expand()
        browser.enter("#key-cert_title", "Diploma")
        browser.shows("Diploma", "#picture")
        equal(state(browser), "expanded", "the state")
        browser.click("#part [value=banner]")
        reaches(browser, "banner")
        # What is wrong leaves the last picture, without controls, and says why.
        browser.script("""
            const field = document.getElementById('alert-body');
            field.value = 'x'.repeat(4000);
            field.dispatchEvent(new Event('input', {bubbles: true}));
        """)
        browser.shows("4096", "#problem")
        equal(browser.script("return picture.inert && picture.textContent.includes('Typed')"), True, "the old picture")


# MARK: The whole way of each bundle

OPENS = ("press", ".pn-open[data-action]")
WAYS = {
    "achievements": (["records", 2], OPENS, ["app"]),
    "complete-profile": (
        ["enter", "[data-element=last_name]", "Lovelace"], ["see", "1 of 4"],
        ["enter", "[data-element=email]", "ada@example.com"], ["see", "2 of 4"], ["records", 2]),
    "feedback": (
        ["enter", "[data-text-of=FEEDBACK]", "Great"], ["see", "Thank you for your feedback!"], ["records", 1],
        ["press", "[data-action=CLOSE]"], ["ended"]),
    "like": (["press", "[data-element=like]"], ["see", "Liked"], ["records", 2]),
    "liquid": (["see", "Sessions completed"], ["records", 1]),
    "match-game": (["press", "[data-element=card-0]"], ["press", "[data-element=card-1]"], ["see", "Attempts: 1"]),
    "onboarding-checklist": (
        ["press", "[data-element=step-photo]"], ["see", "2 of 3"], ["press", "[data-element=step-invite]"],
        ["see", "You're all set!"], ["press", "[data-action=START]"], ["app"], ["records", 3]),
    "punch-card": (["records", 3], OPENS, ["app"]),
    "push-story": (
        ["press", "[data-element=next]"], ["see", "Summit"], ["press", "[data-element=next]"], ["see", "Dusk"],
        ["press", "[data-element=previous]"], ["see", "Summit"]),
    "register": (
        ["enter", "[data-element=email]", "ada@example.com"], ["press", "[data-action=REGISTER]"],
        ["see", "Thanks for registering!"], ["records", 3]),
    "rich-push": (
        ["enter", "[data-element=email]", "ada@example.com"], ["press", "[data-action=REGISTER]"],
        ["see", "Thanks for registering!"], ["records", 3]),
    "session-progress": (["see", "Sessions completed"], ["records", 1]),
    "share-progress": (["press", "[data-action=SHARE]"], ["app"], ["records", 1]),
    "spin-to-win": (
        ["press", "[data-element=spin]"], ["see", "You won"], ["records", 2], ["press", "[data-action=REDEEM]"], ["app"]),
}


def go(browser, hand, verb, *words):
    """Does a step of a way."""
    if verb == "see":
        browser.shows(words[0], "#picture")
    elif verb == "app":
        browser.wait("the app", lambda: browser.one("#app").is_displayed())
    elif verb == "ended":
        reaches(browser, "ended")
    else:
        getattr(hand, verb)(browser, f"#picture {words[0]}", *words[1:])


@by_each_hand("the whole way of each bundle")
def ways(browser, folder, hand):
    equal(sorted(WAYS), BUNDLES, "ways")
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview, expands=False)
        for bundle, way in WAYS.items():
            profile = json.dumps(PROFILE) if bundle == "liquid" else ""
            browser.script("""
                const field = document.querySelector("[data-choice=profile]");
                if (field.value === arguments[0]) return;
                field.value = arguments[0];
                field.dispatchEvent(new Event("change"));
            """, profile)
            browser.script("""
                const list = document.getElementById("bundle");
                list.value = [...list.options].find((option) => option.textContent === arguments[0]).value;
                list.dispatchEvent(new Event("change"));
                list.focus();
            """, bundle)
            payload = json.loads((ROOT / f"plugins/{bundle}/payload.apns").read_text(encoding="utf-8"))
            browser.wait(f"the payload of {bundle}",
                         lambda: json.loads(browser.one("#json").get_attribute("value")) == payload)
            before = int(browser.text("#record-count"))
            reaches(browser, "banner")
            hand.expand(browser)
            reaches(browser, "expanded")
            for verb, *words in way:
                if verb == "records":
                    count = before + words[0]
                    browser.wait(f"{count} records", lambda: int(browser.text("#record-count")) == count)
                else:
                    go(browser, hand, verb, *words)
            if state(browser) == "expanded":
                hand.press(browser, "#picture .pn-close")
            if browser.one("#app").is_displayed():
                hand.press(browser, "#leave-app")
            reaches(browser, "ended")
        equal(len(preview.pending()), int(browser.text("#record-count")), "records in the suites")


# MARK: Other phones


@cases.case("notifications stand side by side; one that is chosen is shown on the phone, and nothing is kept of the others")
def sheet(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview)
        kinds = {"schemes": ("Dark", "#scheme", "dark"), "textSizes": ("Extra small", "#text-size", "extra-small"),
                 "devices": ("iPhone SE", "#device", "iphone-se"), "locales": ("German (de)", "#locale", "de")}
        for kind, (label, choice, value) in kinds.items():
            browser.click(f"#sheet [value={kind}]")
            browser.wait(f"the pictures of {kind}", lambda: browser.all("#cells .cell button"))
            browser.wait(label, lambda: label in browser.text("#cells"))
            assert not browser.one("#phone").is_displayed(), "the phone is in the way"
            Keyboard().reach(browser, "#cells button")

            def chosen():
                if not browser.one("#phone").is_displayed():
                    cells = {cell.text: cell for cell in browser.all("#cells button")}
                    if label in cells:
                        cells[label].send_keys(Keys.ENTER)
                return browser.one("#phone").is_displayed()

            browser.wait("the phone", chosen)
            equal(browser.one(choice).get_attribute("value"), value, f"the choice of {kind}")
        browser.wait("German", lambda: browser.all("#picture [placeholder='E-Mail']"))
        equal(preview.pending(), [], "records")


@cases.case("the phone shows the time of the host's clock in the chosen language")
def clock(browser, folder):
    with Preview(folder, REGISTER, ROOT / "plugins", "--clock", "2026-03-01T09:41:00Z", "--locale", "de") as preview:
        cases.opened(browser, preview, expands=False)
        zone = browser.script("return Intl.DateTimeFormat().resolvedOptions().timeZone")
        shown = browser.wait("the time", lambda: browser.text("#time"))
        if zone in ("UTC", "Etc/UTC"):
            equal(shown, "9:41", "the time")
        browser.wait("the date", lambda: "März" in browser.text("#date"))


@cases.case("a banner says how long ago it arrived, unless the clock stands still")
def ages(browser, folder):
    for options, age in [([], "{}m ago"), (["--locale", "de"], "vor {}"), (["--clock", "2026-03-01T09:41:00Z"], "now")]:
        start = time.monotonic()
        with Preview(folder, REGISTER, ROOT / "plugins", *options) as preview:
            cases.opened(browser, preview, expands=False)
            browser.script("const now = Date.now; Date.now = () => now() + 330_000")
            browser.click("#push")
            browser.wait("two banners", lambda: len(browser.all(CARD)) == 2)
            label = browser.wait("an age", lambda: browser.all(".pn-now")[1].text)
            # On a slow machine time passes between the arrival and the shift of the clock.
            last = int((330 + time.monotonic() - start) / 60)
            assert label.startswith(tuple(age.format(minutes) for minutes in range(5, last + 1))), f"{label} with {options}"


@contextmanager
def window(browser, width, height, scale=1):
    """Gives the page a size, as a small screen or a zoomed page has it."""
    size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        yield
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@cases.case("nothing scrolls sideways at 320 px, at 390 px and at a zoom of 200 %")
def narrow(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview, expands=False)
        for width, height, scale in [(320, 640, 1), (390, 844, 1), (640, 450, 2), (820, 1180, 1), (1280, 720, 1)]:
            with window(browser, width, height, scale):
                for step in ["#part [value=banner]", "#part [value=expanded]", "#sheet [value=textSizes]",
                             "#sheet [value=devices]", "#sheet [value=none]"]:
                    browser.click(step)
                    browser.wait(f"{step} at {width} px", lambda: browser.script(
                        "return document.documentElement.scrollWidth <= innerWidth"))
                x, _, across, _ = box(browser, "#phone")
                assert x >= 0 and x + across <= width, f"the phone at {width} px: {x}, {across}"


@cases.case("at 1440 x 900 the whole page is one screen, with the whole phone in the middle")
def screen(browser, folder):
    with Preview(folder, REGISTER) as preview, window(browser, 1440, 900):
        cases.opened(browser, preview, expands=False)
        places = [box(browser, name) for name in
                  ["#payload-panel", "#phone", "#settings", "#records-panel", "#timeline-panel"]]
        for _, y, _, height in places:
            assert y >= 0 and y + height <= 900, places
        left = [place[0] for place in places[:4]]
        equal(left, sorted(left), "from left to right")
        assert places[1][3] > 500, f"the phone: {places[1]}"
        equal(browser.script("return document.documentElement.scrollHeight"), 900, "the height of the page")


@cases.case("a picture of the notification is saved as PNG, with three pixels for each point")
def saved(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview)
        size = browser.driver.execute_async_script("""
            const done = arguments[0], make = URL.createObjectURL;
            URL.createObjectURL = (blob) => {
                createImageBitmap(blob).then(({width, height}) => done([blob.type, width, height]), String);
                return make.call(URL, blob);
            };
            document.getElementById("save-picture").click();
        """)
        kind, width, height = size
        equal((kind, width), ("image/png", 3 * 417), "the picture")
        assert height > 600, f"the height: {height}"
        browser.shows("Saved as notification.png.", "#notice")


@cases.case("a finger scrolls the page over the phone, and the opened app keeps the island and has its whole icon")
def app(browser, folder):
    with Preview(folder, REGISTER) as preview, window(browser, 820, 1180):
        cases.opened(browser, preview, expands=False)
        browser.rest()
        x, y, _, _ = box(browser, "#wallpaper")
        finger = Touch()
        finger._send(browser, "touchStart", x + 150, y + 500)
        for part in range(1, 9):
            finger._send(browser, "touchMove", x + 150, y + 500 - 40 * part)
        finger._send(browser, "touchEnd")
        browser.wait("the page has moved", lambda: browser.script("return scrollY") > 100)
        browser.script("scrollTo(0, 0)")
        HANDS["mouse"].open(browser)
        browser.wait("the app", lambda: browser.one("#app").is_displayed())
        browser.rest()
        seen = browser.script("""
            island.scrollIntoView({block: "center"});
            const at = (box) => document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.id;
            const icon = document.querySelector("#app-icon .pn-icon");
            return [at(island.getBoundingClientRect()), getComputedStyle(icon).clipPath, getComputedStyle(icon).width];
        """)
        equal(seen, ["island", "none", "84px"], "the island and the icon")


@cases.case("a time of day fixes the clock, and one that is none is named")
def fixed(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview, expands=False)
        browser.enter("#clock", "noon")
        browser.shows("Clock: write a time such as 9:41", "#notice")
        browser.enter("#clock", "9:41")
        browser.shows("9:41", "#time")


@cases.case("Present shows nothing but the phone, as large as it can be; Escape shows all parts again")
def present(browser, folder):
    with Preview(folder, REGISTER) as preview, window(browser, 1280, 720):
        cases.opened(browser, preview)
        before = box(browser, "#phone")[3]
        browser.click("#present")
        browser.wait("a larger phone", lambda: box(browser, "#phone")[3] > before + 100)
        equal([part for part in ["#payload-panel", "#settings", "#records-panel", "#timeline-panel"]
               if browser.one(part).is_displayed()], [], "parts")
        Keyboard().reach(browser, "#picture button")
        for wanted in ["banner", "banner"]:
            ActionChains(browser.driver).send_keys(Keys.ESCAPE).perform()
            reaches(browser, wanted)
        browser.wait("all parts", lambda: browser.one("#payload-panel").is_displayed())


@cases.case("Tab goes from the header to the phone, its settings, the payload, the timeline and the records")
def order(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview, expands=False)
        browser.script("document.body.tabIndex = -1; document.body.focus()")
        places = []
        for _ in range(120):
            ActionChains(browser.driver).send_keys(Keys.TAB).perform()
            place = browser.script("""
                const part = document.activeElement.closest("header, #picture, #settings, section");
                return part?.id || part?.localName;
            """)
            if place is None:
                break
            if places[-1:] != [place]:
                places.append(place)
        equal(places, ["header", "picture", "settings", "payload-panel", "timeline-panel", "records-panel"], "places")


@cases.case("with reduced motion a banner arrives and expands without moving")
def motion(browser, folder):
    name = "return getComputedStyle(document.querySelector(arguments[0])).animationName"
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview, expands=False)
        for preference, arriving, opening in [("no-preference", "arrive", "open"), ("reduce", "fade", "fade")]:
            features = [{"name": "prefers-reduced-motion", "value": preference}]
            browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            browser.click("#push")
            browser.wait("the arrival", lambda: browser.all(".note.arriving"))
            equal(browser.script(name, ".note.arriving"), arriving, f"{preference}: the arrival")
            browser.expand()
            browser.wait("the opening", lambda: browser.all(".open-note.opening"))
            equal(browser.script(name, ".open-note.opening"), opening, f"{preference}: the opening")
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


if __name__ == "__main__":
    cases.run()
