// What the framework does on a phone, swift-crypto does elsewhere, with the same API.
@_exported public import Crypto
