internal import Foundation

/// A folder in the temporary folder of the system, readable by this user only.
package struct TemporaryFolder {
    package let path: String

    /// Makes a folder.
    ///
    /// - Parameter name: How its name begins.
    /// - Throws: Why there can be none.
    package init(_ name: String) throws(ClientError) {
        let parent = NSTemporaryDirectory()
        var template = Array("\(parent)\(name)-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else {
            throw .failed("no folder can be made in \(parent): \(String(cString: strerror(errno)))")
        }
        path = made
    }

    /// Deletes it with all that it holds.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }
}
