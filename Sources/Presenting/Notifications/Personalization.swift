internal import BrazeRules
package import Calls
package import Configuration
internal import Contract
package import ExtensionHost
package import JSON
package import JSONRPC
package import Notifications
package import Platform

extension Arguments {
    /// The greatest length of a locale in bytes; RFC 5646 requires at least 35.
    private static let localeLimit = 100

    /// A locale; nil if it is absent.
    package func locale() throws(RPCError) -> String? {
        guard let text = try optionalString("locale") else { return nil }
        guard text.utf8.count <= Self.localeLimit else {
            throw mistyped("locale", "a language tag of at most \(Self.localeLimit) bytes")
        }
        return text
    }

    /// Converts a path in the params of an extension to the path of the same value in these params; nil if it is not from them.
    func clientPath(ofExtensionPath path: String) -> String? {
        let userInfo = "/params/request/content/userInfo"
        let clientPath = path.hasPrefix(userInfo) ? "/params/payload" + path.dropFirst(userInfo.count) : path
        for parameter in signature.parameters {
            let prefix = "/params/\(parameter.name)"
            guard clientPath == prefix || clientPath.hasPrefix(prefix + "/") else { continue }
            return self.path(parameter.name) + clientPath.dropFirst(prefix.count)
        }
        return nil
    }

    /// The payload as a template with its profile; nil if the call gives no profile.
    func template(depth: Int) throws(RPCError) -> PersonalizationTemplate? {
        guard let profile = try optionalObject("profile") else { return nil }
        let payload = try object("payload")
        guard JSON.object(payload).nests(within: depth) else {
            throw HostError.invalidPayload("the payload nests at most \(depth) deep", path: path("payload"))
        }
        guard JSON.object(profile).nests(within: depth) else {
            throw RPCError.invalidParams(path: path("profile"), "the profile nests at most \(depth) deep")
        }
        return PersonalizationTemplate(payload: payload, profile: profile)
    }
}

extension PersonalizationTemplate {
    /// The params of `personalize`.
    package func params(locale: String, date: Int64) -> JSON {
        [
            "payload": .object(payload), "profile": .object(profile), "locale": .string(locale),
            "date": .string(Timestamp.format(date)),
        ]
    }
}

extension ExtensionService {
    /// The extension that renders the template of a call with a profile.
    func renderer(_ arguments: Arguments) throws(RPCError) -> ExtensionBundle {
        guard let bundle = catalog.personalization else {
            throw HostError.noPersonalization(
                "the call gives a profile, but no extension renders templates: add one such as plugins/liquid "
                    + "with --plugins, or leave the profile out",
                path: arguments.path("profile")
            )
        }
        return bundle
    }
}

/// Calls the personalization extension, which renders a payload before the host reads it.
package final class Personalization {
    /// A call of the extension that can be made.
    package struct Request {
        /// The extension.
        package let bundle: ExtensionBundle
        fileprivate let params: JSON
    }

    private let configuration: HostConfiguration
    private let clock: Clock
    private let extensions: ExtensionService

    package init(_ configuration: HostConfiguration, _ clock: Clock, _ extensions: ExtensionService) {
        self.configuration = configuration
        self.clock = clock
        self.extensions = extensions
    }

    /// Reads what the extension needs to render the template of a call.
    ///
    /// - Throws: `noPersonalization`, or the error for another parameter.
    package func request(_ template: PersonalizationTemplate, _ invocation: Invocation) throws(RPCError) -> Request {
        let arguments = invocation.arguments
        let bundle = try extensions.renderer(arguments)
        let date = try arguments.time("date") ?? invocation.time(clock)
        // Errors of the other parameters are reported before the extension is called.
        _ = try (arguments.optionalString("identifier"), arguments.verticalSizeClass())
        let locale = try arguments.locale() ?? configuration.locale
        return Request(bundle: bundle, params: template.params(locale: locale, date: date))
    }

    /// Calls `personalize` of the extension.
    ///
    /// - Parameters:
    ///   - request: The call.
    ///   - arguments: Those of the call that delivers the template.
    ///   - completion: Gets the rendered payload; or the extension's error, or `messageAborted` if the template aborts
    ///     the message.
    package func render(
        _ request: Request,
        _ arguments: Arguments,
        completion: @escaping (Result<PersonalizationReply, RPCError>) -> Void
    ) {
        extensions.process(of: request.bundle).call(
            "personalize",
            params: request.params,
            // The call concerns no presentation, which would end with its process, so a new process can answer it.
            outlivesProcess: true,
            completion: { result in
                completion(Result { () throws(RPCError) in try Self.reply(result, of: request.bundle, arguments) })
            }
        )
    }

    private static func reply(
        _ result: Result<JSON, ExtensionFailure>,
        of bundle: ExtensionBundle,
        _ arguments: Arguments
    ) throws(RPCError) -> PersonalizationReply {
        let value = try result.mapError { RPCError($0, bundle: bundle, arguments) }.get()
        let reply: PersonalizationReply
        do throws(ReplyError) {
            reply = try PersonalizationReply(value, place: arguments.clientPath(ofExtensionPath:))
        } catch {
            throw RPCError(ExtensionFailure(reason: .badReply(error.text), wasSent: true), bundle: bundle, arguments)
        }
        guard let text = reply.abort else { return reply }
        throw HostError.messageAborted(
            "the template aborts the message, so nothing is shown: \(text.excerpt())",
            details: ["extension": .string(bundle.identifier), "aborted": .string(text.excerpt(1_000))]
        )
        .with(reply.diagnostics)
    }
}
