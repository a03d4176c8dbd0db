internal import JSON
internal import JSONRPC

extension JSON {
    /// The value with a mark in place of each volatile member.
    ///
    /// - Parameters:
    ///   - paths: Where they are.
    ///   - names: What they are called, wherever they are.
    /// - Returns: The value without them.
    func masked(_ paths: Set<MemberPath>, names: Set<String>) -> JSON {
        guard !paths.contains(where: \.isEnd) else { return .string("volatile") }
        guard !paths.isEmpty || !names.isEmpty else { return self }
        func below(_ name: String, _ value: JSON) -> JSON {
            value.masked(Set(paths.compactMap { $0.below(name) }), names: names)
        }
        switch self {
        case .object(let object):
            return .object(
                JSON.Object(object.map { ($0, names.contains($0) ? .string("volatile") : below($0, $1)) })
            )
        case .array(let array): return JSON(array.enumerated().map { below(String($0), $1) })
        default: return self
        }
    }

    /// Where another value differs: JSON Pointers, each with what stands there in this one and in the other.
    ///
    /// - Parameters:
    ///   - other: The other value.
    ///   - mayHaveMore: Whether objects of the other may have further members.
    ///   - path: Where the values stand, as a JSON Pointer.
    /// - Returns: The differences, in the order of this value.
    func differences(
        to other: JSON,
        mayHaveMore: Bool,
        at path: String = ""
    ) -> [(path: String, old: JSON?, new: JSON?)] {
        switch (self, other) {
        case (.object(let old), .object(let new)):
            var found: [(path: String, old: JSON?, new: JSON?)] = []
            for (name, value) in old {
                let place = "\(path)/\(JSONPointer.escape(name))"
                if let match = new[name] {
                    found += value.differences(to: match, mayHaveMore: mayHaveMore, at: place)
                } else {
                    found.append((place, value, nil))
                }
            }
            for (name, value) in new where old[name] == nil && !mayHaveMore {
                found.append(("\(path)/\(JSONPointer.escape(name))", nil, value))
            }
            return found
        case (.array(let old), .array(let new)):
            var found = zip(old, new).enumerated().flatMap { index, pair in
                pair.0.differences(to: pair.1, mayHaveMore: mayHaveMore, at: "\(path)/\(index)")
            }
            for index in min(old.count, new.count)..<max(old.count, new.count) {
                found.append(
                    ("\(path)/\(index)", index < old.count ? old[index] : nil, index < new.count ? new[index] : nil)
                )
            }
            return found
        default: return self == other ? [] : [(path, self, other)]
        }
    }
}
