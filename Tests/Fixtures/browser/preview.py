"""Cases about the page of `pushhost preview`: what a user does there, and what others must not do."""

import json

from harness import REBOUND, ROOT, Cases, Preview, Site, equal, origin
from pictures import ELEMENT_LIMIT, HOSTILE, MIRROR, hostile_reply

cases = Cases()

REGISTER = (ROOT / "plugins/register/payload.apns").read_text(encoding="utf-8")
MATCH_GAME = (ROOT / "plugins/match-game/payload.apns").read_text(encoding="utf-8")


def choose(browser, selector, value):
    browser.click(f"{selector} option[value='{value}']")


# MARK: What a user does


@cases.case("the match game is played to its end by looking at the cards, and its event is in the suite and on the page")
def game(browser, folder):
    with Preview(folder, MATCH_GAME) as preview:
        cases.opened(browser, preview)
        seen = {}

        def labels():
            """What is said about each card, such as "Card 3, rainbow, matched"."""
            cards = browser.all("#picture [aria-label^='Card ']")
            said = [card.get_attribute("aria-label").split(", ") for card in cards]
            return {int(words[0].removeprefix("Card ")): words[1:] for words in said}

        def turn(card):
            browser.click(f"#picture [aria-label^='Card {card},']")
            said = browser.wait(f"the face of card {card}", lambda: up(card))
            seen[card] = said[0]

        def up(card):
            said = labels().get(card, ["face down"])
            return said if said != ["face down"] else None

        def hidden():
            return [card for card, said in labels().items() if "matched" not in said]

        count = len(labels())
        equal(count, 12, "cards")
        for _ in range(2 * count):
            left = hidden()
            if not left:
                break
            known = {}
            for card in left:
                if card in seen:
                    known.setdefault(seen[card], []).append(card)
            pair = next((cards for cards in known.values() if len(cards) == 2), None)
            first = pair[0] if pair else next(card for card in left if card not in seen)
            turn(first)
            others = [card for card in left if card != first]
            same = [card for card in others if seen.get(card) == seen[first]]
            turn(same[0] if same else next(card for card in others if card not in seen))
        equal(hidden(), [], "cards that are not matched")
        browser.shows("Completed Match Game", "#records")
        equal([record["name"] for record in preview.pending()], ["Completed Match Game"], "records in the suite")
        equal(browser.text("#record-count"), "1", "count of the page")


@cases.case("a wrong address is not accepted, a right one registers, and its records are in the suite and on the page")
def register(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview)
        browser.enter("#picture [data-element=email]", "not an address")
        browser.shows("interact", "#timeline")
        browser.wait("the text", lambda: browser.one("#picture [data-element=email]").get_attribute("value") == "not an address")
        equal(browser.all("#picture [data-action=REGISTER]"), [], "buttons for a wrong address")
        equal(preview.pending(), [], "records for a wrong address")
        browser.enter("#picture [data-element=email]", "ada@example.com")
        browser.click("#picture [data-action=REGISTER]")
        browser.shows("Thanks for registering!", "#picture")
        browser.wait("three records", lambda: browser.text("#record-count") == "3")
        browser.shows("Registered for Certification", "#records")
        kinds = [record["kind"] for record in preview.pending()]
        equal(kinds, ["customEvent", "customAttribute", "userAttribute"], "records in the suite")
        # What a flush would send is shown, and nothing is delivered by showing it.
        choose(browser, "#destination", "file")
        browser.shows("ada@example.com", "#flush")
        equal(len(preview.pending()), 3, "records after the dry run")


@cases.case("another locale and another scheme change the picture")
def locale(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview)
        browser.shows("Prove what you know", "#picture")
        browser.enter("#locale", "de")
        browser.wait("the German field", lambda: browser.all("#picture [data-element=email][placeholder='E-Mail']"))
        browser.enter("#picture [data-element=email]", "ada@example.com")
        browser.shows("Anmelden", "#picture")
        browser.enter("#locale", "fr")
        browser.wait("no German", lambda: "Anmelden" not in browser.text("#picture"))
        colors = "return [...document.querySelectorAll('#picture *')].map(e => getComputedStyle(e).color).join()"
        shown = {}
        for scheme in ["light", "dark"]:
            choose(browser, "#scheme", scheme)
            browser.wait(scheme, lambda: browser.all(f"#picture .pn-{scheme}"))
            shown[scheme] = browser.script(colors)
        assert shown["light"] != shown["dark"], "both schemes have the same colours"
        choose(browser, "#scheme", "auto")
        browser.wait("auto", lambda: browser.all("#picture .pn-auto"))
        for scheme in ["dark", "light"]:
            browser.scheme(scheme)
            equal(browser.script(colors), shown[scheme], f"the colours of a browser that prefers {scheme}")


