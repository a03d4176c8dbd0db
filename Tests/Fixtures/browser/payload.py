"""Cases about the editor of the payload in `pushhost preview`: JSON, form, bytes, files, by keyboard and mouse."""

import json

from harness import ROOT, Cases, Preview, equal, pushhost
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

cases = Cases()

REGISTER = (ROOT / "plugins/register/payload.apns").read_text(encoding="utf-8")
PLAIN = {"aps": {"alert": {"title": "Hello", "body": "World"}, "category": "lab_register"}, "braze_id": "ada",
         "cert_title": "Diploma", "cert_description": "Of all"}


def text(browser):
    return browser.one("#json").get_attribute("value")


def shows(browser, value):
    """Waits until the JSON is this text."""
    try:
        browser.wait("the text", lambda: text(browser) == value)
    except AssertionError:
        equal(text(browser), value, "the JSON")


def cursor(browser, start, end=None):
    """Puts the cursor before the first place of a text, or selects up to an offset."""
    browser.script("""
        const [area, start, end] = arguments;
        area.focus();
        area.setSelectionRange(start, end);
    """, browser.one("#json"), start, start if end is None else end)


def behind(browser, part):
    cursor(browser, text(browser).index(part) + len(part))


def press(browser, *keys, holding=(Keys.CONTROL,)):
    chain = ActionChains(browser.driver)
    for key in holding:
        chain.key_down(key)
    for key in keys:
        chain.send_keys(key)
    for key in holding:
        chain.key_up(key)
    chain.perform()


def write(browser, *keys):
    ActionChains(browser.driver).send_keys(*keys).perform()


def focused(browser):
    return browser.script("return document.activeElement.id")


def replace(browser, value):
    """Types a text in place of all of the JSON, as a paste does."""
    cursor(browser, 0, len(text(browser).encode("utf-16-le")) // 2)
    browser.script("document.execCommand('insertText', false, arguments[0])", value)


def marks(browser):
    return [mark.text for mark in browser.all("#lines .mark")]


def clickable(browser, selector):
    return browser.wait(selector, lambda: [one for one in browser.all(selector) if one.is_displayed()])[0]


# MARK: Writing


@cases.case("a payload is written by keyboard alone: pairs close, lines are indented, and completion knows the keys and values")
def keyboard(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview)
        replace(browser, "")
        write(browser, "{", Keys.ENTER, '"')
        browser.wait("suggestions", lambda: browser.all("#completions:not([hidden]) [role=option]"))
        write(browser, "ap")
        browser.wait("aps alone", lambda: [one.text.split("\n")[0] for one in browser.all("#completions [role=option]")][:1] == ["aps"])
        active = browser.one("#json").get_attribute("aria-activedescendant")
        equal(browser.one(f"#{active}").get_attribute("aria-selected"), "true", "the active suggestion")
        write(browser, Keys.ENTER)
        shows(browser, '{\n  "aps": { "alert": "", "category": "" }\n}')
        # The first placeholder is selected.
        write(browser, "Hi")
        behind(browser, '"category": "')
        press(browser, " ")
        browser.wait("categories", lambda: "lab_register" in browser.text("#completions"))
        write(browser, "regis")
        browser.wait("one category", lambda: len(browser.all("#completions [role=option]")) == 1)
        write(browser, Keys.TAB)
        shows(browser, '{\n  "aps": { "alert": "Hi", "category": "lab_register" }\n}')
        equal(focused(browser), "json", "the focus after a suggestion is accepted")
        # Escape closes the list, and Tab leaves the field then.
        behind(browser, '"category": "lab')
        press(browser, " ")
        browser.wait("suggestions", lambda: browser.all("#completions:not([hidden]) [role=option]"))
        write(browser, Keys.ESCAPE)
        equal(browser.all("#completions:not([hidden])"), [], "the list after Escape")
        write(browser, Keys.TAB)
        assert focused(browser) != "json", "Tab stays in the field"
        # A closing sign that is there already is passed over, and a pair is removed as a whole.
        replace(browser, "")
        cursor(browser, 0)
        write(browser, '{"a":[]}')
        shows(browser, '{"a":[]}')
        behind(browser, "[")
        write(browser, Keys.BACKSPACE)
        shows(browser, '{"a":}')


@cases.case("a mark is under the characters that the finding is about, also behind wide characters and in a wrapped line")
def places(browser, folder):
    value = "😀 שלום ä " * 12
    payload = json.dumps(PLAIN | {"aps": {"alert": value, "sond": 1, "category": "lab_registr"}}, ensure_ascii=False, indent=2)
    with Preview(folder, payload) as preview:
        cases.opened(browser, preview)
        browser.wait("two marks", lambda: {'"sond"', '"lab_registr"'} <= set(marks(browser)))
        for part in ['"sond"', '"lab_registr"']:
            units = len(payload[:payload.index(part)].encode("utf-16-le")) // 2

            def clicked(edge, side):
                """The character of the field, which is above the lines, a pixel beside an edge of the mark."""
                mark = next(one for one in browser.all("#lines .mark") if one.text == part)
                browser.script("arguments[0].scrollIntoView({block: 'center'})", mark)
                box = browser.script("const {left, right, top, bottom} = arguments[0].getBoundingClientRect();"
                                     "return {left, right, middle: (top + bottom) / 2}", mark)
                # Not by an action, because the driver makes a double click of two fast ones, which selects a word.
                for event in ["mousePressed", "mouseReleased"]:
                    browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
                        "type": event, "x": box[edge] + side, "y": box["middle"], "button": "left", "clickCount": 1})
                return browser.script("return arguments[0].selectionStart", browser.one("#json"))

            for edge, wanted in [("left", units), ("right", units + len(part))]:
                for side in [-1, 1]:
                    # The page may still move while its parts appear.
                    browser.wait(f"{part} {edge} {side}", lambda: clicked(edge, side) == wanted)


