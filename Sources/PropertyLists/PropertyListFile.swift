package import Platform

/// Reads the bytes of property list files.
package enum PropertyListFile {
    /// Why a file is not read.
    package enum Failure: Error, Equatable {
        /// The system cannot read it.
        case unreadable(SystemError)
        /// It is larger than allowed.
        case tooLarge
        /// It begins neither like XML nor like the binary form.
        case notPropertyList
    }

    /// Reads a property list; reads only the first bytes of any other file, such as a private key.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file at its beginning.
    ///   - limit: The maximum size in bytes.
    /// - Returns: The bytes; none if the file is empty.
    /// - Throws: Why the file is not read.
    package static func bytes(of descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        let head = try read(descriptor, limit: min(PropertyListFormat.headSize, limit + 1))
        guard head.isEmpty || PropertyListFormat(head) != nil else { throw .notPropertyList }
        do throws(SystemError) {
            try Descriptors.rewind(descriptor)
        } catch {
            throw .unreadable(error)
        }
        // Read again from the start, because joining two arrays of megabytes would keep the event loop busy.
        let bytes = try read(descriptor, limit: limit + 1)
        // The file may have grown since its size was checked.
        guard bytes.count <= limit else { throw .tooLarge }
        return bytes
    }

    private static func read(_ descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            return try Descriptors.readAll(descriptor, limit: limit)
        } catch {
            throw .unreadable(error)
        }
    }
}
