internal import Platform

extension ClientFile {
    /// A new file that takes the place of this one, with errors that name the path as the client did.
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

        /// Writes a piece of the bytes.
        ///
        /// - Returns: Where the rest begins.
        func write(_ bytes: [UInt8], from start: Int) throws(Failure) -> Int {
            do throws(SystemError) {
                return try file.write(bytes, from: start)
            } catch {
                throw unusable("write", path, error)
            }
        }

        /// Puts the file in its place.
        func finish() throws(Failure) {
            do throws(SystemError) {
                try file.finish()
            } catch {
                throw unusable("write", path, error)
            }
        }
    }
}
