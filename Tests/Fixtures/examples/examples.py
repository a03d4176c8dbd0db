#!/usr/bin/env python3
"""Runs every example of the contract's documents with a real host, and compares the outcome.

    examples.py [--plugins FOLDER] [--only METHOD] PROGRAM [DOCUMENT …]

Knows the host's program and the documents, and nothing else. Without a document it asks the program for its own.
Each example gets a fresh host in a fresh folder. An example that a client can make is made by name and by position;
one that only an extension can make is made by a stand-in while it works on a call; an example of what the host calls
on an extension is a call that the stand-in must get, and its result must be taken from it. Exit code 1 says that an
example came out otherwise, with the values that differ.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from host import Failure, Host
from matching import Schemas, differences


class Document:
    """A document, and how its examples are run."""

    def __init__(self, document, program, plugins):
        self.json = document
        self._program, self._plugins = program, plugins
        self._schemas = Schemas(document)
        self._setting = document["x-examples"]
        self._answers = {**self._setting.get("answers", {}), **self._documented_answers()}

    def _documented_answers(self):
        """The stand-in's answers, if the document describes them."""
        if not self._is_extensions:
            return {}
        return {m["name"]: m["examples"][0]["result"]["value"] for m in self.json["methods"] if "result" in m}

    @property
    def _is_extensions(self):
        """Whether the host calls these methods instead of serving them."""
        return self.json["methods"][0]["name"] == "activate"

    def examples(self):
        """Every example with its method and the function that runs it."""
        for method in self.json["methods"]:
            make = self._answered if self._is_extensions else self._served
            for example in method.get("examples", []):
                yield method, example, make
            service = method.get("x-service")
            if isinstance(service, dict):
                for example in service["examples"]:
                    yield {**method, "result": service["result"]}, example, make
        for topic in self.json.get("x-notifications", []):
            for example in topic.get("examples", []):
                yield topic, example, self._told

    # MARK: Running an example

    def _served(self, method, example):
        params = {each["name"]: each["value"] for each in example["params"]}
        if "client" not in method["x-callers"]:
            return self._asked(method, example, params)
        forms = [params]
        names = [each["name"] for each in method["params"][: len(params)]]
        if set(names) == set(params):
            forms.append([params[name] for name in names])
        for form in forms:
            with self._host(example) as host:
                host.prepare()
                result = host.call(method["name"], form)
                self._compare(example["result"]["value"], result, method["result"]["schema"], example)
                host.finish()

    def _asked(self, method, example, params):
        """The stand-in makes the example's call while it handles the last call caused by the client's requests."""
        with self._host(example, {"method": method["name"], "params": params}) as host:
            host.prepare()
            host.finish()
            reply = host.stand_in_reply()
            if reply is None or "result" not in reply:
                raise Failure(f"the stand-in was answered {json.dumps(reply)}: {host.log()}")
            self._compare(example["result"]["value"], reply["result"], method["result"]["schema"], example)

    def _answered(self, method, example):
        answers = dict(self._answers)
        if "result" in example:
            answers[method["name"]] = example["result"]["value"]
        more = {"holds": method["name"]} if "x-point" in example and "result" not in example else {}
        with self._host(example, answers=answers, **more) as host:
            host.prepare()
            host.finish()
            params = {each["name"]: each["value"] for each in example["params"]}
            told = [m.get("params", {}) for m in host.stand_in_told() if m.get("method") == method["name"]]
            if not told:
                raise Failure(f"the stand-in was not told: {host.log()}")
            found = [list(self._differences(params, each, self._params(method), example)) for each in told]
            if all(found):
                raise Failure(text(found[-1]))

    def _told(self, topic, example):
        """The given requests lead to the notification."""
        with self._host(example, example.get("x-call")) as host:
            host.prepare()
            host.finish()
            told = [each["params"] for each in host.told if each.get("method") == topic["name"]]
        params = {each["name"]: each["value"] for each in example["params"]}
        if not told:
            raise Failure("the client was not told")
        self._compare(params, told[0], self._params(topic), example)

    # MARK: Parts

    def _host(self, example, call=None, **script):
        """A host with a stand-in, which makes the call while it handles the last call of the given requests."""
        script = {"answers": self._answers, **script}
        if call:
            during = sum(request["method"] in self._answers for request in example["x-given"])
            script["call"] = {**call, "during": during}
        return Host(self._program, self._plugins, self._setting, example, script)

    def _params(self, method):
        return {"properties": {each["name"]: each["schema"] for each in method["params"]}}

    def _differences(self, expected, actual, schema, example):
        return differences(expected, actual, schema, self._schemas, example.get("x-match") == "subset")

    def _compare(self, expected, actual, schema, example):
        found = list(self._differences(expected, actual, schema, example))
        if found:
            raise Failure(f"{text(found)}\n  it came out as {json.dumps(actual, ensure_ascii=False)}")


def text(found):
    return "; ".join(f"{path or '/'} is {json.dumps(b)} and not {json.dumps(a)}" for path, a, b in found)


def discovered(program):
    """The descriptions of methods that the program itself returns."""
    request = b'{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}\n'
    with tempfile.TemporaryDirectory(prefix="pushhost-example-") as data:
        run = subprocess.run([program, "--data", data], input=request, stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)["result"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--plugins", type=lambda path: Path(path).resolve(), help="the bundles that examples use")
    parser.add_argument("--only", metavar="METHOD", help="only the examples of this method")
    parser.add_argument("program", type=lambda path: str(Path(path).resolve()), help="the built host")
    parser.add_argument("documents", nargs="*", type=Path, metavar="DOCUMENT", help="an OpenRPC document")
    arguments = parser.parse_args()
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in arguments.documents]
    made = failed = 0
    for document in documents or [discovered(arguments.program)]:
        for method, example, make in Document(document, arguments.program, arguments.plugins).examples():
            if arguments.only not in (None, method["name"]):
                continue
            made += 1
            name = f"{document['info']['title']}: {method['name']}, {example['name']}"
            try:
                make(method, example)
                print(f"ok {name}", flush=True)
            except Failure as failure:
                failed += 1
                print(f"FAILED {name}: {failure}", flush=True)
    print(f"{made} examples, {failed} failed")
    return 1 if failed or not made else 0


if __name__ == "__main__":
    sys.exit(main())
