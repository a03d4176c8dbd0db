import JSON
import Notifications
import Testing

@testable import HostCore
@testable import Presenting

@Suite struct ReceptionTests {
    /// A state of each kind, and an event of each kind.
    private static func samples() throws -> (states: [Reception], events: [Reception.Event]) {
        let payload = try Payload(["aps": ["alert": "Hello"]], path: "", depth: 8)
        let received = ReceivedNotification(
            payload,
            notification: "1",
            identifier: nil,
            date: 0,
            locale: nil,
            verticalSizeClass: nil
        )
        let presentation = Presentation(
            Presentation.Entry(received),
            presenter: nil,
            category: nil,
            view: try ViewTree(received.content.defaultView)
        )
        let template = PersonalizationTemplate(payload: [:], profile: [:])
        return (
            [
                .template(template), .rendering, .payload(payload), .changing, .ready(received),
                .shown(received, presentation),
            ],
            [
                .sentToPersonalization, .rendered(payload), .sentToService, .changed(received),
                .presented(received, presentation),
            ]
        )
    }

    /// The name of a case, without what it carries.
    private static func name(_ value: some Any) -> String { String("\(value)".prefix { $0 != "(" }) }

    @Test("Each transition of the table happens, and no other one")
    func transitions() throws {
        let table = [
            "template + sentToPersonalization = rendering",
            "rendering + rendered = payload",
            "payload + sentToService = changing",
            "payload + presented = shown",
            "changing + changed = ready",
            "ready + presented = shown",
        ]
        let (states, events) = try Self.samples()
        let happened = states.flatMap { state in
            events.compactMap { event in
                state.after(event).map { "\(Self.name(state)) + \(Self.name(event)) = \(Self.name($0))" }
            }
        }
        #expect(happened == table)
    }

    @Test("A notification is away exactly while another extension has it")
    func away() throws {
        let away = try Self.samples().states.filter(\.isAway).map(Self.name)
        #expect(away == ["rendering", "changing"])
    }
}