@cases.case("an edited key-value pair, a new one and the JSON change the view; a mistake is named at its place")
def edit(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview)
        browser.enter("#key-cert_title", "Diploma of Ada")
        browser.shows("Diploma of Ada", "#picture")
        assert json.loads(browser.one("#json").get_attribute("value"))["cert_title"] == "Diploma of Ada"
        equal(json.loads(preview.payload.read_text())["cert_title"], "Certification", "the file, which was not saved")
        text = json.dumps(json.loads(REGISTER) | {"cert_description": "By the JSON"})
        browser.script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
                       browser.one("#json"), text)
        browser.shows("By the JSON", "#picture")
        equal(browser.one("#key-cert_description").get_attribute("value"), "By the JSON", "the form")
        browser.enter("#new-key", "campaign")
        browser.enter("#key-campaign", "autumn")
        browser.wait("the JSON", lambda: json.loads(browser.one("#json").get_attribute("value"))["campaign"] == "autumn")
        browser.enter("#category", "lab_registr")
        browser.shows("lab_register", "#findings")
        equal(browser.one("#category").get_attribute("aria-invalid"), "true", "the field of the mistake")
        browser.enter("#category", "lab_register")
        browser.shows("By the JSON", "#picture")
        browser.click("#save")
        browser.wait("the file", lambda: json.loads(preview.payload.read_text())["cert_description"] == "By the JSON")
        # A change of the file by another program is shown too.
        preview.payload.write_text(REGISTER.replace("Certification", "From outside"), encoding="utf-8")
        browser.shows("From outside", "#picture")


