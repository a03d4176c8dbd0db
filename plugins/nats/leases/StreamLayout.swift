/// What the subjects of a stream say of its messages: their partitions, and whether each has one record or several.
///
/// Earlier versions know streams of single records only, and refuse the others because of their subjects. So a relay of an
/// earlier version never takes several records for one that nobody can deliver.
public struct StreamLayout: Equatable, Sendable {
    /// The bits of a record's id that are its place in the message, if messages have several records.
    static let placeBits = 10

    /// The stream's name.
    public let stream: String
    /// The number of partitions.
    public let partitions: Int
    /// Whether a message is a ``LinkedMessage``, rather than a single record.
    public let isLinked: Bool

    /// A layout.
    public init(stream: String, partitions: Int, isLinked: Bool = true) {
        (self.stream, self.partitions, self.isLinked) = (stream, partitions, isLinked)
    }

    /// The layout of a stream; nil if its subjects are none of pushhost's.
    ///
    /// - Parameters:
    ///   - stream: The stream's name.
    ///   - subjects: Its subjects, in any order.
    public init?(stream: String, subjects: [String]) {
        let layouts = [true, false].map { StreamLayout(stream: stream, partitions: subjects.count, isLinked: $0) }
        guard !subjects.isEmpty, let layout = layouts.first(where: { Set($0.subjects) == Set(subjects) }) else {
            return nil
        }
        self = layout
    }

    /// The subjects of a stream with this layout.
    public var subjects: [String] { (0..<partitions).map(filter) }

    /// The subjects of a partition's messages.
    public func filter(_ partition: Int) -> String {
        isLinked ? "\(stream).*.*.\(partition)" : "\(stream).*.\(partition)"
    }

    /// The subject of a message.
    ///
    /// - Parameters:
    ///   - suite: The suite's name as one token.
    ///   - identity: The suite's identity.
    ///   - partition: The partition.
    /// - Returns: The subject; if messages are linked, nothing but one chain has it.
    public func subject(suite: String, identity: String, _ partition: Int) -> String {
        isLinked ? "\(stream).\(suite).\(identity).\(partition)" : "\(stream).\(suite).\(partition)"
    }

    // MARK: Ids of records

    private var bits: Int { isLinked ? Self.placeBits : 0 }

    /// The ids that records of a message have or could have, in their order.
    ///
    /// - Parameter sequence: The message's sequence.
    /// - Returns: The sequence alone if a message is a single record.
    public func records(of sequence: Int64) -> ClosedRange<Int64> {
        sequence << bits...(sequence + 1) << bits - 1
    }

    /// The sequence of the message that has a record.
    public func sequence(of record: Int64) -> Int64 { record >> bits }
}
