internal import ExtensionHost
internal import Recording

extension ConnectionTap: ExtensionTap {}