@cases.case("two windows show the same payload, the same picture and the same records")
def windows(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.opened(browser, preview)
        first = browser.driver.current_window_handle
        second = browser.new_window()
        cases.opened(browser, preview)
        browser.enter("#key-cert_title", "Typed in the second")
        browser.shows("Typed in the second", "#picture")
        browser.driver.switch_to.window(first)
        browser.shows("Typed in the second", "#picture")
        browser.wait("the form", lambda: browser.one("#key-cert_title").get_attribute("value") == "Typed in the second")
        browser.enter("#picture [data-element=email]", "ada@example.com")
        browser.click("#picture [data-action=REGISTER]")
        browser.shows("Thanks for registering!", "#picture")
        browser.driver.switch_to.window(second)
        browser.shows("Thanks for registering!", "#picture")
        browser.wait("the records", lambda: browser.text("#record-count") == "3")

        def picture(window):
            browser.driver.switch_to.window(window)
            return browser.script("return picture.innerHTML")

        # Each window gets a change a little later than the other.
        browser.wait("the same picture", lambda: picture(first) == picture(second))


# MARK: Hostile texts


@cases.case("hostile texts stay texts in the picture, the editor, the timeline and the findings")
def hostile(browser, folder):
    for number, text in enumerate(HOSTILE):
        own = folder / str(number)
        own.mkdir()
        reply = own / "reply.json"
        reply.write_text(json.dumps(hostile_reply(text)), encoding="utf-8")
        alert = {"title": text, "subtitle": text, "body": text}
        payload = {"aps": {"alert": alert, "category": "mirror"}, "replyFile": str(reply), text: text}
        with Preview(own, payload, MIRROR) as preview:
            cases.opened(browser, preview)
            browser.wait("the picture", lambda: text in browser.script("return picture.textContent"))
            browser.wait("the timeline", lambda: "didReceive" in browser.text("#timeline"))
            equal(len(browser.all("script")), 1, f"{text}: scripts")
            equal(len(browser.all("iframe, [src=x], #picture [onload], #picture [onerror]")), 0, f"{text}: elements")
            equal(browser.driver.title, "pushhost preview", f"{text}: title")
            equal(browser.script("return picture.querySelectorAll('img, a').length"), 0, f"{text}: images")


@cases.case("a view of 10,000 nodes is cut, and the page goes on")
def many(browser, folder):
    leaves = [{"type": "card", "id": f"card-{index}", "face": f"face {index}", "faceUp": True} for index in range(10_000)]
    (folder / "reply.json").write_text(json.dumps({"view": {"type": "stack", "children": leaves}}), encoding="utf-8")
    payload = {"aps": {"alert": "Hello", "category": "mirror"}, "replyFile": str(folder / "reply.json")}
    with Preview(folder, payload, MIRROR) as preview:
        cases.opened(browser, preview)
        browser.wait("the view", lambda: "more than 1000 nodes" in browser.script("return picture.textContent"))
        count = browser.script("return document.querySelectorAll('*').length")
        assert 1_000 <= count <= ELEMENT_LIMIT, f"{count} elements"
        browser.enter("#alert-body", "Edited beside many nodes")
        browser.wait("the edit", lambda: "Edited beside many nodes" in browser.script("return picture.textContent"))


# MARK: What others must not do

ATTEMPTS = """<!DOCTYPE html><html lang="en"><title>another site</title><script>
async function attempt(base) {
    const results = {};
    const tried = async (name, promise) => { results[name] = await promise.then(() => 'done', () => 'refused'); };
    await tried('fetch', fetch(base));
    await tried('script', new Promise((done, failed) => {
        const script = Object.assign(document.createElement('script'), {src: base + 'preview.js', onload: done, onerror: failed});
        document.head.append(script);
    }));
    await tried('style', new Promise((done, failed) => {
        const link = Object.assign(document.createElement('link'),
            {rel: 'stylesheet', href: base + 'preview.css', onload: done, onerror: failed});
        document.head.append(link);
    }));
    await tried('socket', new Promise((done, failed) => {
        const socket = new WebSocket(base.replace('http', 'ws') + 'socket');
        socket.onopen = done;
        socket.onerror = failed;
    }));
    await tried('post', fetch(base, {method: 'POST', body: '{}'}));
    return results;
}
</script><body></body></html>"""


@cases.case("a page of another origin in the same browser gets nothing, even if it knows the token")
def elsewhere(browser, folder):
    with Preview(folder, REGISTER) as preview, Site(ATTEMPTS) as site:
        cases.opened(browser, preview)
        cases.origins.add(site.origin)
        browser.console()
        browser.open(site.origin + "/")
        run = "attempt(arguments[0]).then(arguments[1])"
        results = browser.driver.execute_async_script(run, preview.url)
        equal(set(results.values()), {"refused"}, f"attempts {results}")
        assert browser.console(), "the browser reports what was refused"
        # In a frame the page could be clicked unseen.
        browser.script("""
            const frame = Object.assign(document.createElement('iframe'), {src: arguments[0], title: 'frame'});
            frame.onload = () => { document.title = 'loaded'; };
            document.body.append(frame);
        """, preview.url)
        browser.wait("the frame", lambda: browser.driver.title == "loaded")
        browser.driver.switch_to.frame(0)
        equal(browser.all("#picture, #json"), [], "controls in the frame")
        browser.driver.switch_to.default_content()
        browser.console()
        equal(preview.pending(), [], "records")


@cases.case("a wrong token, a shorter one and none open nothing")
def guessed(browser, folder):
    with Preview(folder, REGISTER) as preview:
        cases.origins.add(preview.origin)
        token = preview.url.rstrip("/").rpartition("/")[2]
        equal(len(token), 32, "digits of the token")
        wrong = ("0" if token[0] != "0" else "1") + token[1:]
        for path in ["/", f"/{wrong}/", f"/{token[:-1]}/", f"/{token}", f"/{token}/../{token}/etc", f"/{token}/passwd"]:
            browser.open(preview.origin + path)
            equal(browser.all("#picture, #json, script"), [], path)
        browser.console()
        # The right one still does.
        cases.opened(browser, preview)


@cases.case("a name that leads to this machine, as a hostile DNS could make it, opens nothing")
def rebound(browser, folder):
    with Preview(folder, REGISTER) as preview:
        url = preview.url.replace("127.0.0.1", REBOUND)
        cases.origins.add(origin(url))
        browser.open(url)
        equal(browser.all("#picture, #json, script"), [], "controls")
        browser.shows("This address is not that of the preview.")
        assert browser.console(), "the browser reports the refusal"


if __name__ == "__main__":
    cases.run()