@cases.case("a quick fix is applied by keyboard, by the sign of its line and by the list, and each is undone as one step")
def fixes(browser, folder):
    wrong = json.dumps(PLAIN, indent=2).replace("lab_register", "lab_registr")
    right = wrong.replace("lab_registr", "lab_register")
    with Preview(folder, wrong) as preview:
        cases.opened(browser, preview)

        def by_keyboard():
            behind(browser, '"lab_re')
            press(browser, ".")
            browser.wait("the menu", lambda: browser.all("#fixes:not([hidden]) [role=menuitem]:focus"))
            write(browser, Keys.ENTER)

        def by_sign():
            clickable(browser, "#lines .sign").click()
            clickable(browser, "#fixes [role=menuitem]").click()

        def by_list():
            clickable(browser, "#findings .fix").click()

        def by_hover():
            ActionChains(browser.driver).move_to_element(browser.one("#lines .mark")).perform()
            clickable(browser, "#tip .fix").click()

        for apply in [by_keyboard, by_sign, by_list, by_hover]:
            browser.wait("the fix", lambda: "lab_register" in browser.text("#findings"))
            apply()
            shows(browser, right)
            browser.wait("no mark", lambda: not marks(browser))
            equal(focused(browser), "json", f"the focus after {apply.__name__}")
            press(browser, "z")
            shows(browser, wrong)
            browser.wait("the mark", lambda: marks(browser) == ['"lab_registr"'])
        # Escape leaves the menu and changes nothing.
        behind(browser, '"lab_re')
        browser.wait("the fix", lambda: "lab_register" in browser.text("#findings"))
        press(browser, ".")
        browser.wait("the menu", lambda: browser.all("#fixes:not([hidden]) [role=menuitem]:focus"))
        write(browser, Keys.ESCAPE)
        equal((focused(browser), text(browser)), ("json", wrong), "after Escape")


