/// `UNNotificationExtensionInitialContentSizeRatio`: the height of an extension's view divided by its width.
struct ContentSizeRatio {
    private static let key = "UNNotificationExtensionInitialContentSizeRatio"
    /// What iOS uses if the ratio is absent or wrong.
    private static let fallback = 1.0
    /// Ratios outside this range are accepted, but do not fit a screen.
    private static let usual = 0.05...10

    let value: Double

    /// Reads the ratio; a wrong one is an error and is replaced by 1, an unusual one is a warning.
    init(_ attributes: PropertyList?, _ problems: inout [BundleProblem]) {
        do throws(BundleProblem) {
            value = try Self.value(attributes, &problems) ?? Self.fallback
        } catch {
            value = Self.fallback
            problems.append(error)
        }
    }

    private static func value(
        _ attributes: PropertyList?,
        _ problems: inout [BundleProblem]
    ) throws(BundleProblem) -> Double? {
        guard let attributes, let ratio = try attributes.number(key) else { return nil }
        let meaning = "height divided by width, such as 0.65"
        func problem(_ text: String, _ severity: BundleProblem.Severity) -> BundleProblem {
            BundleProblem(path: attributes.path, message: "\(key) is \(ratio), \(text)", severity: severity, key: key)
        }
        guard ratio > 0 else {
            throw problem("but it must be above 0: \(meaning); until then 1.0 counts, as on iOS", .error)
        }
        if !usual.contains(ratio) { problems.append(problem("which no screen shows; it is \(meaning)", .warning)) }
        return ratio
    }
}
