"""Cases about the harness itself: what it promises to find is found."""

from harness import Cases, Site, equal, origin

cases = Cases()


def page(folder, body):
    path = folder / "page.html"
    path.write_text(f"<!DOCTYPE html><html lang='en'><title>page</title><body>{body}</body></html>", encoding="utf-8")
    return path


@cases.case("a page without errors and requests passes")
def plain(browser, folder):
    browser.open(page(folder, "<p>Ada</p><img alt='' src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>"))
    browser.shows("Ada")
    equal([url.rpartition("/")[2] for url in browser.requests()], ["page.html"], "requests")


@cases.case("an error of a script is found in the console")
def console(browser, folder):
    browser.open(page(folder, "<script>throw new Error('planted')</script>"))
    found = browser.console()
    assert len(found) == 1 and "planted" in found[0], found


@cases.case("a request to another origin is found, and fails without a network")
def elsewhere(browser, folder):
    failed = "onerror='document.title = \"failed\"'"
    browser.open(page(folder, f"<img alt='' {failed} src='http://elsewhere.example/pixel.png'>"))
    browser.wait("the failed image", lambda: browser.driver.title == "failed")
    assert "http://elsewhere.example/pixel.png" in browser.requests()
    assert any("ERR_NAME_NOT_RESOLVED" in line for line in browser.console())


@cases.case("requests and WebSockets to this machine are found with their origin")
def loopback(browser, folder):
    with Site() as site:
        script = f"new WebSocket('ws://{site.address}/socket').onerror = () => document.title = 'closed'"
        browser.open(page(folder, f"<script>{script}</script><img alt='' src='{site.origin}/pixel.png'>"))
        browser.wait("the refused WebSocket", lambda: browser.driver.title == "closed")
        browser.wait("both requests", lambda: set(site.paths) == {"/socket", "/pixel.png"})
        found = browser.requests()
        assert f"ws://{site.address}/socket" in found and f"{site.origin}/pixel.png" in found, found
        equal({origin(url) for url in found} - {"file://"}, {site.origin}, "origins")
        assert browser.console()


@cases.case("the scheme that the browser prefers can be set")
def scheme(browser, folder):
    browser.open(page(folder, ""))
    for name in ["dark", "light"]:
        browser.scheme(name)
        equal(browser.script("return matchMedia(`(prefers-color-scheme: ${arguments[0]})`).matches", name), True, name)


cases.run()
