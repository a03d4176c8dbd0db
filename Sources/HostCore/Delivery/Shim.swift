internal import ExtensionHost
internal import JSON

extension BundleCatalog {
    func destination(named name: String) -> ExtensionBundle? { nil }
    var destinationNames: [String] { [] }
}
extension ExtensionBundle { var concurrentBatches: Int { 1 } }
extension ExtensionFailure { var wasSent: Bool { true } }
extension ExtensionProcess {
    func call(_ method: String, params: [UInt8], completion: @escaping (Result<JSON, ExtensionFailure>) -> Void) {
        call(method, params: (try? JSON(parsing: params)) ?? .null, completion: completion)
    }
}
