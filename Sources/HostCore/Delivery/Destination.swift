internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Suites

/// Where a flush goes: a bundle, or the file that is built in.
enum Destination {
    case file
    case bundle(name: String)

    /// The destinations that are built in.
    static let builtIn = ["caller", "file"]

    /// The name, as `flushPending` has it in `to`.
    var name: String {
        switch self {
        case .file: "file"
        case .bundle(let name): name
        }
    }
}

extension HostConfiguration {
    /// The destinations to which records can be flushed without a caller, if a name is not among them.
    ///
    /// Reads the bundles, so it costs what a first notification costs.
    ///
    /// - Parameter name: The name that is looked for.
    /// - Returns: The names of all destinations, or nothing if there is one of that name.
    public func destinations(without name: String) -> [String]? {
        let catalog = BundleCatalog(folders: pluginFolders, reportsMissing: pluginFoldersAreNamed)
        let names = [Destination.file.name] + catalog.destinationNames
        return names.contains { $0.utf8.elementsEqual(name.utf8) } ? nil : names
    }
}

extension Host {
    /// The destination of that name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - path: Where the request says so.
    /// - Returns: The destination.
    /// - Throws: ``HostError/unknownDestination`` with the names that there are.
    func destination(_ name: String, path: String?) throws(RPCError) -> Destination {
        if name == Destination.file.name { return .file }
        let catalog = extensions.catalog(self)
        guard catalog.destination(named: name) != nil else {
            let known = (Destination.builtIn + catalog.destinationNames).joined(separator: ", ")
            throw HostError.unknownDestination(
                "there is no destination \(JSON.string(name).excerpt()); there are \(known)",
                path: path
            )
        }
        return .bundle(name: name)
    }

    /// How many batches may be on their way there.
    func batchesAtOnce(_ destination: Destination) -> Int {
        guard case .bundle(let name) = destination else { return 1 }
        return extensions.catalog(self).destination(named: name)?.concurrentBatches ?? 1
    }

    /// Whether a process of the destination that was loaded anew finishes what it has.
    func isLeaving(_ name: String) -> Bool {
        guard !extensions.isSettled else { return false }
        return extensions.catalog(self).destination(named: name).map(extensions.isLeaving) ?? false
    }

    /// Lets a batch leave.
    ///
    /// - Parameters:
    ///   - records: The batch.
    ///   - delivery: Whose it is.
    ///   - name: The destination.
    ///   - isProbe: Whether the destination is to ask its service something harmless first.
    ///   - completion: Takes what came of it, once.
    func deliver(
        _ records: [StoredRecord],
        of delivery: Delivery,
        to name: String,
        isProbe: Bool,
        completion: @escaping (Result<DeliveryReply, DeliveryFailure>) -> Void
    ) {
        guard let bundle = extensions.catalog(self).destination(named: name) else {
            let text = "there is no destination \(JSON.string(name)) any more"
            return completion(.failure(DeliveryFailure(problem: text, hasLeft: false)))
        }
        var params: [UInt8] = []
        params.append(literal: "{\"suite\":")
        JSON.string(delivery.suite.name.text).write(to: &params)
        params.append(literal: ",\"batch\":[")
        for (index, record) in records.enumerated() {
            if index > 0 { params.append(UInt8(ascii: ",")) }
            record.write(to: &params, user: delivery.user)
        }
        params.append(literal: isProbe ? "],\"probe\":true}" : "]}")
        let ids = Set(records.lazy.map(\.id))
        let process = extensions.process(bundle, host: self)
        process.call("deliver", writtenParams: params) { result in
            if let change = process.noticeChangedFiles() { delivery.note(Diagnostic("bundleChanged", change)) }
            completion(
                result.mapError { DeliveryFailure($0, bundle: bundle) }
                    .flatMap { value in
                        Result { () throws(ReplyError) in try DeliveryReply(value, batch: ids) }
                            .mapError {
                                let text =
                                    "\(bundle.identifier) gave an answer that the contract does not allow: \($0.text)"
                                return DeliveryFailure(problem: text, hasLeft: true)
                            }
                    }
            )
        }
    }
}

/// Why a batch was not answered.
struct DeliveryFailure: Error {
    let problem: String
    /// Whether it may be there all the same.
    let hasLeft: Bool
    var retryAfter: Int64?

    init(problem: String, hasLeft: Bool, retryAfter: Int64? = nil) {
        self.problem = problem
        self.hasLeft = hasLeft
        self.retryAfter = retryAfter
    }

    init(_ failure: ExtensionFailure, bundle: ExtensionBundle) {
        problem = "\(bundle.identifier) \(failure.reason)"
        switch failure.reason {
        // An error for an answer says that nothing of the batch was attempted.
        case .refused, .cannotStart, .busy, .stopping: hasLeft = false
        case .unavailable(_, let pause):
            hasLeft = false
            retryAfter = pause
        case .exited, .timedOut, .badReply, .misbehaved: hasLeft = failure.wasSent
        }
    }
}
