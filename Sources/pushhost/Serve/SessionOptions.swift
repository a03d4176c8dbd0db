internal import Configuration
internal import HostCore
internal import Logging

/// The values of the everyday and further options of `serve`.
///
/// If a command line has no other options, the program reads it itself: to build the argument parser's descriptions of
/// all options, and to look up their conformances, takes more than half of the time to the first reply. The parser
/// remains the only source of errors and help, and reads every other command line.
struct SessionOptions: Equatable {
    var plugins: [String] = []
    var data: String?
    var suite = HostConfiguration.defaults.defaultSuite
    var record: String?
    var logLevel = "warning"
    var logFormat = LogFormat.text.rawValue
    var isEphemeral = false
    var locale = HostConfiguration.defaults.locale
    var clock: String?
    var seed: UInt64?
    var fetchesAttachments = false
    var hasNoControl = false
    var filesWithin: String?

    /// The defaults.
    init() {}

    /// The options that a command line gives.
    ///
    /// nil if the argument parser must read the words: they have another option, a mistake, or a form whose meaning
    /// depends on the parser's rules, such as a repeated option.
    ///
    /// - Parameter words: The words after the name of the program.
    init?(words: [String]) {
        var rest = words[...]
        if rest.first == "serve" { rest.removeFirst() }
        // A set would have to find out how strings are hashed, which takes longer than all else here.
        var names: [String] = []
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts.first ?? ""
            guard !names.contains(name) || name == "--plugins" else { return nil }
            names.append(name)
            if parts.count == 1, set(name) { continue }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty, !value.hasPrefix("-"),
                set(name, to: value)
            else { return nil }
        }
        do { try validate() } catch { return nil }
    }

    /// Sets a flag.
    private mutating func set(_ name: String) -> Bool {
        switch name {
        case "--ephemeral": isEphemeral = true
        case "--fetch-attachments": fetchesAttachments = true
        case "--no-control": hasNoControl = true
        default: return false
        }
        return true
    }

    /// Sets an option that has a value.
    private mutating func set(_ name: String, to value: String) -> Bool {
        switch name {
        case "--plugins": plugins.append(value)
        case "--data": data = value
        case "--suite": suite = value
        case "--record": record = value
        case "--log-level": logLevel = value
        case "--locale": locale = value
        case "--log-format": logFormat = value
        case "--clock": clock = value
        case "--files-within": filesWithin = value
        case "--seed":
            guard let number = UInt64(value) else { return false }
            seed = number
        default: return false
        }
        return true
    }
}
