#!/usr/bin/env python3
"""Runs a session of the Model Context Protocol with a built pushhost and an official client.

    mcp_client.py <pushhost> <folder of bundles>

Runs with either generation of the client (PyPI: mcp 1.x, mcp 2.x), which validates every message by its own types.
With 2.x it plays the session once for each era of the protocol.
"""

import asyncio
import logging
import os
import sys
import tempfile
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

from mcp import ClientSession, StdioServerParameters, stdio_client, types

try:
    from mcp import McpError as ProtocolError
except ImportError:
    from mcp import MCPError as ProtocolError
try:
    from mcp import Client
except ImportError:
    Client = None

GENERATION = version("mcp")
#: An extension whose calls wait until its gate is opened, so that one can be cancelled.
SLEEPER = {
    "sleeper/Info.plist": """<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>CFBundleIdentifier</key><string>com.example.sleeper</string>
<key>CFBundleExecutable</key><string>sleeper.py</string>
<key>NSExtension</key><dict>
<key>NSExtensionPointIdentifier</key><string>com.apple.usernotifications.content-extension</string>
<key>NSExtensionAttributes</key><dict><key>UNNotificationExtensionCategory</key><string>sleeper</string></dict>
</dict></dict></plist>
""",
    "sleeper/sleeper.py": """#!/usr/bin/env python3
import json, sys
for line in sys.stdin:
    call = json.loads(line)
    if call["method"] == "activate":
        result = {"version": "1.0"}
    elif call["method"] == "didReceive":
        open("gate").close()
        result = {"view": {"type": "text", "text": "Awake"}}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}), flush=True)
""",
}

checks = 0
#: The client's reports of unexpected responses: 2.x logs them, 1.x passes them to a handler.
strays = []


class Strays(logging.Handler):
    def emit(self, record):
        if "response for unknown" in record.getMessage():
            strays.append(record.getMessage())


async def handle_message(message):
    if isinstance(message, Exception):
        strays.append(str(message))


def check(condition, failure):
    global checks
    checks += 1
    if not condition:
        raise SystemExit(f"mcp {GENERATION}: {failure}")


def member(value, snake):
    """A member of a model: 2.x names it with underscores, 1.x as in the protocol."""
    head, *rest = snake.split("_")
    camel = head + "".join(word.capitalize() for word in rest)
    return getattr(value, snake) if hasattr(value, snake) else getattr(value, camel)


def structured(result):
    check(not member(result, "is_error"), f"a call failed: {result}")
    return member(result, "structured_content")


def text(result):
    return result.content[0].text


@asynccontextmanager
async def handshake(parameters):
    async with stdio_client(parameters) as streams, ClientSession(*streams, message_handler=handle_message) as session:
        await session.initialize()
        pong = (await session.send_ping()).model_dump(exclude_none=True)
        check(pong == {}, f"a ping gives {pong}, but some clients reject a result that is not empty")
        yield session


@asynccontextmanager
async def modern(parameters):
    async with Client(stdio_client(parameters)) as client:
        check(client.protocol_version == "2026-07-28", f"the client chose {client.protocol_version}")
        check(client.server_info and client.server_info.name == "pushhost", f"it is {client.server_info}")
        yield client


async def play(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    check("didReceive" in tools and "shutdown" not in tools, f"the tools are {list(tools)}")
    check(all(member(tool, "input_schema") for tool in tools.values()), "a tool has no inputSchema")

    payload = {"aps": {"alert": "Find the pairs", "category": "match_game"}, "braze_id": "ada"}
    shown = await client.call_tool("didReceive", {"payload": payload})
    notification = structured(shown)["notification"]
    check(text(shown).count("#card-") == 12, f"the board is {text(shown)}")
    turned = await client.call_tool("interact", {"notification": notification, "element": "card-0"})
    card = structured(turned)["view"]["children"][0]["children"][0]
    check(card["faceUp"] and "#card-0" in text(turned) and card["face"] in text(turned), f"the board is {text(turned)}")

    wrong = await client.call_tool("interact", {"notification": notification, "elements": "card-1"})
    check(member(wrong, "is_error") and "/params/arguments/elements" in text(wrong), f"wrong arguments give {wrong}")
    try:
        await client.call_tool("fly", {})
        check(False, "an unknown tool was called")
    except ProtocolError as error:
        check(error.error.code == -32602, f"an unknown tool is {error}")

    # Every tool without required params answers according to its schema, which the client validates.
    await client.call_tool("saveCustomEvent", {"name": "Played", "properties": {"score": 1.0}})
    for name, tool in tools.items():
        if not member(tool, "input_schema").get("required"):
            structured(await client.call_tool(name, {}))
    check(structured(await client.call_tool("ping", {})).keys() == {"version"}, "ping as a tool")


def cancellation(request):
    params = types.CancelledNotificationParams(requestId=request, reason="no need")
    return types.ClientNotification(
        types.CancelledNotification(method="notifications/cancelled", params=params)
    )


async def cancel(client, gate):
    """Cancels a call that an extension handles: it is not answered, and its effects stay."""
    payload = {"aps": {"alert": "Sleep", "category": "sleeper"}}
    request = getattr(client, "_request_id", None)
    call = asyncio.ensure_future(client.call_tool("didReceive", {"payload": payload}))
    await asyncio.sleep(0)  # Starts the call, which gets the next id.
    while structured(await client.call_tool("status", {}))["requestsInFlight"] == 0:
        pass
    call.cancel()
    try:
        await call
        check(False, "the cancelled call was answered")
    except asyncio.CancelledError:
        pass
    if request is not None:  # 1.x sends no cancellation when it stops waiting.
        await client.send_notification(cancellation(request))
    check(structured(await client.call_tool("ping", {})).keys() == {"version"}, "no ping after a cancellation")
    gate.open("w").close()
    shown = structured(await client.call_tool("notifications", {}))["notifications"]
    check(shown[-1]["extension"] == "com.example.sleeper", f"what is shown after a cancellation is {shown}")
    check(not strays, f"the cancelled call was answered: {strays}")


async def main(host, bundles):
    logging.getLogger("mcp").setLevel(logging.DEBUG)
    logging.getLogger("mcp").addHandler(Strays())
    with tempfile.TemporaryDirectory() as folder:
        for name, content in SLEEPER.items():
            path = Path(folder, "plugins", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
            path.chmod(0o755)
        gate = Path(folder, "plugins/sleeper/gate")
        os.mkfifo(gate)
        arguments = ["--plugins", bundles, "--plugins", f"{folder}/plugins", "--log-level", "error"]
        parameters = StdioServerParameters(command=host, args=[*arguments, "--data", f"{folder}/data"])
        eras = [handshake] if Client is None else [handshake, modern]
        for era in eras:
            async with era(parameters) as client:
                await play(client)
                await cancel(client, gate)
        names = " and ".join(era.__name__ for era in eras)
        print(f"mcp {GENERATION}: {names}, {checks} checks passed")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
