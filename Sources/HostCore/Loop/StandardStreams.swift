internal import CSystem
internal import Foundation

/// What the process got as descriptors 0 to 2.
enum StandardStreams {
    /// Whether a descriptor is that of a regular file.
    static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Points descriptor 1 at a pipe of ours: stdout carries the protocol and nothing else.
    static func divertOutput() -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard csystem_pipe(&ends) == 0 else { return -1 }
        // A print that nobody drains in time is lost, but must not stop the thread that drains.
        csystem_set_nonblocking(ends[0], 1)
        csystem_set_nonblocking(ends[1], 1)
        dup2(ends[1], 1)
        close(ends[1])
        return ends[0]
    }
}
