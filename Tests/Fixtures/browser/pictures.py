"""Cases about pictures: the pages and SVG files of `pushhost push`."""

import base64
import json

from harness import ROOT, Cases, Site, equal, pushhost

cases = Cases()

# A profile for the bundle whose payload is a template.
PROFILE = {
    "first_name": "Ada",
    "custom_attribute": {"level": "advanced", "completed_sessions": ["a", "b", "c"]},
    "api_trigger_properties": {"next_session_name": "Currents", "due": "2026-02-01T10:00:00Z"},
    "time_zone": "UTC",
}
BUNDLES = sorted(path.parent.name for path in (ROOT / "plugins").glob("*/payload.apns"))
MIRROR = ROOT / "Tests/Fixtures/browser/mirror"
# A view has at most 1,000 nodes in a picture, and each takes a few elements.
ELEMENT_LIMIT = 10_000


def picture(folder, payload, *options, kind="html", plugins=ROOT / "plugins"):
    """The file with the picture of a payload."""
    file = folder / f"picture.{kind}"
    pushhost("push", payload, f"--{kind}", file, "--plugins", plugins, "--seed", "1", *options)
    return file


def of_bundle(folder, bundle, *options, kind="html"):
    profile = folder / "profile.json"
    profile.write_text(json.dumps(PROFILE), encoding="utf-8")
    more = ["--profile", profile] if bundle == "liquid" else []
    return picture(folder, ROOT / "plugins" / bundle / "payload.apns", *more, *options, kind=kind)


def of_reply(folder, reply, alert="Hello", kind="html", options=()):
    """The picture of what an extension replies."""
    (folder / "reply.json").write_text(json.dumps(reply), encoding="utf-8")
    payload = {"aps": {"alert": alert, "category": "mirror"}, "replyFile": str(folder / "reply.json")}
    (folder / "payload.apns").write_text(json.dumps(payload), encoding="utf-8")
    return picture(folder, folder / "payload.apns", *options, kind=kind, plugins=MIRROR)


def elements(browser, selector="*"):
    return browser.script("return document.querySelectorAll(arguments[0]).length", selector)


@cases.case("the page of every bundle opens in both schemes, with no request but the one for the file")
def bundles(browser, folder):
    assert len(BUNDLES) >= 14, BUNDLES
    for bundle in BUNDLES:
        file = of_bundle(folder, bundle)
        browser.scheme("light")
        browser.open(file)
        light = browser.script("return getComputedStyle(document.body).backgroundColor")
        browser.scheme("dark")
        dark = browser.script("return getComputedStyle(document.body).backgroundColor")
        assert light != dark, f"{bundle}: {light} in both schemes"
        equal(browser.script("return document.documentElement.scrollWidth <= innerWidth"), True, f"{bundle}: width")
        equal(elements(browser, "script, link, iframe, object, embed"), 0, f"{bundle}: what could load something")
        equal(browser.requests(), [file.as_uri()], f"{bundle}: requests")
        equal(browser.console(), [], f"{bundle}: console")


@cases.case("a page with a scheme of its own keeps it, whatever the browser prefers")
def schemes(browser, folder):
    colors = {}
    for name in ["light", "dark"]:
        browser.open(of_bundle(folder, "register", "--scheme", name))
        for preferred in ["light", "dark"]:
            browser.scheme(preferred)
            colors[name, preferred] = browser.script("return getComputedStyle(document.body).backgroundColor")
        equal(colors[name, "light"], colors[name, "dark"], f"the background of {name}")
    assert colors["light", "light"] != colors["dark", "dark"], colors


@cases.case("the SVG of every bundle has room for its content, also with the largest text")
def heights(browser, folder):
    measure = """
        const object = document.querySelector('foreignObject');
        const content = object.firstElementChild;
        return [content.scrollHeight, object.height.baseVal.value, content.scrollWidth, object.width.baseVal.value];
    """
    for bundle in BUNDLES:
        for size in ["large", "accessibility-extra-extra-extra-large"]:
            name = f"{bundle} with {size} text"
            file = of_bundle(folder, bundle, "--text-size", size, kind="svg")
            browser.open(file)
            height, room, width, space = browser.script(measure)
            assert 0 < height <= room, f"{name}: the content is {height} high, the picture {room}"
            assert 0 < width <= space, f"{name}: the content is {width} wide, the picture {space}"
            equal(browser.requests(), [file.as_uri()], f"{name}: requests")


@cases.case("an image in a local file is in the page and the SVG themselves")
def local(browser, folder):
    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    (folder / "pixel.png").write_bytes(base64.b64decode(pixel))
    reply = {"view": {"type": "image", "url": (folder / "pixel.png").as_uri(), "alt": "A pixel"}}
    for kind in ["html", "svg"]:
        file = of_reply(folder, reply, kind=kind)
        (folder / "pixel.png").rename(folder / "moved.png")
        browser.open(file)
        equal(browser.script("return [...document.querySelectorAll('img')].map(i => i.naturalWidth)"), [1], "widths")
        equal(browser.requests(), [file.as_uri()], "requests")
        (folder / "moved.png").rename(folder / "pixel.png")


@cases.case("an image of the web is fetched only if that is allowed, and then nothing else is")
def remote(browser, folder):
    with Site() as site:
        reply = {"view": {"type": "image", "url": f"{site.origin}/image.png", "alt": "A lighthouse"}}
        browser.open(of_reply(folder, reply))
        browser.shows("A lighthouse")
        equal(site.paths, [], "requests")
        cases.origins.add(site.origin)
        browser.open(of_reply(folder, reply, options=["--remote-images"]))
        browser.wait("the image", lambda: site.paths)
        equal(set(site.paths), {"/image.png"}, "requests")


