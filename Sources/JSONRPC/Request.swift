public import JSON

extension Message {
    /// A method, its params and the id under which the answer is expected.
    ///
    /// Nothing is copied from the line's tree, which the request keeps alive, until it is asked for.
    public struct Request {
        /// The members that JSON-RPC defines, in the order of the constants below.
        static let names = Names(["jsonrpc", "id", "method", "params", "result", "error"])
        static let version = 0
        static let identifier = 1
        static let methodName = 2
        static let parameters = 3
        static let result = 4
        static let error = 5

        let members: Members

        /// A request, or the members of another message.
        init(_ members: Members) { self.members = members }

        /// A request that no peer sent.
        ///
        /// - Parameters:
        ///   - method: The name of the method.
        ///   - params: An array or an object; nil for no params.
        ///   - id: The id; nil for a notification.
        init(method: String, params: JSON?, id: JSON?) {
            members = Members(of: JSON(present: ["id": id, "method": .string(method), "params": params]), Self.names)
        }

        /// The name of the method.
        public var method: String { methodBytes.map { String(decoding: $0, as: UTF8.self) } ?? "" }

        /// The bytes of the name of the method.
        var methodBytes: UnsafeRawBufferPointer? { members.text(at: Self.methodName) }

        /// An array or an object; nil if there are no params.
        public var params: JSON? { members[Self.parameters] }

        /// Whether there is no id.
        var isNotification: Bool { !members.isPresent(at: Self.identifier) }

        /// A string, a number or null; absent in a notification.
        public var id: JSON? { members[Self.identifier] }

        /// Appends the id as JSON text.
        func writeID(to bytes: inout [UInt8]) { members.write(at: Self.identifier, to: &bytes) }
    }
}
