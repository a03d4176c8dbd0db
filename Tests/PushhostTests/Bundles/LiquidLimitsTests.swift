import Foundation
import JSON
import TestSupport
import Testing

/// Templates that exceed limits, in a process with as much memory as the host allows.
@Suite(.waits) struct LiquidLimitsTests {
    /// The memory that the host allows an extension, in KiB.
    private static let limits = "ulimit -v 524288"

    /// Data for templates to multiply; only what the template names is included.
    private static func profile(_ template: String) -> JSON {
        .object(JSON.Object(data.filter { template.contains($0.0) }))
    }

    private static let data: [(String, JSON)] = [
        ("big", .string(String(repeating: "x", count: 200_000))),
        ("a", .string(String(repeating: "a", count: 60_000))),
        ("items", JSON((0..<9_999).map { JSON($0) })),
        ("scripts", .string(String(repeating: "<script", count: 9_000))),
        ("comments", .string(String(repeating: "<!--", count: 16_000))),
        ("nines", .string(String(repeating: "9", count: 40_000))),
        ("seconds", .string(String(repeating: "%s", count: 20_000))),
        ("wide", .string(String(repeating: "%9999999N", count: 100))),
    ]

    private static func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

    /// Templates by the limit that their errors name.
    private static let templates: [(limit: String, templates: [String])] = [
        (
            "10000 items for a range",
            [
                "{% for i in (1..1000000000) %}x{% endfor %}", "{% for i in (1..1000000000) limit: 1 %}x{% endfor %}",
                "{% assign n = 1000000000 %}{{ (1..n) | join: 'x' }}", "{{ (1..1000000000) | size }}",
                "{% tablerow i in (1..1000000000) %}{% endtablerow %}",
                "{% if (1..1000000000) contains 'x' %}{% endif %}",
            ]
        ),
        (
            "100000 steps for the templates of a payload",
            [
                "{% for i in (1..10000) %}{% for j in (1..10000) %}x{% endfor %}{% endfor %}",
                "{% for i in (1..10000) %}{% for j in (1..10000) %}{% endfor %}{% endfor %}",
                "{% for i in (1..10000) %}{% for j in (1..10000) %}{% assign k = j %}{% endfor %}{% endfor %}",
                "{% for i in (1..10000) %}{% for j in (1..1000) %}{% cycle 'a', 'b' %}{% endfor %}{% endfor %}",
            ]
        ),
        (
            "131072 bytes for a value",
            [
                "{% assign a = 'aaaaaaaaaa' %}" + times(60, "{% assign a = a | append: a %}"),
                "{% assign b = 'aaaaaaaa' %}{% for i in (1..10000) %}{% assign b = b | append: b %}{% endfor %}",
                "{{ a | replace: 'a', a }}", "{{ a | replace: '', a }}", "{{ big | upcase }}",
                "{{ big | json_escape }}",
                "{% assign s = a | split: '' %}{{ s | join: a }}", "{{ items | join: a }}",
                "{% assign s = items %}" + times(30, "{% assign s = s | concat: s %}"),
                "{{ 'now' | date: '%1000000000Y' }}", "{{ 'now' | date: '\(times(600, "%1000Y"))' }}",
                "{{ 1 | date: seconds }}", "{{ 1 | time_zone: 'UTC', seconds }}", "{{ 1 | time_zone: 'UTC', wide }}",
                "{{ a | replace: 'a', '&'\(times(6, " | escape")) }}",
                "{% assign s = items | concat: items %}{{ s }}",
            ]
        ),
        (
            "1048576 bytes for all that is assigned and captured",
            [
                "{% assign a = 'aaaaaaaaaa' %}"
                    + times(30, "{% capture a %}{{a}}{{a}}{{a}}{{a}}{% endcapture %}"),
                "{% for i in (1..100) %}{% assign b = a %}{% endfor %}",
            ]
        ),
        (
            "65536 bytes for all that is rendered",
            [
                "{{ big }}", "{{ a }}{{ a }}", "{% if big == big %}{{ big }}{% endif %}",
                "{% for i in (1..10000) %}0123456789{% endfor %}",
                "{% tablerow i in (1..10000) cols:1 %}{% endtablerow %}",
                "{% for i in (1..10000) %}{% for j in (1..10000) %}{% increment x %}{% endfor %}{% endfor %}",
            ]
        ),
        (
            "4096 bits for a number",
            [
                "{% assign n = 99999999 %}" + times(60, "{% assign n = n | times: n %}"),
                "{{ '\(times(3_000, "9"))' | plus: 1 }}",
            ]
        ),
        (
            "16777216 bytes for all that filters and comparisons look at",
            [
                "{{ scripts | strip_html }}", "{{ comments | strip_html }}",
                "{% for i in (1..10000) %}{% assign n = a | upcase | downcase | size %}{% endfor %}",
                "{% assign p = a | slice: 0, 30000 | append: 'b' %}"
                    + "{% for i in (1..10000) %}{% if a contains p %}x{% endif %}{% endfor %}",
                "{% for i in (1..10000) %}{% if items == scripts %}x{% endif %}{% endfor %}",
                "{% for i in (1..10000) %}{% case a %}{% when scripts %}x{% endcase %}{% endfor %}",
            ]
        ),
        (
            "a tag may have 4096 bytes",
            ["{{ '\(times(5_000, "x"))' }}", "{{ a\(times(2_000, "[a"))\(times(2_000, "]")) }}", times(4_000, "{% ")]
        ),
        ("the templates of a payload may have 16384 bytes", [times(4_000, "{{a}}"), "{{a}}" + times(17_000, "x")]),
        ("blocks may nest 100 deep", [times(150, "{% if true %}") + times(150, "{% endif %}")]),
    ]

