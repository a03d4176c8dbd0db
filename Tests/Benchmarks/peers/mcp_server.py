"""A `ping` tool on the MCP Python SDK 2.x, over its stdio transport."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("benchmark", log_level="ERROR")


@server.tool()
def ping() -> dict[str, str]:
    return {"version": "1.0"}


server.run("stdio")
