internal import CSystem
internal import Foundation

extension ClientFile {
    /// Puts the bytes in the place of the file, so that at any moment either the old one is there or the new one is
    /// there whole.
    func replace(with bytes: [UInt8]) throws(Failure) {
        let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
        // Without a name, so that a host that is killed leaves no part of it.
        let descriptor = csystem_open_unnamed(folder, 0o600)
        if descriptor >= 0 {
            defer { close(descriptor) }
            try write(bytes, to: descriptor)
            try name(descriptor)
        } else {
            try replaceNamed(with: bytes)
        }
        Self.syncFolder(folder)
    }

    /// Gives a file that has no name the target's.
    private func name(_ descriptor: CInt) throws(Failure) {
        var code = csystem_name_file(descriptor, target)
        if code == -EEXIST {
            // Only a file that has a name can take the place of another.
            let temporary = beside(String(UInt32.random(in: 0...UInt32.max), radix: 36))
            code = csystem_name_file(descriptor, temporary)
            if code == 0, rename(temporary, target) != 0 {
                code = -errno
                unlink(temporary)
            }
        }
        guard code == 0 else { throw Self.unusable("write", path, -code) }
    }

    /// The same on a file system that has no files without names.
    private func replaceNamed(with bytes: [UInt8]) throws(Failure) {
        var name = Array(beside("XXXXXX").utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw Self.unusable("write into the folder of", path, errno) }
        let temporary = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(Failure) {
            defer { close(descriptor) }
            try write(bytes, to: descriptor)
            guard rename(temporary, target) == 0 else { throw Self.unusable("write", path, errno) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// A path beside the target, since a file can be renamed only within a file system.
    private func beside(_ end: String) -> String {
        let url = URL(fileURLWithPath: target)
        return "\(url.deletingLastPathComponent().path)/.\(url.lastPathComponent).\(end)"
    }

    private func write(_ bytes: [UInt8], to descriptor: CInt) throws(Failure) {
        do {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: bytes)
        } catch {
            throw .unusable("cannot write \(path): \(error.localizedDescription)")
        }
        guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0 else {
            throw Self.unusable("write", path, errno)
        }
    }

    /// Makes the new name durable; a file system that cannot has the file all the same.
    private static func syncFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}