@cases.case("one history has what was typed in the JSON and in the form, and the form changes only what it shows")
def history(browser, folder):
    # The layout and the exact number are kept.
    original = '{"aps": {"alert": {"title": "A"},\n\t"badge": 1.50}, "big": 9007199254740993, "own": "x"}'
    with Preview(folder, original) as preview:
        cases.opened(browser, preview)
        browser.enter("#alert-title", "Title")
        titled = original.replace('"A"', '"Title"')
        shows(browser, titled)
        behind(browser, '"x"')
        write(browser, ', "y": true')
        typed = titled.replace('"x"', '"x", "y": true')
        shows(browser, typed)
        browser.enter("#key-own", "")
        emptied = typed.replace('"x"', '""')
        shows(browser, emptied)
        equal(browser.one("#key-y").get_attribute("readonly"), "true", "a value that is no text")
        press(browser, "z")
        shows(browser, typed)
        browser.one("#json").send_keys(Keys.CONTROL, "z")
        browser.wait("the typed text is gone", lambda: text(browser).startswith(titled[:-1]))
        for _ in range(12):
            if text(browser) == original:
                break
            browser.click("#undo")
        shows(browser, original)
        equal(browser.one("#alert-title").get_attribute("value"), "A", "the form")
        equal(browser.one("#undo").get_attribute("disabled"), "true", "undo at the beginning")
        browser.one("#json").click()
        for _ in range(12):
            press(browser, "z", holding=(Keys.CONTROL, Keys.SHIFT))
        shows(browser, emptied)
        equal(browser.one("#redo").get_attribute("disabled"), "true", "redo at the end")
        browser.click("#keys .field[data-key=big] button")
        browser.click("#form details summary")
        browser.enter("#badge", "7")
        browser.enter("#alert-subtitle", "Sub")
        value = json.loads(text(browser))
        equal(value, {"aps": {"alert": {"title": "Title", "subtitle": "Sub"}, "badge": 7}, "own": "", "y": True}, "the payload")


@cases.case("the fields show the localized text in place of a key, and offer the bundle's categories and pairs")
def form(browser, folder):
    without = json.loads(REGISTER)
    del without["cert_title"]
    with Preview(folder, without) as preview:
        cases.opened(browser, preview)
        browser.wait("the text", lambda: browser.one("#alert-title").get_attribute("placeholder") == "Join us")
        options = lambda identifier: browser.script(
            "return [...document.getElementById(arguments[0]).options].map(one => one.value)", identifier)
        browser.wait("the categories", lambda: "lab_register" in options("categories"))
        browser.wait("the pair", lambda: "cert_title" in options("offers"))
        browser.enter("#new-key", "cert_title")
        browser.wait("the pair", lambda: focused(browser) == "key-cert_title")
        equal(json.loads(text(browser))["cert_title"], "Certification", "the example of the bundle")
        browser.wait("no longer offered", lambda: "cert_title" not in options("offers"))


# MARK: Bytes


@cases.case("a text that is typed replaces the key of a localized one, and undo brings it back")
def localized(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview, expands=False)
        before = text(browser)
        browser.shows("Localized from INVITATION_TITLE", "#title-hint")
        browser.enter("#alert-title", "Hello")
        browser.wait("the text", lambda: json.loads(text(browser))["aps"]["alert"].get("title") == "Hello")
        alert = json.loads(text(browser))["aps"]["alert"]
        assert "title-loc-key" not in alert and "loc-key" in alert, alert
        equal(browser.one("#title-hint").text, "", "the hint")
        browser.wait("the banner", lambda: "Hello" in browser.script("return picture.textContent"))
        while text(browser) != before:
            browser.click("#undo")


@cases.case("the bytes of each key are those of pushhost check, and a payload that is too large is red")
def size(browser, folder):
    with Preview(folder, PLAIN | {"long": "é" * 700}) as preview:
        cases.opened(browser, preview)

        def compare():
            report = json.loads(pushhost("check", "--json", preview.payload, "--plugins", ROOT / "plugins"))["payloads"][0]
            browser.wait("the number", lambda: browser.text("#byte-count").startswith(f"{report['bytes']:,} of 4,096 bytes"))
            rows = dict(row.text.rsplit(" ", 1) for row in browser.all("#byte-rows tr"))
            shares = {share["key"]: f"{share['bytes']:,}" for share in report["shares"]}
            rest = report["bytes"] - sum(share["bytes"] for share in report["shares"])
            equal(rows, shares | {"braces and commas": str(rest)}, "the rows")
            return report["bytes"]

        browser.click("#bytes summary")
        assert compare() < 4096
        equal(browser.all("#bytes.over"), [], "a payload that fits")
        # Inserted at once: 5,000 keystrokes take minutes on a busy machine.
        browser.script("""
            arguments[0].select();
            document.execCommand('insertText', false, 'x'.repeat(5000));
        """, browser.one("#key-long"))
        write(browser, Keys.ENTER)
        browser.wait("it is red", lambda: browser.all("#bytes.over"))
        assert "too many" in browser.text("#byte-count")
        # The same number is in the documentation of a key.
        cursor(browser, text(browser).index('"long"') + 2)
        press(browser, "i")
        count = browser.text("#byte-count").split()[0].replace(",", "")
        browser.shows(f"the payload {count} of 4096", "#tip")
        # The command exits with 1 for such a payload.
        browser.enter("#key-long", "short")
        browser.click("#save")
        browser.shows("saved", "#file-state")
        compare()


