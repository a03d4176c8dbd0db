#!/usr/bin/env python3
"""Shows every kind of node; a touch in one notification may change or end the others."""
import json, sys

# The open presentations, oldest first.
shown = []
# The pages of carousels.
stories = {}


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


ACTIONS = [
    {
        "identifier": "REPLY",
        "title": "Reply",
        "options": ["foreground"],
        "textInput": {"buttonTitle": "Send", "placeholder": "Your reply"},
    },
    {"identifier": "DELETE", "title": "Delete", "options": ["destructive"]},
]


def cards(*faces):
    return [
        {"type": "card", "id": f"card-{index}", "faceUp": face is not None, "matched": matched}
        | ({"face": face} if face else {})
        for index, (face, matched) in enumerate(faces)
    ]


def view(echo):
    touchable = [
        {"type": "button", "id": id, "title": title}
        for id, title in [("change", "Change"), ("end", "End"), ("crash", "Crash"), ("refuse", "Refuse")]
    ]
    return {
        "type": "stack",
        "children": [
            {"type": "text", "text": "two\nlines"},
            {"type": "image", "url": "https://example.com/a.png"},
            {"type": "progress", "value": 3, "total": 12},
            {"type": "grid", "columns": 2, "children": cards(("🌈 rainbow", False), (None, False), ("star", True))},
            {"type": "field", "id": "note", "value": "", "placeholder": "A note"},
            *touchable,
            {"type": "text", "id": "echo", "text": json.dumps(echo, separators=(",", ":"))},
        ],
    }


def text(words):
    return {"type": "text", "text": words}


def story(pages, page):
    return {"type": "carousel", "id": "story", "page": page, "children": [text(words) for words in pages]}


def handle(method, params):
    """The result of a call, and the messages sent after it."""
    notification = params.get("notification")
    if method == "activate":
        return {"version": "1.0"}, []
    if method == "didReceive":
        if notification not in shown:
            shown.append(notification)
        payload = params["request"]["content"]["userInfo"]
        if "trace" in payload:
            open(payload["trace"], "w").close()
        if "print" in payload:
            print(payload["print"], file=sys.stderr, flush=True)
        if "gate" in payload:
            open(payload["gate"]).readline()
        if "pages" in payload:
            stories[notification] = payload["pages"]
            return {"view": story(payload["pages"], 0)}, []
        return {"view": view(payload.get("echo")), "actions": ACTIONS, "media": {"button": "default"}}, []
    if method in ("mediaPlay", "mediaPause"):
        return {"media": {"button": "default", "playing": method == "mediaPlay"}}, []
    if method == "didReceiveResponse":
        if params["actionIdentifier"] == "REPLY":
            return {"option": "doNotDismiss", "view": text("You wrote " + params["userText"])}, []
        link = {"url": "https://example.com/deleted"} if params["actionIdentifier"] == "DELETE" else {}
        return {"option": "dismissAndForward", **link}, []
    element = params["element"]
    others = [other for other in shown if other != notification]
    if element == "change":
        return {}, [("setView", {"notification": other, "view": text("changed unasked")}) for other in others]
    if element == "end":
        return {}, [("dismissNotificationContentExtension", {"notification": other}) for other in others]
    if element == "crash":
        sys.exit("the last words")
    if element == "story":
        return {"view": story(stories[notification], params["value"])}, []
    if element == "note":
        return {"view": text("You noted " + params["value"])}, []
    return None, []


for message in map(json.loads, sys.stdin):
    if "id" not in message:
        if message["method"] == "didDismiss":
            shown.remove(message["params"]["notification"])
        continue
    result, later = handle(message["method"], message["params"])
    refusal = {"code": 7, "message": "not this one", "data": {"reason": "notThisOne"}}
    send(id=message["id"], **({"error": refusal} if result is None else {"result": result}))
    for method, params in later:
        send(method=method, params=params)
