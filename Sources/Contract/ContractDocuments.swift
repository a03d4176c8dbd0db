internal import CContract
public import JSON

/// The documents of the contract, which are embedded in the program.
public enum ContractDocuments {
    /// The version of the contract, `<major>.<minor>`, which is independent of the version of the program.
    ///
    /// `protocol/reference/versions.md` defines what a version may change. All documents name the same version.
    public static let version = "1.2"

    /// The document of the host's methods; it keeps its text, because `rpc.discover` returns it.
    public static let host = JSON(ccontract_openrpc()).keepingText

    /// The document of the methods that the host calls on an extension that shows notifications or changes them.
    public static let `extension` = JSON(ccontract_extension_openrpc())

    /// The document of the methods that the host calls on a destination.
    public static let destination = JSON(ccontract_destination_openrpc())

    /// The document of the methods that the host calls on a personalization extension.
    public static let personalization = JSON(ccontract_personalization_openrpc())

    /// The document of the methods that the host calls on a source, and of the notifications that a source sends.
    public static let source = JSON(ccontract_source_openrpc())

    /// The page that explains the findings about payloads, in Markdown.
    package static let notificationsPage = text(ccontract_notifications_page())

    /// The page that explains the findings about bundles, in Markdown.
    package static let bundlesPage = text(ccontract_bundles_page())

    private static func text(_ document: ccontract_document) -> String {
        String(decoding: UnsafeBufferPointer(start: document.bytes, count: document.size), as: UTF8.self)
    }
}

extension JSON {
    fileprivate init(_ document: ccontract_document) {
        do throws(JSONParseError) {
            self = try JSON(parsing: UnsafeRawBufferPointer(start: document.bytes, count: document.size))
        } catch {
            preconditionFailure("a document of the contract is not JSON: \(error)")
        }
    }
}

/// The names of participants in recordings, except extensions, which have their bundle identifiers.
package enum Participant {
    /// The client of the host.
    package static let client = "client"
    /// The host itself.
    package static let host = "host"
    /// The destination of text that an extension writes on its stderr.
    package static let standardError = "stderr"

    /// The names that no bundle may have, because its lines could not be distinguished from those of another participant.
    package static let all = [client, host, standardError]
}
