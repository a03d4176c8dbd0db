import TestSupport
import Testing

@testable import HostCore
@testable import Relay

@Suite struct MetricsTextTests {
    @Test("Each metric has its help, its type and its values; one without values is left out")
    func lines() {
        let metrics = [
            Metric("pushhost_a_total", .counter, "How many.", 3),
            Metric("pushhost_b", .gauge, "Unknown now.", nil),
            Metric(
                "pushhost_c",
                .gauge,
                "A part.",
                samples: [
                    .init(labels: [("to", "braze")], value: 0.25), .init(labels: [("to", "file")], value: 1e18),
                ]
            ),
        ]
        #expect(
            MetricsText.format(metrics) == """
                # HELP pushhost_a_total How many.
                # TYPE pushhost_a_total counter
                pushhost_a_total 3
                # HELP pushhost_c A part.
                # TYPE pushhost_c gauge
                pushhost_c{to="braze"} 0.25
                pushhost_c{to="file"} 1000000000000000000

                """
        )
    }

    @Test("Whatever a label, a help or a number is, the text can be read, and says the same")
    func roundTrip() throws {
        let texts = ["", "\\", "\"", "a\nb", "\\n", "ö€😀", " x ", "}", "{a=\"b\"}", "#"]
        let values = [0, -1, 1.5, 1e300, 1e-300, 123_456_789_012_345_680, .infinity, -.infinity, 0.1]
        let metrics = texts.enumerated().map { index, text in
            let samples = values.map { Metric.Sample(labels: [("a", text), ("b", "\($0)")], value: $0) }
            return Metric("m\(index)", .gauge, text, samples: samples)
        }
        let read = try PrometheusText(MetricsText.format(metrics)).metrics
        for (index, text) in texts.enumerated() {
            let metric = try #require(read["m\(index)"])
            #expect(metric.type == "gauge")
            #expect(metric.help?.drop { $0 == " " } == text.drop { $0 == " " })
            for value in values { #expect(metric.samples[["a": text, "b": "\(value)"]] == value) }
        }
        let notANumber = MetricsText.format([Metric("x", .gauge, "x", .nan)])
        #expect(try PrometheusText(notANumber)["x"]?.isNaN == true)
    }

    @Test(
        "The parser of these tests finds violations",
        arguments: [
            "a 1", "a\n", "a 1 2 3\n", "1a 1\n", "a 1\na 2\n", "a{b=\"c\" 1\n", "a{b=c} 1\n", "a{b=\"\\x\"} 1\n",
            "a 1\n# TYPE a counter\n", "# TYPE a number\na 1\n", "# TYPE a gauge\n", "a 1\nb 1\na{x=\"y\"} 1\n",
            "# TYPE a gauge\n# TYPE a gauge\na 1\n", "a{b=\"c\",b=\"d\"} 1\n", "a one\n",
        ]
    )
    func violations(text: String) { #expect(throws: TestFailure.self) { try PrometheusText(text) } }
}
