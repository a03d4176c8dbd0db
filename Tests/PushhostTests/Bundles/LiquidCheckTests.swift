import JSON
import TestSupport
import Testing

/// What `plugins/liquid` says about templates and profiles without a mistake of Liquid: names that were nearly right.
@Suite(.waits) struct LiquidCheckTests {
    @Test("Templates are checked without a profile: all of them, and all their branches")
    func templates() throws {
        let rows: [(String, [String], [String])] = [
            ("{{${first_name} | default: 'x' | upcase}}{% if a %}{{custom_attribute.${b c}}}{% endif %}", [], []),
            ("{{${first_name} {% if %}", ["{{${first_name} {% if %} has no }}"], []),
            (
                "{% if a %}\n{{ 'x' | shout }}{% endif %}{% assign b = 'x' | yell %}{% for i in (1..2) %}{{ i | cry }}"
                    + "{% endfor %}",
                [
                    "line 2: there is no filter shout", "line 2: there is no filter yell",
                    "line 2: there is no filter cry",
                ],
                []
            ), ("{% connected_content https://example.com %}{% promotion('x') %}", [], []),
            ("{{ 1 | divided_by: 0 }}", [], []), ("{% abort_message('x') %}", [], []),
            (
                "{% if 5 >= 1 && ${x} < 20 %}y{% endif %}", [],
                [
                    "Liquid reads this as far as it can and ignores the rest: "
                        + #"Unexpected character & in "5 >= 1 && ${x} < 20" (line 1)"#
                ]
            ),
            (
                "{{ x | camelize }}",
                [#"the filter camelize is not supported by Braze, as its page of filters says, nor here"#], []
            ),
        ]
        try LiquidRenderer.with { renderer throws in
            for (template, mistakes, diagnostics) in rows {
                let payload: JSON = ["aps": ["alert": .string(template)]]
                let result = try renderer.call("checkTemplates", ["payload": payload])["result"]
                #expect((result?["mistakes"]).elements.compactMap { $0["message"]?.string } == mistakes, "\(template)")
                #expect(
                    (result?["diagnostics"]).elements.compactMap { $0["message"]?.string } == diagnostics,
                    "\(template)"
                )
                for finding in (result?["mistakes"]).elements + (result?["diagnostics"]).elements {
                    #expect(finding["path"] == "/params/payload/aps/alert")
                }
            }
            let long = JSON.string("{{x}}" + String(repeating: "y", count: 20_000))
            let result = try renderer.call("checkTemplates", ["payload": ["a": ["{{"], "b": long]])["result"]
            #expect((result?["mistakes"]).elements.map { $0["reason"] } == ["limitReached"])
            #expect(try renderer.call("checkTemplates", ["payload": 1])["error"]?["code"] == -32602)
        }
    }

    @Test("A name that is nearly right is reported, in the template or in the profile")
    func nearMisses() throws {
        let level: JSON = ["level": 1]
        let rows: [(String, JSON, String)] = [
            ("{{custom_attributes.${level}}}", ["custom_attribute": level], "did you mean custom_attribute?"),
            (
                "{{custom_attribute.${level}}}", ["custom_attributes": level],
                "rename custom_attributes in the profile to custom_attribute"
            ),
            ("{{custom_attribute.${leval}}}", ["custom_attribute": level], "did you mean custom_attribute.${level}?"),
            (
                "{{custom_attribute.${a}.${b c}}}", ["custom_attribute": ["a": ["bc": 1]]],
                "did you mean custom_attribute.${a}.${bc}?"
            ), ("{{${firstname}}}", ["first_name": "Ada"], "did you mean ${first_name}?"),
            ("{{${firstname}}}", [:], "did you mean ${first_name}?"),
            ("{{${first_name}}}", ["firstName": "Ada"], "rename firstName in the profile to first_name"),
            ("{{${city}}}", ["country": "x", "first_name": "x"], "`| default: \"…\"` gives it one"),
            ("{{custom_attribute.${a}}}", ["custom_attribute": level], "`| default: \"…\"` gives it one"),
            ("{{${first_name} | default: there}}", [:], "write 'there' if it is a text"),
            ("{{ 'a' | append: ${city} }}", [:], "`| default: \"…\"` gives it one"),
            ("{% assign x = ${city} | default: there %}", [:], "write 'there' if it is a text"),
        ]
        try LiquidRenderer.with { renderer throws in
            for (template, profile, advice) in rows {
                let rendered = try renderer.render(template, profile)
                #expect(rendered.reasons == ["absentAttribute"], "\(template)")
                #expect(rendered.messages.first?.hasSuffix("; \(advice)") == true, "\(template): \(rendered.messages)")
            }
            let there = try renderer.render("{{${first_name} | default: there}}").messages
            #expect(
                there == [
                    "`there` without quotation marks is a variable, and it has no value; write 'there' if it is a text"
                ]
            )
        }
    }
}
