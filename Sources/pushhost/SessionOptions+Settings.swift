internal import ArgumentParser
internal import Configuration
internal import HostCore
internal import Logging
internal import Platform

extension SessionOptions {
    /// Throws the error of the command line.
    func validate() throws {
        if let data { try requireFolder("data", data) }
        for folder in plugins where !StandardFolders.isFolder(folder) {
            throw ValidationError("--plugins \(folder): there is no such folder")
        }
        if locale != HostConfiguration.defaults.locale { try requireLocale(locale) }
        if isEphemeral, data != nil {
            throw ValidationError("--ephemeral: its suites are in a temporary folder; leave out --data")
        }
    }

    /// Copies the options into the configuration, except for the folders, which its initializer takes.
    func apply(to settings: inout HostConfiguration) throws {
        settings.pluginFoldersAreNamed = !plugins.isEmpty
        if let rule = settings.setDefaultSuite(suite) {
            throw ValidationError("--suite \(suite): a suite name is \(rule)")
        }
        settings.clock = try clock.map { text in
            guard let time = Timestamp.parse(text) else {
                throw ValidationError("--clock \(text): an RFC 3339 time with a zone is needed")
            }
            return time
        }
        settings.seed = seed
        settings.isLockStep = clock != nil || seed != nil
        settings.locale = locale
        settings.filesFolder = filesWithin
        settings.fetchesAttachments = fetchesAttachments
    }

    /// The form of log lines.
    func format() throws -> LogFormat {
        guard let format = LogFormat(rawValue: logFormat) else {
            let known = LogFormat.allCases.map(\.rawValue).joined(separator: " or ")
            throw ValidationError("--log-format \(logFormat): it must be \(known)")
        }
        return format
    }

    /// The lowest level that is logged.
    func level() throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: logLevel) else {
            let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--log-level \(logLevel): it must be one of \(known)")
        }
        return level
    }
}
