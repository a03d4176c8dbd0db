internal import HostClient
internal import JSON
internal import Platform

/// The bundles that the host knows.
struct Catalog {
    private var bundles: [JSON] = []

    /// Reads it from a host.
    mutating func read(_ host: HostClient) throws(ClientError) {
        bundles = try host.result("extensions")["extensions"]?.array.map(Array.init) ?? []
    }

    /// The file with the sample payload of a bundle; nil if it has none.
    func sample(of identifier: String) -> String? {
        bundles.first { $0["identifier"]?.string == identifier }.flatMap(Self.sample)
    }

    /// The first sample payload; nil if no bundle has one.
    var firstSample: String? { bundles.lazy.compactMap(Self.sample).first }

    /// Where records can be sent; `file` is the host's own.
    var destinations: [String] { Set(bundles.compactMap { $0["destinationName"]?.string }).sorted() + ["file"] }

    private static func sample(_ bundle: JSON) -> String? {
        guard let folder = bundle["path"]?.string else { return nil }
        let path = "\(folder)/payload.apns"
        return FileStamp(of: path)?.kind == .file ? path : nil
    }

    /// The message for the windows: the bundles that have a sample payload, and the destinations.
    var members: [(String, JSON)] {
        let list = bundles.filter { Self.sample($0) != nil }.map { bundle -> JSON in
            let folder = bundle["path"]?.string?.split(separator: "/").last.map(String.init)
            return ["identifier": bundle["identifier"] ?? .null, "name": JSON(folder)]
        }
        return [("bundles", JSON(list)), ("destinations", JSON(destinations.map(JSON.string)))]
    }
}
