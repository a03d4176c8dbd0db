internal import Platform
package import PropertyLists

/// Reads files of bundles without trusting them.
///
/// A file of a foreign bundle may be a link that leaves the bundle, a named pipe without a writer, or endless.
public enum BundleFile {
    /// Why a file cannot be read.
    public struct Failure: Error, Equatable {
        /// The problem and what to do about it, as a clause for an error message.
        public let message: String
    }

    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - name: The file's path in the bundle.
    ///   - folder: The bundle's folder.
    ///   - limit: The maximum size in bytes.
    /// - Returns: The bytes; `nil` if there is no such file.
    /// - Throws: Why an existing file is not read.
    public static func contents(of name: String, in folder: String, limit: Int) throws(Failure) -> [UInt8]? {
        try open(name, in: folder) { descriptor, stamp throws(Failure) in
            guard stamp.size <= limit else { throw tooLarge(limit) }
            do throws(SystemError) {
                // Reading one byte more than allowed detects a file that has grown since.
                let bytes = try Descriptors.readAll(descriptor, limit: min(Int(stamp.size), limit) + 1)
                if bytes.count <= limit { return bytes }
            } catch {
                throw Failure(message: error.description)
            }
            throw tooLarge(limit)
        }
    }

    /// Reads a property list whose root is a dictionary; `nil` if the bundle has no such file.
    ///
    /// - Throws: Why an existing file is not read.
    package static func dictionary(
        _ name: String,
        in folder: String,
        limit: Int = 1 << 20
    ) throws(Failure) -> PropertyListValue? {
        guard let bytes = try contents(of: name, in: folder, limit: limit) else { return nil }
        return try dictionary(bytes)
    }

    /// Parses a property list whose root is a dictionary.
    static func dictionary(_ bytes: [UInt8]) throws(Failure) -> PropertyListValue {
        let list: PropertyListValue
        do throws(PropertyListError) {
            list = try PropertyListValue(propertyList: bytes)
        } catch {
            throw Failure(message: error.message)
        }
        guard case .dictionary = list else {
            throw Failure(message: "its root must be a dictionary, it is \(list.typeName)")
        }
        return list
    }

    /// The stamp of a file, which differs after the file has changed; `nil` if there is no such file.
    ///
    /// - Throws: Why an existing file may not be read.
    static func stamp(of name: String, in folder: String) throws(Failure) -> FileStamp? {
        try open(name, in: folder) { _, stamp throws(Failure) in stamp }
    }

    private static func tooLarge(_ limit: Int) -> Failure {
        Failure(message: "it is larger than \(limit) bytes")
    }

    private static func open<Result>(
        _ name: String,
        in folder: String,
        _ body: (Int32, FileStamp) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let root = Paths.resolved(folder), let path = Paths.resolved("\(root)/\(name)") else {
            // What cannot be looked at and a broken link exist, and must not be treated like an absent file.
            guard [ENOENT, ENOTDIR].contains(errno) else {
                throw Failure(message: "it cannot be read: \(SystemError.last)")
            }
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) != 0 else { throw Failure(message: "it is a link to nothing") }
            return nil
        }
        guard Paths.lies(path, in: root) else { throw Failure(message: "it is a link that leaves the bundle") }
        // O_NONBLOCK: opening a named pipe must not wait for its writer.
        let descriptor = Platform.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Failure(message: SystemError.last.description) }
        defer { close(descriptor) }
        guard let stamp = FileStamp(of: descriptor), stamp.kind == .file else {
            throw Failure(message: "it is no file")
        }
        return try body(descriptor, stamp)
    }
}
