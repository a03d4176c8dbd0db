import JSON

/// A number as JSON Schema compares it: `1` and `1.0` are equal.
struct SchemaNumber: Comparable, CustomStringConvertible {
    let value: JSON

    /// Nil if the value is not a number.
    init?(_ value: JSON?) {
        guard let value, value.number != nil else { return nil }
        self.value = value
    }

    var description: String { value.description }

    private var double: Double { value.number ?? .nan }

    static func == (left: Self, right: Self) -> Bool {
        if let one = left.value.integer, let other = right.value.integer { return one == other }
        return left.double == right.double
    }

    static func < (left: Self, right: Self) -> Bool {
        if let one = left.value.integer, let other = right.value.integer { return one < other }
        return left.double < right.double
    }

    /// Whether it is a multiple of the other number; for decimal fractions, within a double's precision.
    func isMultiple(of other: Self) -> Bool {
        if let value = value.integer, let divisor = other.value.integer { return value.isMultiple(of: divisor) }
        let quotient = double / other.double
        guard quotient.isFinite else { return double.truncatingRemainder(dividingBy: other.double) == 0 }
        return abs(quotient - quotient.rounded()) <= 4 * quotient.ulp
    }
}

extension JSON {
    /// Whether JSON Schema considers both values equal: like `==`, except that `1` and `1.0` are equal.
    func isSameValue(as other: JSON) -> Bool {
        switch (self, other) {
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.isSameValue(as: $1) }
        case (.object(let left), .object(let right)):
            return left.count == right.count
                && left.allSatisfy { name, value in right[name].map(value.isSameValue) ?? false }
        default:
            if let one = SchemaNumber(self), let two = SchemaNumber(other) { return one == two }
            return self == other
        }
    }
}