# MARK: Folding


@cases.case("a folded part is one character of the field, stays in the text, and is copied as a whole")
def folding(browser, folder):
    original = json.dumps(PLAIN, indent=2)
    with Preview(folder, original) as preview:
        cases.opened(browser, preview)
        browser.wait("folds", lambda: len(browser.all("#lines .fold")) == 3)
        browser.all("#lines .fold")[2].click()
        browser.wait("a folded alert", lambda: '"alert": {⋯}' in text(browser))
        numbers = browser.script("return [...document.querySelectorAll('.line')].map(line => line.dataset.number)")
        equal(numbers, ["1", "2", "3", "7", "8", "9", "10", "11", "12"], "the numbers of the lines")
        # What is typed beside it changes the whole text, and the fold stays.
        behind(browser, '"Diploma')
        write(browser, "!")
        browser.shows("Diploma!", "#picture")
        assert "⋯" in text(browser)
        cursor(browser, 0, len(text(browser)))
        press(browser, "c")
        browser.one("#profile").click()
        press(browser, "v")
        changed = original.replace("Diploma", "Diploma!")
        browser.wait("the copy", lambda: browser.one("#profile").get_attribute("value") == changed)
        browser.one("#profile").clear()
        browser.click("#save")
        browser.wait("the file", lambda: preview.payload.read_text(encoding="utf-8") == changed)
        # A mark in a folded part is at its sign, and going to the finding unfolds it.
        browser.enter("#alert-title", "Other")
        browser.wait("the form", lambda: json.loads(changed)["aps"]["alert"]["title"] == "Hello")
        press(browser, "[", holding=(Keys.CONTROL, Keys.SHIFT))
        # By keyboard: fold at the cursor, and unfold.
        cursor(browser, text(browser).index('"aps"'))
        press(browser, "[", holding=(Keys.CONTROL, Keys.SHIFT))
        browser.wait("aps is folded", lambda: '"aps": {⋯}' in text(browser))
        press(browser, "]", holding=(Keys.CONTROL, Keys.SHIFT))
        browser.wait("aps is unfolded", lambda: '"aps": {\n' in text(browser))
        browser.click("#fold")
        browser.wait("all are folded", lambda: "⋯" in text(browser))
        browser.click("#fold")
        shows(browser, changed.replace("Hello", "Other"))
        # Deleting what stands for a folded part deletes that; undo brings it back.
        browser.all("#lines .fold")[2].click()
        browser.wait("a folded alert", lambda: "⋯" in text(browser))
        behind(browser, "⋯")
        write(browser, Keys.BACKSPACE)
        browser.wait("an empty alert", lambda: '"alert": {},' in text(browser))
        press(browser, "z")
        shows(browser, changed.replace("Hello", "Other"))


# MARK: Files


