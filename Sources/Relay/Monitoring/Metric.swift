/// A metric: a name, what it means, and its values.
struct Metric: Equatable {
    /// How a value changes.
    enum Kind: String {
        /// It only grows, and begins at 0 when the process starts.
        case counter
        /// It goes up and down.
        case gauge
    }

    /// One value, with the labels that distinguish it from the other values of the metric.
    struct Sample: Equatable {
        let labels: [(name: String, value: String)]
        let value: Double

        static func == (left: Sample, right: Sample) -> Bool {
            left.value == right.value && left.labels.elementsEqual(right.labels, by: ==)
        }
    }

    /// The name, such as `pushhost_relay_delivered_total`; the name of a counter ends in `_total`.
    let name: String
    /// How the values change.
    let kind: Kind
    /// One sentence for people.
    let help: String
    /// The values; none if nothing is known, and then the metric is left out.
    let samples: [Sample]

    /// A metric with one value; without one it is left out.
    init(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        self.init(name, kind, help, samples: value.map { [Sample(labels: [], value: $0)] } ?? [])
    }

    /// A metric with several values.
    init(_ name: String, _ kind: Kind, _ help: String, samples: [Sample]) {
        (self.name, self.kind, self.help, self.samples) = (name, kind, help, samples)
    }
}

/// Metrics in Prometheus' text format, version 0.0.4.
enum MetricsText {
    /// The content type of the text.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The lines for metrics: help, type and one line for each value.
    static func format(_ metrics: [Metric]) -> String {
        var text = ""
        for metric in metrics where !metric.samples.isEmpty {
            text += "# HELP \(metric.name) \(escaped(metric.help, quotes: false))\n"
            text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
            for sample in metric.samples {
                let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
                text += metric.name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}")
                text += " \(number(sample.value))\n"
            }
        }
        return text
    }

    /// Backslashes and line feeds are escaped everywhere, quotes only in the values of labels.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        guard value.isFinite else { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}