@cases.case("the policy of a page stops scripts, handlers and requests, even if something were injected")
def policy(browser, folder):
    browser.open(of_bundle(folder, "register"))
    inject = """
        window.violations = [];
        addEventListener('securitypolicyviolation', event => violations.push(event.effectiveDirective));
        const [site] = arguments;
        const script = document.createElement('script');
        script.textContent = 'document.title = "ran"';
        document.body.append(script);
        document.body.insertAdjacentHTML('beforeend', `<img alt="" src="x:y" onerror="document.title = 'ran'">`
            + `<img alt="" src="${site}/pixel.png"><iframe title="t" src="${site}/"></iframe>`
            + `<link rel="stylesheet" href="${site}/style.css">`);
        fetch(site).catch(() => {});
    """
    title = browser.driver.title
    with Site() as site:
        browser.script(inject, site.origin)
        wanted = {"script-src-elem", "script-src-attr", "img-src", "frame-src", "style-src-elem", "connect-src"}
        browser.wait("all violations", lambda: set(browser.script("return violations")) >= wanted)
        equal(site.paths, [], "requests")
    equal(browser.driver.title, title, "title")
    # The browser lists what it stopped.
    assert browser.console() and browser.requests()


# Texts that must stay texts.
HOSTILE = [
    "<script>document.title = 'ran'</script>",
    "\"><img src=x onerror=\"document.title = 'ran'\">",
    "'><svg onload=\"document.title = 'ran'\">",
    "</style></title></textarea><script>document.title = 'ran'</script>",
    "]]></foreignObject><script>document.title = 'ran'</script><!--",
    "&lt;b&gt; &amp;#60;script&#62;",
    "javascript:document.title='ran'",
]


def hostile_reply(text):
    actions = [
        {"identifier": text, "title": text, "options": ["destructive"]},
        {"identifier": text + "2", "title": text, "textInput": {"buttonTitle": text, "placeholder": text}},
    ]
    leaves = [
        {"type": "text", "id": text, "text": text, "style": "title"},
        {"type": "image", "url": text, "alt": text},
        {"type": "image", "url": "data:text/html," + text, "alt": text},
        {"type": "card", "id": text + "card", "face": text, "faceUp": True},
        {"type": "button", "id": text + "button", "title": text},
        {"type": "field", "id": text + "field", "value": text, "placeholder": text},
        {"type": "progress", "value": text, "total": text},
        {"type": "carousel", "id": text + "carousel", "page": 0, "children": [{"type": "text", "text": text}]},
    ]
    return {"view": {"type": "stack", "children": leaves}, "actions": actions, "title": text}


@cases.case("hostile texts stay texts, in a page and in an SVG")
def hostile(browser, folder):
    for text in HOSTILE:
        for kind in ["html", "svg"]:
            alert = {"title": text, "subtitle": text, "body": text}
            browser.open(of_reply(folder, hostile_reply(text), alert, kind))
            equal(elements(browser, "script, svg svg[onload], iframe, [src=x]"), 0, f"{kind} of {text}: elements")
            handlers = browser.script("""
                return [...document.querySelectorAll('*')].flatMap(element => [...element.attributes])
                    .filter(attribute => attribute.name.startsWith('on') || /^javascript:/i.test(attribute.value))
                    .filter(attribute => !['alt', 'value', 'placeholder', 'aria-label', 'aria-valuetext', 'title']
                        .includes(attribute.name)).map(attribute => attribute.name + '=' + attribute.value)
            """)
            equal(handlers, [], f"{kind} of {text}: handlers")
            shown = browser.script("return document.documentElement.textContent")
            assert shown.count(text) >= 6, f"{kind}: {text} is shown {shown.count(text)} times in {shown}"
            assert browser.driver.title != "ran", text


@cases.case("a text that changes the direction of writing changes nothing beside it")
def direction(browser, folder):
    override = "\u202egnp.exe\u2066\u2067\u200f"
    view = {"type": "row", "children": [{"type": "text", "text": override}, {"type": "text", "text": "left to right"}]}
    browser.open(of_reply(folder, {"view": view}, {"title": override, "body": override}))
    text = browser.script("return document.documentElement.textContent")
    equal([mark for mark in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" if mark in text], [], "marks")
    # Where the first and the last letter of the neighbour are.
    places = browser.script("""
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            if (walker.currentNode.data !== 'left to right') continue;
            return [0, 12].map(index => {
                const range = document.createRange();
                range.setStart(walker.currentNode, index);
                range.setEnd(walker.currentNode, index + 1);
                return range.getBoundingClientRect().left;
            });
        }
    """)
    assert places[0] < places[1], places


@cases.case("a view of 10,000 nodes is cut, with a message, in a page of a bounded number of elements")
def many(browser, folder):
    leaves = [{"type": "card", "id": f"card-{index}", "face": f"face {index}", "faceUp": True} for index in range(10_000)]
    for kind in ["stack", "row", "grid"]:
        node = {"type": kind, "children": leaves, **({"columns": 100} if kind == "grid" else {})}
        for file in ["html", "svg"]:
            browser.open(of_reply(folder, {"view": node}, kind=file))
            count = elements(browser)
            assert count <= ELEMENT_LIMIT, f"{file} of a {kind}: {count} elements"
            if kind != "row":
                assert count >= 1_000, f"{file} of a {kind}: {count} elements"
            shown = browser.script("return document.documentElement.textContent")
            assert "more than 1000 nodes" in shown, f"{file} of a {kind}"
            assert "face 10" in shown, f"{file} of a {kind}"


if __name__ == "__main__":
    cases.run()
