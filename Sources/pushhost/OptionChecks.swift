internal import ArgumentParser
internal import Localization
internal import Platform

extension ArgumentHelp {
    /// The help of an option whose value is a time in milliseconds.
    static func milliseconds(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "milliseconds") }
}

/// Throws an error if the value of `--locale` is not the name of a locale.
func requireLocale(_ locale: String?) throws {
    guard let locale, !LanguageTag.isValid(locale) else { return }
    throw ValidationError("--locale \(locale): it is not \(LanguageTag.rule)")
}

/// Throws an error if the value of an option is out of range.
func requireOption(_ option: String, _ value: Int, in range: ClosedRange<Int>) throws {
    guard range.contains(value) else {
        throw ValidationError("--\(option) \(value): it must be from \(range.lowerBound) to \(range.upperBound)")
    }
}

/// Throws an error if an option names a folder that neither exists nor can be created, because a file is in its place.
func requireFolder(_ option: String, _ path: String) throws {
    guard !path.isEmpty else { throw ValidationError("--\(option): its value is empty; name a folder") }
    var place = Paths.absolute(path)
    while FileStamp(of: place) == nil, place != "/" {
        place = URL(fileURLWithPath: place).deletingLastPathComponent().path
    }
    if StandardFolders.isFolder(place) {
        guard place != Paths.absolute(path), let problem = obstacle(toFoldersIn: place) else { return }
        throw ValidationError("--\(option) \(path): cannot make a folder in \(place): \(problem)")
    }
    let isItself = FileStamp(of: path) != nil
    throw ValidationError("--\(option) \(path): \(isItself ? "it" : place) is not a folder")
}

/// Why no folder can be made in a folder; nil if one can.
///
/// Tried with another name, because permissions alone do not tell: /proc seems writable to root.
private func obstacle(toFoldersIn folder: String) -> String? {
    var template = Array("\(folder)/.pushhost-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return String(cString: strerror(errno)) }
    rmdir(template)
    return nil
}

/// Throws an error if a value of `--plugins` is not a folder.
func requireBundles(_ folders: [String]) throws {
    for folder in folders { try requireExistingFolder("plugins", folder) }
}

/// Throws an error if the value of an option is not a folder.
func requireExistingFolder(_ option: String, _ folder: String) throws {
    guard StandardFolders.isFolder(folder) else {
        throw ValidationError("--\(option) \(folder): there is no such folder")
    }
}

/// The time that is the value of `--clock`, in milliseconds since 1970.
func clockTime(_ text: String) throws -> Int64 {
    guard let time = Timestamp.parse(text) else {
        throw ValidationError("--clock \(text): an RFC 3339 time with a zone is needed")
    }
    return time
}

/// Throws an error if an option names a file that cannot be written, because it is a folder or its folder is missing.
func requireFile(_ option: String, _ path: String) throws {
    guard !path.isEmpty else { throw ValidationError("--\(option): its value is empty; name a file") }
    let path = Paths.absolute(path)
    if StandardFolders.isFolder(path) { throw ValidationError("--\(option) \(path): it is a folder; name a file") }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard StandardFolders.isFolder(folder) else {
        throw ValidationError("--\(option) \(path): there is no folder \(folder)")
    }
}

/// Throws an error if an option names a file to write that the command also reads.
func requireOther(_ option: String, _ path: String, than inputs: [String]) throws {
    guard path != "-", let stamp = FileStamp(of: Paths.absolute(path)) else { return }
    if inputs.contains(where: { $0 != "-" && FileStamp(of: Paths.absolute($0)) == stamp }) {
        throw ValidationError("--\(option) \(path): this command reads that file; name another one")
    }
}
