import Foundation
import JSON
import TestSupport
import Testing

/// Templates beyond single tags and filters: Braze's syntax, absent values, mistakes, and the whole payload.
@Suite(.waits) struct LiquidTemplateTests {
    @Test("Braze's syntax is rendered: names with any characters, nested brackets, literals and plain text")
    func syntax() throws {
        let weird = #"a'b"]c|d,e:f{% if %"#
        let profile: JSON = [
            "first_name": "Ada", "text": "{{${first_name}}}", "rock and roll": 1,
            "custom_attribute": [
                "zip code": "10115", "größe": "XL", #"it's "quoted" [1]"#: "W", "list": ["a", "b"],
                "n": ["x": ["y z": 7]],
                "%}": "percent", "both": 2,
            ],
        ]
        let rows: [(String, String)] = [
            ("{{${first_name}}}{{ ${ first_name } }}{{first_name}}{{['first_name']}}", "AdaAdaAdaAda"),
            ("{{custom_attribute.${zip code}}}{{custom_attribute . ${größe}}}", "10115XL"),
            (#"{{custom_attribute.${it's "quoted" [1]}}}"#, "W"),
            ("{{custom_attribute.${%}}} {% if custom_attribute.${%} == 'percent' %}", ""),
            ("{{custom_attribute.${n}.x.${y z}}}{{custom_attribute.${list}[1]}}", "7b"),
            ("{% if ${rock and roll} == 1 and custom_attribute.${both} == 2 %}y{% endif %}", "y"),
            ("{% assign a = 'x ${first_name} {{y' %}{{a}}", "x ${first_name} {{y"),
            ("${first_name} $ {first_name} {{'$'}}{${first_name}}", "${first_name} $ {first_name} ${${first_name}}"),
            ("{{- ${first_name} -}}  !", "Ada!"), ("{{ 'w7w=' | base64_decode | upcase }}ü", "Üü"),
            ("{{${text}}}", "{{${first_name}}}"),
            ("{% assign x = {{custom_attribute.${both}}} | plus: {{custom_attribute.${both}}} %}{{x}}", "4"),
            ("{% comment %}{% comment %}\n{{${nix}{% endcomment %}'{% endcomment %}{{${first_name}}}", "Ada"),
            ("{% raw %}{{ ${first_name}{% if %}{% endraw %}{{${first_name}}}", "{{ ${first_name}{% if %}Ada"),
            ("{% if ${first_name} == 'it%' %}{% else %}it's {{${first_name}}}'s{% endif %}", "it's Ada's"),
            ("{{custom_attribute.list}}|{{custom_attribute.both | plus: 0.5}}|{{true}}|{{nil}}", "ab|2.5|true|"),
            ("no tags: ${first_name} } }} %} {", "no tags: ${first_name} } }} %} {"),
        ]
        try LiquidRenderer.with { renderer throws in
            for (template, text) in rows where !text.isEmpty {
                let rendered = try renderer.render(template, profile)
                #expect(rendered.text == text, "\(template): \(rendered.answer)")
                #expect(rendered.reasons == [], "\(template)")
            }
            let named = try renderer.render("{{custom_attribute.${\(weird)}}}", ["custom_attribute": [weird: 1]])
            #expect(named.reason == "invalidTemplate", "a brace ends a name")
            let percent = "{% if custom_attribute.${%} == 'percent' %}y{% endif %}"
            #expect(try renderer.render(percent, ["custom_attribute": ["%": "percent"]]).text == "y")
        }
    }

    @Test("An absent attribute is reported where it leaves a gap, but not if default or a condition handles it")
    func absences() throws {
        let rows: [(String, [String])] = [
            ("{{${city}}} {{${city}}}", ["${city}"]),
            ("{{custom_attribute.${zip code}}}", ["custom_attribute.${zip code}"]),
            ("{{${null}}}", ["${null}"]), ("{{a.b.c}}", ["a.b.c"]), ("{{ ${city} | upcase }}", ["${city}"]),
            ("{{ ${city} | default: 'x' }}{{ ${city} | upcase | default: 'x' }}{{${city} | default: '' }}", []),
            ("{{ ${city} | default: ${country} }}", ["${country}"]), ("{{ 'a' | default: ${country} }}", []),
            ("{{ 'a' | append: ${city} }}", ["${city}"]), ("{{ ${city} | append: 'a' | default: 'x' }}", ["${city}"]),
            ("{% if ${city} %}{% elsif ${city} == 'x' %}{% endif %}{% unless ${city} %}{% endunless %}", []),
            ("{% case ${city} %}{% when ${town} %}{% endcase %}", []),
            ("{% assign c = ${city} %}{% if c %}{{c}}{% endif %}", []),
            ("{% assign c = ${city} %}{{ c | default: 'x' }}", []),
            ("{% assign c = ${city} %}{{c}}", ["c, which was assigned ${city},"]),
            ("{% assign c = ${city} %}{% assign c = 'x' %}{{c}}", []),
            ("{% assign c = ${city} | upcase %}{{c}}", ["${city}"]),
            ("{% for i in ${list} %}{% endfor %}", ["${list}"]), ("{% for i in ${list} %}{% else %}{% endfor %}", []),
            ("{% for i in (1..3) %}{{${city}}}{% endfor %}", ["${city}"]), ("{% echo ${city} %}", ["${city}"]),
            ("{% tablerow i in ${list} %}{% endtablerow %}", ["${list}"]),
            ("{% tablerow i in (1..2) %}{% endtablerow %}", []),
            ("{% cycle 'a', ${city} %}", []),
            ("{% cycle ${city}, 'a' %}{% cycle x: ${town} %}", ["${city}", "${town}"]),
            ("{% for i in (1..3) %}{% cycle 'a', ${city} %}{% endfor %}", ["${city}"]),
            ("{% abort_message(${city}) %}", ["${city}"]), ("{% abort_message(${city} | default: 'x') %}", []),
            ("{{ a.${b}.${c d}.${e} }}", ["a.${b}.${c d}.${e}"]),
            ("{% capture c %}{{${city}}}{% endcapture %}", ["${city}"]), ("{{ '' }}{{ nil }}{{ ${empty} }}", []),
            ("{% if false %}{{${city}}}{% endif %}", []), ("{% liquid\n echo ${city}\n%}", ["${city}"]),
        ]
        try LiquidRenderer.with { renderer throws in
            for (template, names) in rows {
                let rendered = try renderer.render(template, ["null": .null, "empty": ""])
                #expect(rendered.reasons == names.map { _ in "absentAttribute" }, "\(template)")
                // Filter input and abort reasons may be rendered differently.
                let taken = template.contains(#/(upcase|append: ?(\$|'a')|abort_message)/#) && names.count == 1
                let effect = taken ? "" : " and renders as nothing"
                let tail = " has no value in the profile\(effect); `| default: \"…\"` gives it one"
                #expect(rendered.messages == names.map { $0 + tail }, "\(template)")
                #expect(rendered.diagnostics.allSatisfy { $0["path"] == "/params/payload/text" })
            }
        }
    }

    @Test("A mistake is an error with the path, the line and Liquid's reason in the author's terms")
    func mistakes() throws {
        let zeros = String(repeating: "0", count: 600)
        let noZone = "there is no time zone \("Nowhere\(zeros)".prefix(60)); they are named as in America/Los_Angeles"
        let rows: [(template: String, reason: String, line: Int64, message: String)] = [
            ("{% if a %}", "invalidTemplate", 1, "'if' tag was never closed"),
            ("a\n{{ ${first_name }}", "invalidTemplate", 2, "{{ ${first_name }} has no }}"),
            (
                "a\n{{ ${first_name", "invalidTemplate", 2,
                "a ${ has no } before the next bracket or the end of the line"
            ),
            ("{{ ${a ${b}} }}", "invalidTemplate", 1, "a ${ has no } before the next bracket or the end of the line"),
            ("{{ ${} }}", "invalidTemplate", 1, "${} names no attribute"),
            ("\n\n{% assign a = 1", "invalidTemplate", 3, "{% assign a = 1 has no %}"),
            ("{% if {{a == 1 %}{% endif %}", "invalidTemplate", 1, "a {{ inside of a tag has no }}"),
            ("{% raw %} {{x}}", "invalidTemplate", 1, "{% raw %} {{x}} has no {% endraw %}"),
            ("{% comment %}", "invalidTemplate", 1, "{% comment %} has no {% endcomment %}"),
            ("{% voucher 'x' %}", "invalidTemplate", 1, "Unknown tag 'voucher'"),
            ("{% endif %}", "invalidTemplate", 1, "Unknown tag 'endif'"),
            (
                "{% assign = ${x} %}", "invalidTemplate", 1,
                "Syntax Error in 'assign' - Valid syntax: assign [var] = [source]"
            ),
            ("a\nb\n{{ ${city} | shout }}", "undefinedFilter", 3, "there is no filter shout"),
            ("\n{{ 1 | divided_by: 0 }}", "renderingFailed", 2, "divided by 0"),
            (
                "{{ '%' | url_decode | append: 'x' | base64_decode }}", "renderingFailed", 1,
                "base64_decode: invalid base64"
            ),
            (
                "{{ '/w==' | base64_decode }}", "renderingFailed", 1,
                "base64_decode: what is decoded is no text in UTF-8"
            ),
            ("{{ ${a} | plus }}", "renderingFailed", 1, "plus: needs 1 argument, but has 0"),
            ("{{ 'now' | time_zone: 'Nowhere\(zeros)' }}", "renderingFailed", 1, "time_zone: \(noZone)"),
            (
                "{{ ${a} | map: '\(zeros)' }}", "renderingFailed", 1,
                "map: cannot select the property '\(zeros.prefix(467))…"
            ),
            (
                "{% tablerow i in ${list} limit: ${list} %}{% endtablerow %}", "renderingFailed", 1,
                "Liquid cannot work with a value in this tag"
            ),
            ("{% if 5 > 'a' %}{% endif %}", "renderingFailed", 1, "> cannot compare these values"),
            (
                "{% if ${a} = 1 %}{% endif %}", "invalidTemplate", 1,
                "there is no operator =; == compares two values"
            ),
            ("{% if true %}{% elsif a foo b %}{% endif %}", "invalidTemplate", 1, "there is no operator foo"),
            (
                "{% assign ${a b} = 1 %}", "invalidTemplate", 1,
                "assign sets a variable, and ${a b} is an attribute; write a name such as x"
            ),
            (
                "{% liquid\n increment x.${a}\n%}", "invalidTemplate", 2,
                "increment sets a variable, and x.${a} is an attribute; write a name such as x"
            ),
            (
                "{% if true %}\n{% promotion('x') %}{% endif %}", "needsBraze", 2,
                "{% promotion %} is not rendered here: promotion codes are kept and used up by Braze; write an example of a code in its place"
            ),
        ]
        try LiquidRenderer.with { renderer throws in
            for row in rows {
                let rendered = try renderer.render(row.template, ["a": 1, "list": [1]])
                #expect(rendered.reason == row.reason, "\(row.template): \(rendered.answer)")
                #expect(rendered.message == row.message, "\(row.template): \(rendered.answer)")
                let data = rendered.error?["data"]
                #expect(
                    data?["path"] == "/params/payload/text" && data?["line"] == .integer(row.line),
                    "\(row.template)"
                )
                #expect(rendered.error?["code"] == 1)
                let place = "payload/text, line \(row.line): "
                #expect(rendered.error?["message"]?.string?.hasPrefix(place) == true, "\(row.template)")
            }
            #expect(try renderer.render("{% if false %}{% promotion('x') %}{% endif %}ok").text == "ok")
        }
    }

    @Test("Mistakes that Liquid's lenient mode ignores are reported in the author's terms")
    func lenient() throws {
        let rows: [(String, text: String, line: Int, String)] = [
            ("{% if 5 >= 1 && ${x} < 20 %}y{% endif %}", "y", 1, #"Unexpected character & in "5 >= 1 && ${x} < 20""#),
            (
                "{% for i in {{${list}}} | reverse %}{{i}}{% endfor %}", "12", 1,
                #"Expected end_of_string but found pipe in "i in  ${list}  | reverse""#
            ),
            ("\n{{ “a” }}", "\n", 2, #"Unexpected character “ in "{{ “a” }}""#),
            ("{{${user}.\n${name}}}\n{{ “a” }}", "Ada\n", 3, #"Unexpected character “ in "{{ “a” }}""#),
        ]
        try LiquidRenderer.with { renderer throws in
            for (template, text, line, message) in rows {
                let rendered = try renderer.render(template, ["list": [1, 2], "user": ["name": "Ada"]])
                #expect(rendered.text == text, "\(template)")
                #expect(rendered.reasons.first == "lenientSyntax", "\(template): \(rendered.answer)")
                let start = "Liquid reads this as far as it can and ignores the rest: "
                #expect(rendered.messages.first == "\(start)\(message) (line \(line))")
            }
        }
    }

    @Test("Every string of the payload is a separate template, and nothing else is changed")
    func payload() throws {
        let payload: JSON = [
            "aps": [
                "alert": ["title": "{% assign x = 'set' %}{{x}}", "body": "{{x}}!", "loc-args": ["{{${n}}}", "b", 1]],
                "badge": 3, "sound": .null, "mutable-content": 1.5,
            ],
            "{{${n}}}": true, "a/b~c": ["{{${gone}}}"], "n": "{{${n}}}", "plain": "${n}", "big": 9_007_199_254_740_993,
        ]
        try LiquidRenderer.with { renderer throws in
            let result = try renderer.personalize(payload, ["n": 4])["result"]
            let expected: JSON = [
                "aps": [
                    "alert": ["title": "set", "body": "!", "loc-args": ["4", "b", 1]],
                    "badge": 3, "sound": .null, "mutable-content": 1.5,
                ],
                "{{${n}}}": true, "a/b~c": [""], "n": "4", "plain": "${n}", "big": 9_007_199_254_740_993,
            ]
            #expect(result?["payload"] == expected)
            let names = result?["payload"]?.object?.map { $0.name }
            #expect(names == payload.object?.map { $0.name }, "the order of the keys stays")
            let paths = (result?["diagnostics"]).elements.map { $0["path"] }
            #expect(paths == ["/params/payload/aps/alert/body", "/params/payload/a~1b~0c/0"])
        }
    }

    @Test("Counters of each string start at 0, and neither other strings nor the profile see them")
    func counters() throws {
        let payload: JSON = [
            "a": "{% increment n %}{% increment n %}{{n}}", "b": "{% increment n %}", "c": "{{n}}{% decrement n %}",
            "d": "{% increment x %}",
        ]
        try LiquidRenderer.with { renderer throws in
            let result = try renderer.personalize(payload, ["n": 7, "x": "a text"])["result"]
            #expect(result == ["payload": ["a": "012", "b": "0", "c": "7-1", "d": "0"], "diagnostics": []])
        }
    }

    @Test("An abort ends rendering immediately: the payload is returned unchanged and later mistakes are not reported")
    func abort() throws {
        let payload: JSON = ["a": "{{${x}}}", "b": "{% abort_message({{${why}}}) %}", "c": "{% if %}"]
        try LiquidRenderer.with { renderer throws in
            let result = try renderer.personalize(payload, ["why": "no city", "x": 1])["result"]
            #expect(result == ["payload": payload, "diagnostics": [], "abort": "no city"])
            #expect(try renderer.personalize(payload)["result"]?["abort"] == "{% abort_message %} called")
            let loop =
                "{% for i in (1..3) %}{% if i == 2 %}{% capture x %}{% abort_message('in ${x}') %}{% endcapture %}{% endif %}{% endfor %}"
            #expect(try renderer.render(loop).abort == "in ${x}")
        }
    }

    @Test("Any random template is either rendered or refused with a reason", arguments: 1...4)
    func anything(seed: UInt64) throws {
        let path = "\(repositoryRoot)/Tests/Fixtures/liquid/cases.jsonl"
        let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try JSON(parsing: String($0))["template"]?.string ?? ""
        }
        let pieces = [
            "{{", "}}", "{%", "%}", "${", "}", "'", "\"", "|", ":", ",", "[", "]", "(", ")", "..", "-", "#", "\n", "é",
            "if ", "endif", "for i in ", "endfor", "raw", "endraw", "comment", "99999999999999999999", "nil", "blank",
            "",
        ]
        let reasons = ["invalidTemplate", "undefinedFilter", "needsBraze", "renderingFailed", "limitReached", nil]
        let profile: JSON = ["first_name": "Ada", "custom_attribute": ["list": [1, "a", .null, ["k": [2]]], "n": 5]]
        var random = SeededGenerator(seed: seed)
        try LiquidRenderer.with { renderer throws in
            for _ in 1...250 {
                var template = Array(rows.randomElement(using: &random) ?? "")
                for _ in 1...Int.random(in: 1...4, using: &random) {
                    let start = Int.random(in: 0...template.count, using: &random)
                    let end = min(template.count, start + Int.random(in: 0...3, using: &random))
                    template.replaceSubrange(start..<end, with: pieces.randomElement(using: &random) ?? "")
                }
                let rendered = try renderer.render(String(template), profile)
                #expect(reasons.contains(rendered.reason), "\(String(template)): \(rendered.answer)")
                #expect(rendered.text?.contains("Liquid error") != true, "\(String(template))")
            }
        }
    }
}
