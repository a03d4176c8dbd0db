internal import Platform

extension ClientFile {
    /// A new file that replaces this one atomically; its errors name the path as the client did.
    struct Replacement {
        private let path: String
        private let file: FileReplacement

        init(_ file: ClientFile) throws(Failure) {
            path = file.path
            do throws(SystemError) {
                self.file = try FileReplacement(of: file.target)
            } catch {
                throw unusable("write into the folder of", file.path, error)
            }
        }

        /// Writes some of the bytes.
        ///
        /// - Returns: The index of the first byte that is not written yet.
        func write(_ bytes: [UInt8], from start: Int) throws(Failure) -> Int {
            do throws(SystemError) {
                return try file.write(bytes, from: start)
            } catch {
                throw unusable("write", path, error)
            }
        }

        /// Replaces the old file by the new one.
        func finish() throws(Failure) {
            do throws(SystemError) {
                try file.finish()
            } catch {
                throw unusable("write", path, error)
            }
        }
    }
}
