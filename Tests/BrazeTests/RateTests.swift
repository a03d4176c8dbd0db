import TestSupport
import Testing

@testable import braze

@Suite struct RateTests {
    private func headers(_ headers: [String: String], now: Double = 1_700_000_000) -> RateHeaders {
        RateHeaders(Answer(status: 200, headers: headers, body: []).headers, now: now)
    }

    @Test(
        "The end of a window is a time or a number of seconds, and the header's name is case-insensitive",
        arguments: [
            ("1700000005", .seconds(5)), ("5", .seconds(5)), ("1700000005000", .seconds(5)),
            ("2.5", .milliseconds(2_500)), ("9999999999", .seconds(3_600)),
            // A time in the past does not tell when the next window begins.
            ("0", nil), ("1600000000", nil), ("-3", nil), ("1e9999", nil), ("soon", nil), ("NaN", nil),
        ] as [(String, Duration?)]
    )
    func resets(text: String, reset: Duration?) {
        for name in ["X-RateLimit-Reset", "x-ratelimit-reset", "X-RATELIMIT-RESET"] {
            #expect(headers([name: text]).reset == reset)
        }
    }

    @Test("Braze may state any number of remaining requests; it counts for one window", arguments: [.min, -1, 0])
    func remaining(count: Int) {
        var limit = RateLimit(requests: 9, per: .seconds(9))
        let headers = headers(["X-RateLimit-Remaining": "\(count)", "X-RateLimit-Reset": "1"])
        limit.update(with: headers, isRefused: false, at: .zero)
        #expect(limit.pass(at: .milliseconds(500)) != nil)
        #expect(limit.pass(at: .seconds(2)) == nil)
    }

    @Test("A requested pause takes precedence over the end of the window")
    func retryAfter() {
        #expect(headers(["X-Ratelimit-Retry-After": "7", "X-RateLimit-Reset": "9"]).pause == .seconds(7))
        #expect(headers(["Retry-After": "8"]).pause == .seconds(8))
        #expect(headers(["X-RateLimit-Reset": "9"]).pause == .seconds(9))
        let date = headers(["Retry-After": "Tue, 14 Nov 2023 22:13:30 GMT"])
        #expect(date.pause == .seconds(10))
        #expect(headers([:]).pause == nil)
    }

    @Test(
        "A pause of zero, and one in the past, are ignored",
        arguments: ["0", "-5", "Tue, 14 Nov 2023 22:13:20 GMT"]
    )
    func noPause(text: String) {
        #expect(headers(["Retry-After": text]).pause == nil)
        #expect(headers(["Retry-After": text, "X-RateLimit-Reset": "9"]).pause == .seconds(9))
    }

    @Test(
        "Times are relative to the server's date, so a local clock that is wrong by an hour has no effect",
        arguments: [-3_600, 0, 3_600] as [Double]
    )
    func clock(error: Double) {
        let date = "Tue, 14 Nov 2023 22:13:20 GMT"
        let now = 1_700_000_000 + error
        #expect(headers(["Date": date, "X-RateLimit-Reset": "1700000005"], now: now).reset == .seconds(5))
        #expect(headers(["Date": date, "X-RateLimit-Reset": "1700000005000"], now: now).reset == .seconds(5))
        let later = headers(["Date": date, "Retry-After": "Tue, 14 Nov 2023 22:13:30 GMT"], now: now)
        #expect(later.retryAfter == .seconds(10))
        // Without a valid date, no pause is longer than the longest window.
        for other in [[:], ["Date": "yesterday"], ["Date": "Tue, 99 Foo 2023 22:13:20 GMT"]] {
            let headers = headers(other.merging(["X-RateLimit-Reset": "1700000005"]) { $1 }, now: now)
            #expect(headers.reset.map { $0 <= .seconds(3_600) } ?? (error > 0))
        }
    }

    @Test("A refusal without a pause blocks requests for one window", arguments: ["0", "-5", "1600000000"])
    func stormless(text: String) {
        for name in ["X-Ratelimit-Retry-After", "Retry-After", "X-RateLimit-Reset"] {
            var limit = RateLimit(requests: 100, per: .seconds(3))
            limit.update(
                with: headers([name: text.hasPrefix("16") && name != "X-RateLimit-Reset" ? "0" : text]),
                isRefused: true,
                at: .zero
            )
            #expect(limit.pass(at: .zero) == .seconds(3))
        }
    }

    @Test(
        "No interval as long as the window contains more requests than the limit, wherever it begins",
        arguments: [1, 2, 3] as [UInt64]
    )
    func window(seed: UInt64) {
        var limit = RateLimit(requests: 5, per: .milliseconds(100))
        var (now, times) = (Duration.zero, [Duration]())
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            if let wait = limit.pass(at: now) { now += wait } else { times.append(now) }
            now += .microseconds(Int.random(in: 0...15_000, using: &chance))
        }
        #expect(times.count > 100)
        for (first, sixth) in zip(times, times.dropFirst(5)) { #expect(sixth - first >= .milliseconds(100)) }
    }

    @Test("The wait is only as long as necessary")
    func wait() {
        var limit = RateLimit(requests: 2, per: .seconds(3))
        #expect(limit.pass(at: .zero) == nil)
        #expect(limit.pass(at: .seconds(1)) == nil)
        #expect(limit.pass(at: .seconds(2)) == .seconds(1))
        #expect(limit.pass(at: .seconds(3)) == nil)
        #expect(limit.pass(at: .seconds(3)) == .seconds(1))
    }

    @Test("A refusal blocks requests for its pause, or for one window if it has none")
    func refusal() {
        var limit = RateLimit(requests: 100, per: .seconds(3))
        limit.update(with: headers(["X-Ratelimit-Retry-After": "7"]), isRefused: true, at: .zero)
        #expect(limit.pass(at: .seconds(1)) == .seconds(6))
        limit.update(with: headers([:]), isRefused: true, at: .seconds(1))
        #expect(limit.pass(at: .seconds(1)) == .seconds(6), "the longer pause stays")
        #expect(limit.pass(at: .seconds(7)) == nil)
        limit.update(with: headers([:]), isRefused: true, at: .seconds(10))
        #expect(limit.pass(at: .seconds(10)) == .seconds(3))
    }

    @Test("The remaining requests of the server's window only decrease, in whatever order answers arrive")
    func remaining() {
        var limit = RateLimit(requests: 100, per: .seconds(3))
        limit.update(
            with: headers(["X-RateLimit-Remaining": "2", "X-RateLimit-Reset": "60"]),
            isRefused: false,
            at: .zero
        )
        #expect(limit.pass(at: .zero) == nil)
        limit.update(
            with: headers(["X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "59"]),
            isRefused: false,
            at: .seconds(1)
        )
        #expect(limit.pass(at: .seconds(1)) == nil)
        #expect(limit.pass(at: .seconds(1)) == .seconds(59))
        #expect(limit.pass(at: .seconds(60)) == nil, "the window is over")
        limit.update(
            with: headers(["X-RateLimit-Remaining": "5", "X-RateLimit-Reset": "60"]),
            isRefused: false,
            at: .seconds(61)
        )
        #expect(limit.pass(at: .seconds(61)) == nil)
    }
}
