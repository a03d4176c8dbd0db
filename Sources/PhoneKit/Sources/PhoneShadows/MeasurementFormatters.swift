public import Foundation

/// Joins texts to a list, as `ListFormatter` of Apple's Foundation.
open class ListFormatter: Formatter, @unchecked Sendable {
    /// The language of the list.
    open var locale: Locale! = .autoupdatingCurrent
    /// Formats each item; nil for its description.
    open var itemFormatter: Formatter?

    /// A list of the items in the current language.
    open class func localizedString(byJoining strings: [String]) -> String {
        strings.formatted(.list(type: .and).locale(.autoupdatingCurrent))
    }

    /// A list of the items.
    open func string(from items: [Any]) -> String? {
        let texts = items.map { itemFormatter?.string(for: $0) ?? String(describing: $0) }
        return texts.formatted(.list(type: .and).locale(locale))
    }

    open override func string(for obj: Any?) -> String? { (obj as? [Any]).flatMap { string(from: $0) } }
}

/// Formats measurements, as `MeasurementFormatter` of Apple's Foundation: a number and the symbol of its unit.
///
/// Without `.providedUnit` a phone converts to the unit that people of the locale use; here that is done for lengths and
/// temperatures of locales without the metric system.
open class MeasurementFormatter: Formatter, @unchecked Sendable {
    /// Which unit is shown.
    public struct UnitOptions: OptionSet, Sendable {
        // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
        public let rawValue: UInt
        // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The unit of the measurement.
        public static let providedUnit = UnitOptions(rawValue: 1)
        /// The unit whose number is easy to read.
        public static let naturalScale = UnitOptions(rawValue: 2)
        /// A temperature without its unit.
        public static let temperatureWithoutUnit = UnitOptions(rawValue: 4)
    }

    /// Which unit is shown.
    open var unitOptions: UnitOptions = []
    /// How long the unit is; only its symbol is known here.
    open var unitStyle = Formatter.UnitStyle.medium
    /// The language of the number.
    open var locale: Locale! = .autoupdatingCurrent
    /// Formats the number.
    open lazy var numberFormatter: NumberFormatter! = {
        let formatter = NumberFormatter()
        formatter.numberStyle = .decimal
        formatter.maximumFractionDigits = 3
        return formatter
    }()

    /// The text of a measurement.
    open func string<UnitType: Unit>(from measurement: Measurement<UnitType>) -> String {
        let (value, unit) = shown(measurement.value, measurement.unit)
        numberFormatter.locale = locale
        let number = numberFormatter.string(from: NSNumber(value: value)) ?? "\(value)"
        if unit is UnitTemperature {
            return number + (unitOptions.contains(.temperatureWithoutUnit) ? "°" : unit.symbol)
        }
        return unitStyle == .short ? number + unit.symbol : "\(number) \(unit.symbol)"
    }

    /// The text of a unit.
    open func string(from unit: Unit) -> String { unit.symbol }

    open override func string(for obj: Any?) -> String? {
        (obj as? Measurement<Unit>).map { string(from: $0) }
    }

    private func shown(_ value: Double, _ unit: Unit) -> (Double, Unit) {
        guard !unitOptions.contains(.providedUnit), let dimension = unit as? Dimension else { return (value, unit) }
        let isMetric = locale.measurementSystem == .metric
        let wanted: Dimension? =
            switch dimension {
            case is UnitTemperature: locale.measurementSystem == .us ? UnitTemperature.fahrenheit : .celsius
            case is UnitLength: isMetric ? UnitLength.kilometers : .miles
            default: nil
            }
        guard let wanted else { return (value, unit) }
        let base = dimension.converter.baseUnitValue(fromValue: value)
        return (wanted.converter.value(fromBaseUnitValue: base), wanted)
    }
}
