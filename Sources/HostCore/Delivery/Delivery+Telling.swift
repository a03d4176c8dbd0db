internal import JSON
internal import JSONRPC
internal import Platform
internal import Suites

// What a flush tells: its subscribers as it goes on, and whoever asked at its end.

extension Delivery {
    /// How often subscribers are told, in milliseconds; where time is fixed they are told of every batch.
    private static let tellingPause: Int64 = 100

    func tell(isLast: Bool = false) {
        let now = Clock.monotonic()
        let isFixed = host.configuration.isLockStep
        let records = progress.delivered + progress.rejected
        guard records != told?.records ?? 0,
            isFixed || isLast || told.map({ now - $0.at >= Self.tellingPause }) ?? true
        else { return }
        told = (now, records)
        host.publish(.progress) { [self] in
            var members: [(String, JSON)] = [
                ("suite", .string(suite.name.text)), ("to", .string(destination.name)),
                ("delivered", .integer(progress.delivered)), ("rejected", .integer(progress.rejected)),
                ("remaining", .integer((try? suite.freeRecords(now: host.clock.wallTime())) ?? 0)),
            ]
            // A rate is never the same twice.
            if !isFixed {
                members.append(("rate", .integer(progress.delivered * 1000 / max(1, now - start))))
            }
            return .object(JSON.Object(members))
        }
        guard let invocation else { return }
        let text = "\(progress.delivered) delivered to \(destination.name), \(progress.rejected) rejected"
        host.tellProgress(of: invocation.call, records, text)
    }

    func end(_ ending: Flush.Ending) {
        tell(isLast: true)
        self.ending = ending
        answer(ending)
    }

    func answer(_ ending: Flush.Ending) {
        guard !isAnswered else { return }
        isAnswered = true
        guard let invocation else { return }
        host.finish(invocation, host.result(of: self, ending))
    }
}
