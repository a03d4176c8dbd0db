internal import Delivery
internal import JSONRPC

/// A destination that can say what it would do, and whether it can be reached, without delivering anything.
protocol InspectedDestination: Destination {
    /// Says which requests a delivery of the batch would make, and makes none of them.
    ///
    /// - Parameters:
    ///   - batch: The records, as a dry run.
    ///   - arguments: The client's call, for errors.
    ///   - completion: Called once, perhaps before this returns.
    func dryRun(
        _ batch: DeliveryBatch,
        _ arguments: Arguments,
        completion: @escaping (Result<DryRunReply, RPCError>) -> Void
    )

    /// Says whether the destination can be reached and would accept records, without sending any.
    ///
    /// - Parameters:
    ///   - arguments: The client's call, for errors.
    ///   - completion: Called once, perhaps before this returns.
    func check(_ arguments: Arguments, completion: @escaping (Result<CheckReply, RPCError>) -> Void)
}
