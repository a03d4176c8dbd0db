internal import CSystem

/// A file that is written piece by piece and then takes the place of whatever file is there, so that at any moment
/// either the old file or the whole new one is there.
///
/// The new file has no name until it is complete, so a process that is killed leaves no part of it behind. If the file
/// system does not support unnamed files, it has a temporary name beside the target.
package final class FileReplacement {
    /// The maximum number of bytes that one call writes and makes durable.
    private static let pieceSize = 512 << 10

    private let target: String
    private let descriptor: Int32
    /// The temporary name, if the file has one.
    private var temporary: String?

    /// A new empty file.
    ///
    /// - Parameter target: The path whose file is replaced; links must be resolved, or the link itself is replaced.
    /// - Throws: Why no file can be created in the target's folder.
    package init(of target: String) throws(SystemError) {
        self.target = target
        let unnamed = csystem_open_unnamed(Paths.parent(of: target), 0o600)
        guard unnamed < 0 else {
            descriptor = unnamed
            return
        }
        var name = Array(Self.sibling(of: target, "XXXXXX").utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw .last }
        temporary = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        // An unfinished file must not stay.
        if let temporary { unlink(temporary) }
    }

    /// Writes the next piece and makes it durable, so that no single call takes long.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the file.
    ///   - start: Where the piece begins.
    /// - Returns: Where the next piece begins.
    /// - Throws: Why the bytes cannot be written.
    package func write(_ bytes: [UInt8], from start: Int) throws(SystemError) -> Int {
        let end = min(bytes.count, start + Self.pieceSize)
        try Descriptors.writeAll(bytes[start..<end], to: descriptor)
        guard fsync(descriptor) == 0 else { throw .last }
        return end
    }

    /// Replaces the target by the file and makes that durable.
    ///
    /// - Parameter mode: The permissions of the file; by default only its owner may read it.
    /// - Throws: Why the target was not replaced, or why the new one may be lost with the power.
    package func finish(mode: UInt32 = 0o600) throws(SystemError) {
        guard fchmod(descriptor, mode_t(mode)) == 0, fsync(descriptor) == 0 else { throw .last }
        if temporary == nil { try nameFile() }
        if let temporary {
            guard rename(temporary, target) == 0 else { throw .last }
            self.temporary = nil
        }
        try Folders.sync(Paths.parent(of: target))
    }

    /// Gives an unnamed file the target's name, or a temporary one if the target exists, because only a named file can
    /// replace another.
    private func nameFile() throws(SystemError) {
        var code = csystem_name_file(descriptor, target)
        if code == -EEXIST {
            let temporary = Self.sibling(of: target, String(UInt32.random(in: 0...UInt32.max), radix: 36))
            code = csystem_name_file(descriptor, temporary)
            if code == 0 { self.temporary = temporary }
        }
        guard code == 0 else { throw SystemError(-code) }
    }

    /// A path beside the target, because a file can be renamed only within a file system.
    private static func sibling(of target: String, _ suffix: String) -> String {
        let url = URL(fileURLWithPath: target)
        return "\(url.deletingLastPathComponent().path)/.\(url.lastPathComponent).\(suffix)"
    }
}
