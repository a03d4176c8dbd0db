import Foundation
import JSON
import TestSupport
import Testing

/// Extensions in every usual language run in the sandbox without permissions.
@Suite(.waits, .wire) struct SandboxInterpreterTests {
    struct Program: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        /// Prepares the folder of the bundle.
        var prepare: @Sendable (String) throws -> Void = { _ in }

        var testDescription: String { name }
    }

    private static let python = """
        import json, sys
        import greeting
        for line in sys.stdin:
            call = json.loads(line)
            if "id" not in call: continue
            result = {"version": "1.0"} if call["method"] == "activate" else {"view": {"type": "text", "text": greeting.TEXT}}
            print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}), flush=True)
        """

    private static let programs = [
        Program(name: "Python", text: "#!/usr/bin/env python3\n" + python) { folder in
            try Data("TEXT = 'hello'\n".utf8).write(to: URL(filePath: "\(folder)/greeting.py"))
        },
        Program(name: "Python in a virtual environment", text: "#!@/.venv/bin/python3\n" + python) { folder in
            let venv = try ChildProcess("python3", ["-m", "venv", "--without-pip", "\(folder)/.venv"])
            guard try venv.wait() == .code(0) else { throw TestFailure("no environment: \(venv.standardError)") }
            let library = "\(folder)/.venv/lib"
            let version = try FileManager.default.contentsOfDirectory(atPath: library).first ?? ""
            let text = Data("TEXT = 'hello'\n".utf8)
            try text.write(to: URL(filePath: "\(library)/\(version)/site-packages/greeting.py"))
        },
        Program(
            name: "Node with node_modules",
            text: """
                #!/usr/bin/env node
                const readline = require("readline");
                const text = require("greeting");
                readline.createInterface({ input: process.stdin }).on("line", (line) => {
                  const call = JSON.parse(line);
                  if (call.id === undefined) return;
                  const result = call.method === "activate" ? { version: "1.0" } : { view: { type: "text", text } };
                  console.log(JSON.stringify({ jsonrpc: "2.0", id: call.id, result }));
                });
                """
        ) { folder in
            try FileManager.default.createDirectory(
                atPath: "\(folder)/node_modules/greeting",
                withIntermediateDirectories: true
            )
            try Data(#"module.exports = "hello";"#.utf8)
                .write(to: URL(filePath: "\(folder)/node_modules/greeting/index.js"))
        },
        Program(
            name: "Ruby",
            text: """
                #!/usr/bin/env ruby
                require "json"
                $stdout.sync = true
                STDIN.each_line do |line|
                  call = JSON.parse(line)
                  next unless call["id"]
                  result = call["method"] == "activate" ? {version: "1.0"} : {view: {type: "text", text: "hello"}}
                  puts JSON.generate(jsonrpc: "2.0", id: call["id"], result: result)
                end
                """
        ),
        Program(
            name: "Perl",
            text: """
                #!/usr/bin/env perl
                use JSON::PP;
                $| = 1;
                while (my $line = <STDIN>) {
                    my $call = decode_json($line);
                    next unless defined $call->{id};
                    my $view = {type => "text", text => "hello"};
                    my $result = $call->{method} eq "activate" ? {version => "1.0"} : {view => $view};
                    print encode_json({jsonrpc => "2.0", id => $call->{id}, result => $result}), "\\n";
                }
                """
        ),
        Program(
            name: "a shell with other programs",
            text: """
                #!/bin/sh
                while read -r line; do
                    id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p' | head -n 1)
                    [ -n "$id" ] || continue
                    case $line in
                    *'"method":"activate"'*) result='{"version":"1.0"}' ;;
                    *) result='{"view":{"type":"text","text":"hello"}}' ;;
                    esac
                    echo '{"jsonrpc":"2.0","id":'"$id"',"result":'"$result"'}'
                done
                """
        ),
        Program(
            name: "awk",
            text: """
                #!/usr/bin/env -S mawk -W interactive -f
                match($0, /"id":[0-9]+/) {
                    id = substr($0, RSTART + 5, RLENGTH - 5)
                    result = "{\\"view\\":{\\"type\\":\\"text\\",\\"text\\":\\"hello\\"}}"
                    if (/"method":"activate"/) result = "{\\"version\\":\\"1.0\\"}"
                    printf "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":%s,\\"result\\":%s}\\n", id, result
                    fflush()
                }
                """
        ),
    ]

    @Test("An extension runs in its sandbox unchanged", arguments: programs)
    func unchanged(_ program: Program) throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(named: "greeter", script: nil, permissions: [:])
            try program.prepare(folder)
            try writeExecutable(program.text.replacing("@", with: folder), to: "\(folder)/run")
            let host = try workspace.host()
            let result = try host.result("didReceive", HostProcess.payload("greeter"))
            let errors = try host.describe("greeter")["stderr"] ?? ""
            #expect(result["view"]?["text"] == "hello", "\(result); \(errors)")
        }
    }
}
