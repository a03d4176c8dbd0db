public import JSON

/// A text of a bundle: a format, or several among which the number in an argument chooses.
///
/// The language's plural rules are resolved to numbers when a file is read, so that whoever shows the text, a kit too,
/// needs no rules.
public indirect enum LocalizedText: Equatable, Sendable {
    /// A text with placeholders.
    case format(String)
    /// A text for some numbers in an argument, whose position is counted from 1, and one for all others.
    case plural(argument: Int, cases: [Case], other: LocalizedText)

    /// The text for some numbers.
    public struct Case: Equatable, Sendable {
        /// The numbers, all below ``LocalizedText/numberLimit``, sorted.
        let numbers: [Int]
        let text: LocalizedText
    }

    /// The numbers below it are looked up as they are; a greater one as 100 and its last two digits, because no plural rule of
    /// the supported languages distinguishes the two.
    static let numberLimit = 200

    /// Fills the text that the arguments choose.
    public func filled(_ arguments: [String]) -> TextFormat { filled(arguments, chosenBy: []) }

    private func filled(_ arguments: [String], chosenBy indexes: Set<Int>) -> TextFormat {
        switch self {
        case .format(let format): return TextFormat(format, arguments, used: indexes)
        case .plural(let argument, let cases, let other):
            // A catalog may name any position, also the smallest integer.
            let index = argument &- 1
            let number = arguments.indices.contains(index) ? Self.number(in: arguments[index]) : nil
            let chosen = cases.first { each in number.map { each.numbers.contains($0) } ?? false }
            return (chosen?.text ?? other).filled(arguments, chosenBy: indexes.union([index]))
        }
    }

    /// The number of an argument as it is looked up; nil if it is not an integer.
    private static func number(in argument: String) -> Int? {
        guard !argument.hasPrefix("+"), let number = Int(argument)?.magnitude else { return nil }
        return Int(number < numberLimit ? number : 100 + number % 100)
    }

    /// The size of its texts in UTF-8.
    var size: Int {
        switch self {
        case .format(let format): format.utf8.count
        case .plural(_, let cases, let other): cases.reduce(other.size) { $0 + $1.text.size }
        }
    }

    /// The text as the contract describes it.
    public var json: JSON {
        switch self {
        case .format(let format): return .string(format)
        case .plural(let argument, let cases, let other):
            let cases = cases.map { each -> JSON in
                ["numbers": .array(JSON.Array(integers: each.numbers.map(Int64.init))), "text": each.text.json]
            }
            return ["argument": JSON(argument), "cases": JSON(cases), "other": other.json]
        }
    }

    /// Reads what ``json`` wrote; nil for a value of another form, such as one of a later version of the contract.
    public init?(_ json: JSON) {
        if let format = json.string {
            self = .format(format)
            return
        }
        guard let argument = json["argument"]?.integer, let cases = json["cases"]?.array,
            let other = json["other"].flatMap(LocalizedText.init)
        else { return nil }
        let read = cases.compactMap { each -> Case? in
            guard let numbers = each["numbers"]?.array?.integers, let text = each["text"].flatMap(LocalizedText.init)
            else { return nil }
            return Case(numbers: numbers.map(Int.init(clamping:)), text: text)
        }
        self = .plural(argument: Int(clamping: argument), cases: read, other: other)
    }
}

/// Makes texts of formats with variables: each `%#@name@` stands for the form that the number in an argument needs.
struct PluralFormats {
    /// A variable of a format.
    struct Variable {
        /// The position of the argument with the number; nil if it is that of the variable in the format.
        var argument: Int?
        /// The position of the first placeholder in a form that names none; nil if it is that of the number.
        var start: Int?
        let forms: [PluralCategory: String]
    }

    /// The greatest size of the texts to which the variables of a format multiply, each with ``textOverhead``.
    private static let sizeLimit = 16 << 10
    private static let textOverhead = 64
    /// How deep forms may refer to variables; also ends the expansion of one that refers to itself.
    private static let depthLimit = 8

    let rules: PluralRules
    let variables: [String: Variable]

    private enum Piece {
        /// A literal or a placeholder with its position.
        case text(String)
        case variable(String, argument: Int, depth: Int)
    }

    /// Expands a format to one text, or to one for each number that its variables distinguish.
    func text(_ format: String) throws(BundleFile.Failure) -> LocalizedText {
        var size = 0
        return try expand("", pieces(format, start: 1, depth: 0)[...], &size)
    }

    /// A whole text in several forms; the first number among its arguments chooses.
    static func text(_ forms: [PluralCategory: String], _ rules: PluralRules) throws(BundleFile.Failure)
        -> LocalizedText
    {
        let argument = TextFormat.positionOfNumber(in: forms[.other] ?? "") ?? 1
        let variable = Variable(argument: argument, start: 1, forms: forms)
        return try PluralFormats(rules: rules, variables: ["plural": variable]).text("%#@plural@")
    }

    private func expand(
        _ beginning: String,
        _ pieces: ArraySlice<Piece>,
        _ size: inout Int
    ) throws(BundleFile.Failure) -> LocalizedText {
        var text = beginning
        for (index, piece) in zip(pieces.indices, pieces) {
            switch piece {
            case .text(let part): text += part
            case .variable(let name, let position, let depth):
                guard let variable = variables[name] else {
                    throw BundleFile.Failure(message: "there is no variable \(name)")
                }
                guard let other = variable.forms[.other] else {
                    throw BundleFile.Failure(message: "a plural needs the form other")
                }
                guard depth < Self.depthLimit else {
                    throw BundleFile.Failure(message: "the variable \(name) refers to itself")
                }
                let argument = variable.argument ?? position
                var expanded: [LocalizedText.Case] = []
                let rest = pieces[(index + 1)...]
                for (category, numbers) in rules.numbers(of: Set(variable.forms.keys)) {
                    let form = self.pieces(
                        variable.forms[category] ?? other,
                        start: variable.start ?? argument,
                        depth: depth + 1
                    )
                    let branch = try expand(text, form + rest, &size)
                    expanded.append(LocalizedText.Case(numbers: numbers, text: branch))
                }
                let form = self.pieces(other, start: variable.start ?? argument, depth: depth + 1)
                return .plural(argument: argument, cases: expanded, other: try expand(text, form + rest, &size))
            }
        }
        size += text.utf8.count + Self.textOverhead
        guard size <= Self.sizeLimit else {
            throw BundleFile.Failure(message: "its variables have too many forms together")
        }
        return .format(text)
    }

    /// Splits a format at its variables, and gives each placeholder its position, which the parts of another form before it
    /// would change.
    private func pieces(_ format: String, start: Int, depth: Int) -> [Piece] {
        var pieces: [Piece] = []
        var next = start
        func position(_ written: Int?) -> Int {
            // A file may name any position, also the greatest integer.
            defer { if written == nil { next &+= 1 } }
            return written ?? next
        }
        for part in TextFormat.parts(of: format) {
            switch part {
            case .literal(let text): pieces.append(.text(text))
            case .placeholder(let written): pieces.append(.text("%\(position(written))$@"))
            case .variable(let name, let written):
                pieces.append(.variable(name, argument: position(written), depth: depth))
            }
        }
        return pieces
    }
}