    @Test("A template that exceeds a limit is refused with that limit, and the next template is rendered")
    func limits() throws {
        try LiquidRenderer.with(limits: Self.limits) { renderer throws in
            for (limit, templates) in Self.templates {
                for template in templates {
                    let rendered = try renderer.render(template, Self.profile(template))
                    let start = "\(template.prefix(80)): \(rendered.answer.description.prefix(300))"
                    #expect(rendered.reason == "limitReached", "\(start)")
                    #expect(rendered.message == "the template goes past a limit: \(limit)", "\(start)")
                    #expect(rendered.error?["data"]?["path"] == "/params/payload/text")
                    #expect(try renderer.render("{{ 1 | plus: 1 }}").text == "2")
                }
            }
        }
    }

    @Test("Templates that only look expensive to parse or render are rendered quickly")
    func harmless() throws {
        let templates = [
            "{{ \(Self.times(4_000, "(")) }}", "{% if \(Self.times(400, "a and "))a %}{% endif %}",
            "{% if \(Self.times(900, "a & ")) %}{% endif %}",
            "{% raw %}\(Self.times(5_000, "{{ ")){% endraw %}",
            "{{ 1.5 | round: 1000000000 }}{{ 5 | round: -1000000000 }}",
            "{{ nix\(Self.times(450, " | upcase")) }}", "{{ nines | date: seconds | size }}",
            "{% assign p = a | slice: 0, 30000 | append: 'b' %}{{ a | replace: p, 'x' | size }}",
            "{% for i in items %}{% for j in items limit: 0 %}{% endfor %}{% endfor %}",
            (1...1_200).map { "{{${a\($0)} b}}" }.joined(),
        ]
        try LiquidRenderer.with(limits: Self.limits) { renderer throws in
            for template in templates {
                #expect(try renderer.render(template, Self.profile(template)).text != nil, "\(template.prefix(80))")
            }
            let long = "{% tablerow \(Self.times(4_000, "a")) %}{% endtablerow %}"
            #expect(try renderer.render(long).reason == "invalidTemplate")
        }
    }

    @Test("The limits apply to all strings of a payload together, and start again with the next payload")
    func together() throws {
        try LiquidRenderer.with(limits: Self.limits) { renderer throws in
            let loop: JSON = "{% for i in (1..8000) %}{{ i | slice: 5 }}{% endfor %}"
            let rows: [(template: JSON, fits: Int, limit: String)] = [
                (loop, 4, "100000 steps"), ("{{ a }}", 1, "65536 bytes"),
                (.string("{{b}}" + Self.times(5_000, "x")), 3, "16384 bytes"),
                ("{% capture x %}{% for i in (1..7) %}{{ a }}{% endfor %}{% endcapture %}", 2, "1048576 bytes"),
            ]
            let profile = Self.profile("a")
            for row in rows {
                for _ in 1...2 {
                    let fitting = JSON(Array(repeating: row.template, count: row.fits))
                    let passing = JSON(Array(repeating: row.template, count: row.fits + 10))
                    #expect(try renderer.personalize(["l": fitting], profile)["error"] == nil, "\(row.limit)")
                    let error = try renderer.personalize(["l": passing], profile)["error"]
                    #expect(error?["message"]?.string?.contains(row.limit) == true, "\(row.limit): \(error ?? .null)")
                }
            }
        }
    }

    @Test("A limit on processor time applies below all other limits")
    func processorTime() throws {
        try LiquidRenderer.requireLibrary()
        let script = """
            require "\(LiquidRenderer.bundle)/library"
            Personalization::Library.load
            Personalization::Limits.send(:remove_const, :PROCESSOR_SECONDS)
            Personalization::Limits::PROCESSOR_SECONDS = 0
            begin
              Personalization::Message.new({ "a" => "{{ 1 | plus: 1 }}" }, {}, Time.at(0)).personalize
            rescue Personalization::Failure => e
              print e.message
            end
            """
        let ruby = try ChildProcess(Tool.ruby.path(), ["-e", script])
        #expect(try ruby.readToEnd() == "the template goes past a limit: 0 s of processor time")
        #expect(try ruby.wait() == .code(0), "\(ruby.standardError)")
    }

    @Test("A template with many absent attributes gets the first 100 diagnostics and the number of the others")
    func diagnostics() throws {
        let template = (1...1_500).map { "{{a\($0)}}" }.joined()
        try LiquidRenderer.with { renderer throws in
            let rendered = try renderer.render(template)
            #expect(rendered.text == "")
            #expect(rendered.diagnostics.count == 101)
            #expect(rendered.messages.dropFirst(99).first?.hasPrefix("a100 ") == true)
            #expect(rendered.reasons.last == "moreDiagnostics")
            #expect(rendered.messages.last == "there are 1400 more, which are not listed")
        }
    }

    @Test("Many payloads do not increase the memory of the process")
    func memory() throws {
        try LiquidRenderer.with(limits: Self.limits) { renderer throws in
            let template =
                "{% for i in (1..200) %}{{ a | slice: i, 200 | upcase }}{% endfor %}{% assign x = a | slice: 0, 9000 | split: '' | join %}"
            func render(_ count: Int) throws -> Int {
                for _ in 1...count {
                    #expect(try renderer.render(template, Self.profile(template)).text?.utf8.count == 40_000)
                }
                return Processes.residentMemory(of: renderer.process.pid)
            }
            let settled = try render(60)
            #expect(try render(120) < settled * 2 + 64 << 20)
        }
    }
}
