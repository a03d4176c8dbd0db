import Platform
import Suites
import Testing

@testable import Delivery

struct RetryTests {
    @Test("Pauses grow with the failures up to the longest one, and about half of each is random")
    func pauses() throws {
        let policy = RetryPolicy(base: 100, limit: 1_000, patience: 0)
        for seed in 0..<50 as Range<UInt64> {
            var retry = Retry(policy, seed: seed)
            var now: Int64 = 0
            for longest in [100, 200, 400, 800, 1_000, 1_000] as [Int64] {
                retry.fail(at: now)
                let next = try #require(retry.nextTry)
                #expect((longest / 2...longest).contains(next - now))
                now = next
                retry.endPauseIfOver(at: now)
            }
            retry.startOver()
            retry.fail(at: now)
            #expect(try #require(retry.nextTry) - now <= 100)
        }
    }

    @Test(
        "A pause is never 0 and never overflows",
        arguments: [
            (RetryPolicy(base: 0, limit: 1_000, patience: 0), 0, 1...1),
            (RetryPolicy(base: 100, limit: 1_000, patience: 0), Int.max >> 1, 500...1_000),
        ]
    )
    func extremes(policy: RetryPolicy, failures: Int, expected: ClosedRange<Int64>) throws {
        var retry = Retry(policy, failures: failures, seed: 1)
        retry.fail(at: 0)
        #expect(expected.contains(try #require(retry.nextTry)))
    }

    @Test("The pause that is asked for is a lower bound, and the later of two attempts counts")
    func lowerBound() throws {
        var retry = Retry(RetryPolicy(base: 100, limit: 1_000, patience: 0), seed: 1)
        retry.fail(at: 0, pause: 5_000)
        #expect(retry.nextTry == 5_000)
        retry.fail(at: 1)
        #expect(retry.nextTry == 5_000)
        retry.endPauseIfOver(at: 4_999)
        #expect(retry.nextTry == 5_000)
        retry.endPauseIfOver(at: 5_000)
        #expect(retry.nextTry == nil)
    }

    @Test("The patience begins with the first failure, and a success ends it")
    func patience() {
        var retry = Retry(RetryPolicy(base: 100, limit: 100, patience: 1_000), seed: 1)
        retry.fail(at: 10_000)
        #expect(!retry.isExhausted)
        retry.fail(at: 10_901)
        #expect(!retry.isExhausted)
        retry.fail(at: 10_990)
        #expect(retry.isExhausted)
        retry.startOver()
        retry.fail(at: 20_000)
        #expect(!retry.isExhausted)
    }

    @Test("What a queue reports during its pause is the failure that began the pause, and does not count again")
    func failuresDuringPause() {
        var access = QueueAccess(Retry(RetryPolicy(base: 100, limit: 1_000, patience: 10_000), seed: 1))
        access.fail(at: 0)
        let first = access.retry
        for now in 1...20 as ClosedRange<Int64> { access.fail(at: now) }
        #expect(access.retry.failures == 1 && access.retry.nextTry == first.nextTry)
        access.endPauseIfOver(at: 100)
        access.fail(at: 100)
        #expect(access.retry.failures == 2)
    }

    @Test("A held queue is tried often within its patience, and not for longer")
    func lockedQueue() throws {
        for seed in 0..<20 as Range<UInt64> {
            var retry = Retry(.lockedQueue(patience: 5_000), seed: seed)
            var (now, attempts) = (Int64(0), 0)
            while !retry.isExhausted {
                now = retry.nextTry ?? now
                retry.endPauseIfOver(at: now)
                retry.fail(at: now)
                attempts += 1
            }
            #expect((4_500...5_000).contains(now))
            #expect((20...60).contains(attempts))
        }
    }
}
