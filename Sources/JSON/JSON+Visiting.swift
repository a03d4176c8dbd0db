internal import CJansson

extension JSON.Object {
    /// A member during ``visit(_:)``; nothing is copied until its name or value is read.
    ///
    /// - Important: Must not be used after the call of the closure that received it.
    public struct Member {
        fileprivate let position: UnsafeMutableRawPointer

        /// Whether the member has that name.
        ///
        /// - Parameter name: Compared byte for byte.
        /// - Returns: Whether it does.
        public func isNamed(_ name: StaticString) -> Bool {
            nameBytes.isEqual(to: name)
        }

        /// Whether the member's value is that text.
        ///
        /// - Parameter text: Compared byte for byte.
        /// - Returns: Whether it is.
        public func isText(_ text: StaticString) -> Bool {
            textBytes?.isEqual(to: text) ?? false
        }

        /// The member's name.
        public var name: String { String(decoding: nameBytes, as: UTF8.self) }

        /// The bytes of the member's name, owned by the object.
        public var nameBytes: UnsafeRawBufferPointer { withMemberName(position) { $0 } }

        /// The bytes of the member's value, owned by the object; nil if it is not a string.
        public var textBytes: UnsafeRawBufferPointer? {
            guard let value = json_object_iter_value(position), cjansson_typeof(value) == JSON_STRING else {
                return nil
            }
            return withJSONText(value) { $0 }
        }

        /// The member's value.
        public var value: JSON {
            json_object_iter_value(position).map { JSON(sharing: $0) } ?? .null
        }
    }

    /// Visits the members once, in the order written; cheaper than looking up several
    /// names, since each lookup hashes the name.
    ///
    /// - Parameter body: Called once for each member.
    public func visit(_ body: (Member) -> Void) {
        var position = json_object_iter(node.pointer)
        while let member = position {
            body(Member(position: member))
            position = json_object_iter_next(node.pointer, member)
        }
    }
}
