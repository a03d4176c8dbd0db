internal import CSystem
internal import Foundation

extension ClientFile {
    /// A file that is written piece by piece and then put in the place of whatever file is there, so that at any
    /// moment either the old one is there or the new one is there whole.
    ///
    /// It has no name until it is whole, so a host that is killed leaves no part of it; on a file system that has no
    /// such files it has a temporary name beside the target.
    final class Replacement {
        /// How many bytes are written and made durable at once.
        private static let piece = 512 << 10

        private let file: ClientFile
        private let folder: String
        private let descriptor: CInt
        /// The temporary name of a file that has one.
        private var temporary: String?

        init(_ file: ClientFile) throws(Failure) {
            self.file = file
            folder = URL(fileURLWithPath: file.target).deletingLastPathComponent().path
            let unnamed = csystem_open_unnamed(folder, 0o600)
            guard unnamed < 0 else {
                descriptor = unnamed
                return
            }
            var name = Array(file.beside("XXXXXX").utf8CString)
            descriptor = mkstemp(&name)
            guard descriptor >= 0 else { throw unusable("write into the folder of", file.path, errno) }
            temporary = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        deinit {
            if descriptor >= 0 { close(descriptor) }
            // An unfinished file is removed.
            if let temporary { unlink(temporary) }
        }

        /// Writes some of the bytes.
        ///
        /// - Returns: Where the rest begins.
        func write(_ bytes: [UInt8], from start: Int) throws(Failure) -> Int {
            let end = min(bytes.count, start + Self.piece)
            do {
                let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
                try handle.write(contentsOf: bytes[start..<end])
            } catch {
                throw .unusable("cannot write \(file.path): \(error.localizedDescription)")
            }
            guard fsync(descriptor) == 0 else { throw unusable("write", file.path, errno) }
            return end
        }

        /// Puts the file in its place.
        func finish() throws(Failure) {
            guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0 else {
                throw unusable("write", file.path, errno)
            }
            if temporary == nil { try name() }
            if let temporary {
                guard rename(temporary, file.target) == 0 else { throw unusable("write", file.path, errno) }
                self.temporary = nil
            }
            syncFolder(folder)
        }

        /// Gives a file that has no name the target's, or a temporary one if there is a file of that name: only a file
        /// that has a name can take the place of another.
        private func name() throws(Failure) {
            var code = csystem_name_file(descriptor, file.target)
            if code == -EEXIST {
                let temporary = file.beside(String(UInt32.random(in: 0...UInt32.max), radix: 36))
                code = csystem_name_file(descriptor, temporary)
                if code == 0 { self.temporary = temporary }
            }
            guard code == 0 else { throw unusable("write", file.path, -code) }
        }
    }

    /// A path beside the target, since a file can be renamed only within a file system.
    private func beside(_ end: String) -> String {
        let url = URL(fileURLWithPath: target)
        return "\(url.deletingLastPathComponent().path)/.\(url.lastPathComponent).\(end)"
    }

    /// Makes the new name durable; a file system that cannot has the file all the same.
    private static func syncFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}
