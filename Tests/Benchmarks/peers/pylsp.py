"""`ping` on python-lsp-jsonrpc, framed by Content-Length."""

import sys

from pylsp_jsonrpc.dispatchers import MethodDispatcher
from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter


class Server(MethodDispatcher):
    def m_ping(self, **_params):
        return {"version": "1.0"}


writer = JsonRpcStreamWriter(sys.stdout.buffer)
endpoint = Endpoint(Server(), writer.write)
JsonRpcStreamReader(sys.stdin.buffer).listen(endpoint.consume)
endpoint.shutdown()
