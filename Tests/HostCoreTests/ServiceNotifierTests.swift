import Foundation
import Logging
import TestSupport
import Testing

@testable import HostCore
@testable import Relay

/// What a supervisor receives at a real socket.
@Suite struct ServiceNotifierTests {
    private static var addresses: [String] {
        let name = "pushhost-notify-\(UUID().uuidString.prefix(8))"
        #if os(Linux)
        return ["/tmp/\(name)", "@\(name)"]
        #else
        return ["/tmp/\(name)"]
        #endif
    }

    private func notifier(_ environment: [String: String]) -> ServiceNotifier {
        ServiceNotifier(environment: environment, process: 7, Logger(label: "tests"))
    }

    @Test("The state is sent to a path and to an abstract address", arguments: addresses)
    func state(address: String) throws {
        let supervisor = try DatagramReceiver(address)
        let service = notifier(["NOTIFY_SOCKET": address])
        service.status("starting", now: 0)
        service.ready(now: 0)
        service.status("3 records\nwait", now: 1)
        service.status("3 records\nwait", now: 2)
        service.stopping(now: 3)
        #expect(supervisor.receiveAll() == ["STATUS=starting", "READY=1", "STATUS=3 records wait", "STOPPING=1"])
        #expect(service.deadline == nil, "nobody asked for a watchdog")
    }

    @Test("The watchdog is told twice in its time, from the moment of readiness")
    func watchdog() throws {
        let supervisor = try DatagramReceiver(Self.addresses[0])
        let variables = ["NOTIFY_SOCKET": supervisor.address, "WATCHDOG_USEC": "3000000"]
        for more in [[:], ["WATCHDOG_PID": "7"]] {
            let service = notifier(variables.merging(more) { $1 })
            #expect(service.deadline == nil)
            service.expire(now: 9_999)
            #expect(supervisor.receiveAll() == [])
            service.ready(now: 10_000)
            #expect(supervisor.receiveAll() == ["READY=1", "WATCHDOG=1"])
            #expect(service.deadline == 11_500)
            service.expire(now: 11_499)
            #expect(supervisor.receiveAll() == [])
            service.expire(now: 11_500)
            #expect(supervisor.receiveAll() == ["WATCHDOG=1"])
            #expect(service.deadline == 13_000)
        }
        let other = notifier(variables.merging(["WATCHDOG_PID": "8"]) { $1 })
        other.ready(now: 0)
        #expect(supervisor.receiveAll() == ["READY=1"])
        #expect(other.deadline == nil)
    }

    @Test("If the supervisor does not read, messages wait in order, and of several states the last one is sent")
    func full() throws {
        let supervisor = try DatagramReceiver(Self.addresses[0])
        let service = notifier(["NOTIFY_SOCKET": supervisor.address, "WATCHDOG_USEC": "2000000"])
        service.ready(now: 0)
        var count = 0
        // The system's limit of unread datagrams is unknown here.
        while service.deadline.map({ $0 > 100 }) ?? true, count < 100_000 {
            count += 1
            service.status("state \(count)", now: 0)
        }
        #expect(service.deadline == 100, "the queue is full")
        service.status("last", now: 50)
        service.stopping(now: 50)
        service.expire(now: 1_000)
        #expect(service.deadline == 1_100)
        let early = supervisor.receiveAll()
        #expect(early.prefix(3) == ["READY=1", "WATCHDOG=1", "STATUS=state 1"] && early.count == count + 1)
        service.expire(now: 1_100)
        #expect(supervisor.receiveAll() == ["STATUS=last", "STOPPING=1", "WATCHDOG=1"])
        #expect(service.deadline == 2_000)
    }

    @Test(
        "Without a socket, with a wrong one or after the supervisor is gone, the service runs on",
        arguments: ["", "relative", "vsock:2:1234", "/nonexistent/notify", "/" + String(repeating: "x", count: 200)]
    )
    func absent(address: String) {
        for environment in [[:], ["NOTIFY_SOCKET": address, "WATCHDOG_USEC": "x"]] {
            let service = notifier(environment)
            service.ready(now: 0)
            service.status("x", now: 0)
            service.expire(now: 1_000)
            service.stopping(now: 0)
            #expect(service.deadline == nil)
        }
    }
}