@cases.case("the changes against the file are shown line by line, and a file that changed meanwhile is named before it is lost")
def diff(browser, folder):
    original = json.dumps(PLAIN, indent=2)
    with Preview(folder, original) as preview:
        cases.opened(browser, preview)
        browser.shows("saved", "#file-state")
        browser.enter("#key-cert_title", "Other")
        browser.shows("Changes +1 −1", "#changes")
        browser.shows("not saved", "#file-state")
        browser.click("#changes")
        equal([row.text.split(None, 2) for row in browser.all("#diff .added, #diff .removed")],
              [["10", "−", '"cert_title": "Diploma",'], ["10", "+", '"cert_title": "Other",']], "the changed lines")
        equal(browser.all("#diff .cut"), [], "lines that are left out of a short text")
        preview.payload.write_text(original.replace("World", "Moon"), encoding="utf-8")
        browser.shows("changed on disk", "#file-state")
        browser.shows("Moon", "#diff")
        browser.click("#load")
        browser.shows("Discard", "#ask")
        browser.click("#no")
        equal(json.loads(text(browser))["cert_title"], "Other", "the text that was kept")
        browser.script("""
            const list = document.getElementById("bundle");
            list.value = [...list.options].find((option) => option.textContent === "feedback").value;
            list.dispatchEvent(new Event("change"));
        """)
        browser.shows("Discard", "#ask")
        browser.click("#no")
        name = "return document.getElementById('bundle').selectedOptions[0].textContent"
        browser.wait("the bundle that is shown", lambda: browser.script(name) == "register")
        browser.click("#load")
        browser.shows("Discard", "#ask")
        browser.click("#yes")
        browser.wait("the file", lambda: "Moon" in text(browser) and "Diploma" in text(browser))
        browser.shows("The text is the same as in the file.", "#diff")
        browser.click("#changes")
        browser.wait("the JSON", lambda: browser.one("#json").is_displayed())
        # Saved by the keys of the browser's own command.
        browser.enter("#key-cert_title", "Kept")
        press(browser, "s")
        browser.wait("the file", lambda: json.loads(preview.payload.read_text())["cert_title"] == "Kept")


@cases.case("the payloads are listed with title and bundle, found by words, and opened by keyboard, not without a question")
def files(browser, folder):
    with Preview(folder, PLAIN) as preview:
        cases.opened(browser, preview)
        browser.click("#open")
        browser.wait("the list", lambda: len(browser.all("#payloads button")) > 5)
        equal(focused(browser), "search", "the focus")
        write(browser, "register join")
        browser.wait("one bundle", lambda: len(browser.all("#payloads button")) == 1)
        title, name, bundle = browser.text("#payloads button").split("\n")
        equal((title, name.endswith("plugins/register/payload.apns"), bundle), ("Join us", True, "register"), "the payload")
        write(browser, Keys.ARROW_DOWN, Keys.ENTER)
        browser.shows("register/payload.apns", "#file-name")
        shows(browser, REGISTER)
        equal(browser.one("#undo").get_attribute("disabled"), "true", "the history of another file")
        browser.enter("#key-cert_title", "Unsaved")
        browser.click("#open")
        browser.wait("the list", lambda: browser.all("#payloads button"))
        write(browser, "match-game", Keys.ENTER)
        browser.shows("Discard", "#ask")
        browser.click("#yes")
        browser.shows("match-game/payload.apns", "#file-name")
        browser.wait("the game", lambda: browser.all("#picture [aria-label^='Card ']"))
        browser.click("#open")
        write(browser, Keys.ESCAPE)
        browser.wait("the list is closed", lambda: not browser.one("#files").is_displayed())


# MARK: Texts


@cases.case("emoji, right-to-left text, tabs and composed characters stay what they are, and CRLF stays in the file")
def characters(browser, folder):
    original = json.dumps(PLAIN, indent=2, ensure_ascii=False).replace("\n", "\r\n").replace("  ", "\t")
    with Preview(folder, original) as preview:
        preview.payload.write_bytes(original.encode())
        cases.opened(browser, preview)
        browser.wait("the text", lambda: text(browser) == original.replace("\r\n", "\n"))
        browser.shows("saved", "#file-state")
        behind(browser, '"World')
        browser.driver.execute_cdp_cmd("Input.insertText", {"text": " 👩‍👩‍👧 שלום"})
        # An input method: what is composed is in the field before it is confirmed.
        browser.driver.execute_cdp_cmd("Input.imeSetComposition", {"text": "に", "selectionStart": 1, "selectionEnd": 1})
        browser.driver.execute_cdp_cmd("Input.imeSetComposition", {"text": "日本", "selectionStart": 2, "selectionEnd": 2})
        browser.driver.execute_cdp_cmd("Input.insertText", {"text": "日本"})
        wanted = "World 👩‍👩‍👧 שלום日本"
        browser.wait("the text", lambda: json.loads(text(browser))["aps"]["alert"]["body"] == wanted)
        equal(browser.one("#alert-body").get_attribute("value"), wanted, "the form")
        equal(browser.script("return document.getElementById('lines').textContent.includes(arguments[0])", wanted), True, "the lines")
        browser.click("#save")
        browser.wait("the file", lambda: preview.payload.read_bytes() == original.replace("World", wanted).encode())


