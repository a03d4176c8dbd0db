internal import Contract
internal import JSON
internal import JSONRPC
internal import Platform

/// A notification that was received and is not shown yet.
struct Arrival {
    let payload: Payload
    /// What it will be called.
    let notification: String
    /// What its sender calls it; else the same.
    let identifier: String
    /// When it came, in milliseconds since 1970.
    let date: Int64
    let locale: String?
    let verticalSizeClass: VerticalSizeClass?
    /// What it shows.
    private(set) var content: NotificationContent
    /// Remarks for the author of the payload.
    private(set) var diagnostics: [Diagnostic]

    init(
        _ payload: Payload,
        notification: String,
        identifier: String?,
        date: Int64,
        locale: String?,
        verticalSizeClass: VerticalSizeClass?
    ) {
        self.payload = payload
        self.notification = notification
        self.identifier = identifier ?? notification
        self.date = date
        self.locale = locale
        self.verticalSizeClass = verticalSizeClass
        content = NotificationContent(payload)
        diagnostics = payload.diagnostics
    }

    mutating func note(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    /// Takes what a service extension made of it.
    mutating func change(to content: NotificationContent, _ remarks: [Diagnostic]) {
        self.content = content
        diagnostics += remarks
    }

    /// What an extension is told of it.
    var request: JSON {
        var members: [(String, JSON)] = [
            ("identifier", .string(identifier)),
            ("date", .string(Timestamp.format(date))),
            ("content", content.json),
        ]
        if let locale { members.append(("locale", .string(locale))) }
        if let verticalSizeClass { members.append(("verticalSizeClass", .string(verticalSizeClass.rawValue))) }
        return .object(JSON.Object(members))
    }
}

/// How much height a view has, in the words of Apple's `UIUserInterfaceSizeClass`.
enum VerticalSizeClass: String {
    /// Little: a phone held sideways.
    case compact
    case regular
}

extension Arguments {
    /// The size class that a call names, if it names one.
    func verticalSizeClass() throws(RPCError) -> VerticalSizeClass? {
        let name = "verticalSizeClass"
        guard let word = try optionalString(name) else { return nil }
        guard let sizeClass = VerticalSizeClass(rawValue: word) else { throw mistyped(name, "compact or regular") }
        return sizeClass
    }
}