@cases.case("a text of 10,000 lines can be edited, and one that the preview does not take is named")
def long(browser, folder):
    lines = ",\n".join(f'  "key{number}": "value {number}"' for number in range(10_000))
    with Preview(folder, "{\n" + lines + "\n}") as preview:
        cases.origins.add(preview.origin)
        preview.browser = browser
        browser.open(preview.url)
        browser.wait("all lines", lambda: browser.script("return document.getElementById('lines').childElementCount") == 10_002)
        cursor(browser, len("{\n"))
        write(browser, '  "first": 1,', Keys.ENTER)
        browser.wait("a line more", lambda: browser.script("return document.getElementById('lines').childElementCount") == 10_003)
        equal(browser.script("return document.getElementById('lines').lastElementChild.dataset.number"), "10003", "the last number")
        press(browser, Keys.END)
        browser.wait("the end", lambda: browser.script("return document.getElementById('code').scrollTop > 0"))
        replace(browser, '{"aps":{"alert":"' + "x" * 200_001 + '"}}')
        browser.shows("too large to be shown", "#file-state")
        replace(browser, json.dumps(PLAIN))
        browser.shows("Hello", "#picture")


@cases.case("hostile texts stay texts in the lines, the suggestions, the documentation, the changes and the list")
def hostile(browser, folder):
    script = "<img src=x onerror=document.title='bad'><script>document.title='bad'</script>"
    (folder / "hostile.apns").write_text(json.dumps({"aps": {"alert": script, "category": "lab_register"}, script: script}))
    with Preview(folder, {"aps": {"alert": script, "category": script}, script: script}, ROOT / "plugins") as preview:
        cases.origins.add(preview.origin)
        preview.browser = browser
        browser.open(preview.url)
        browser.wait("the findings", lambda: script in browser.script("return document.getElementById('findings').textContent"))
        cursor(browser, text(browser).index("onerror"))
        press(browser, "i")
        browser.wait("the documentation", lambda: browser.all("#tip:not([hidden])"))
        press(browser, " ")
        browser.enter("#alert-body", "Other")
        browser.click("#changes")
        browser.wait("the changes", lambda: script in browser.script("return document.getElementById('diff').textContent"))
        equal(browser.all("#payload-panel img, #payload-panel script"), [], "elements of the texts")
        equal(browser.driver.title, "pushhost preview", "the title")


@cases.case("at 320 pixels and with 200 % zoom nothing scrolls sideways, and the editor works by touch")
def narrow(browser, folder):
    payload = PLAIN | {"a-key-with-a-name-that-is-longer-than-a-phone-is-wide": "x" * 300}
    with Preview(folder, json.dumps(payload, indent=2)) as preview:
        size = {"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": True}
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        try:
            cases.opened(browser, preview)
            browser.wait("the lines", lambda: browser.all("#lines .key"))
            wide = browser.script("""
                const panel = document.getElementById('payload-panel'), edge = document.documentElement.clientWidth;
                return [...panel.querySelectorAll('*')].filter((element) => element.checkVisibility()
                    && !element.closest('[aria-hidden=true], table, legend, [role=status]')
                    && element.getBoundingClientRect().right > edge + 1).map((element) => element.outerHTML.slice(0, 80));
            """)
            equal(wide, [], "elements beyond the edge")
            code = browser.script("const {scrollWidth, clientWidth} = document.getElementById('code'); return scrollWidth - clientWidth")
            equal(code, 0, "the JSON scrolls sideways")
            small = browser.script("""
                return [...document.querySelectorAll('#payload-panel button')].filter((one) => one.checkVisibility()
                    && !one.closest('#lines') && one.getBoundingClientRect().height < 24).map((one) => one.outerHTML.slice(0, 80));
            """)
            equal(small, [], "buttons that are too small for a finger")
            browser.click("#fold")
            browser.wait("folded", lambda: "⋯" in text(browser))
        finally:
            browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
            browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


if __name__ == "__main__":
    cases.run()
