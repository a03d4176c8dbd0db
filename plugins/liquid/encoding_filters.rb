# frozen_string_literal: true

require "digest"
require "json"
require "liquid"

module Personalization
  # Hashes, signatures, escapes and JSON.
  module EncodingFilters
    def md5(input) = Digest::MD5.hexdigest(input.to_s)

    def sha1(input) = Digest::SHA1.hexdigest(input.to_s)

    def sha2(input) = Digest::SHA256.hexdigest(input.to_s)

    # Braze's table calls the filter base64. Its example calls it base64_encode, which is Liquid's name.
    def base64(input) = base64_encode(input)

    # Liquid's own filter returns bytes, which a template can render only if they are a text.
    def base64_decode(input) = text(super)

    def base64_url_safe_decode(input) = text(super)

    # The error of Liquid's own filter names Ruby's encodings.
    def url_decode(input)
      super
    rescue Liquid::ArgumentError
      raise Liquid::ArgumentError, "what is decoded is no text in UTF-8"
    end

    def hmac_sha1_hex(input, key) = signature("SHA1", input, key).unpack1("H*")

    def hmac_sha1_base64(input, key) = [signature("SHA1", input, key)].pack("m0")

    def hmac_sha256_hex(input, key) = signature("SHA256", input, key).unpack1("H*")

    def hmac_sha256_base64(input, key) = [signature("SHA256", input, key)].pack("m0")

    def hmac_sha512(input, key) = signature("SHA512", input, key).unpack1("H*")

    alias hmac_sha1 hmac_sha1_hex
    alias hmac_sha256 hmac_sha256_hex

    # Percent-encodes the characters that a URL must not contain, except the separators of its parts.
    def url_escape(input) = percent_encode(input, %r{[^a-zA-Z0-9_\-.~!*'();:@&=+$,/?#\[\]%]})

    # Percent-encodes the characters that a parameter of a URL must not contain.
    def url_param_escape(input) = percent_encode(input, /[^a-zA-Z0-9_\-.~]/)

    # A text as it is written between the quotes of a JSON string.
    def json_escape(input) = JSON.generate(input.to_s)[1..-2]

    def json_parse(input)
      JSON.parse(input.to_s, create_additions: false)
    rescue JSON::ParserError
      raise Liquid::ArgumentError, "the text is no JSON"
    end

    def as_json_string(input) = JSON.generate(input)

    private

    def text(bytes)
      bytes.force_encoding(Encoding::UTF_8)
      raise Liquid::ArgumentError, "what is decoded is no text in UTF-8" unless bytes.valid_encoding?

      bytes
    end

    def signature(digest, input, key)
      # Loaded here, because it is slow to load and seldom needed.
      require "openssl"
      OpenSSL::HMAC.digest(digest, key.to_s, input.to_s)
    end

    def percent_encode(input, pattern)
      input.to_s.gsub(pattern) { |character| character.bytes.map { |byte| format("%%%02X", byte) }.join }
    end
  end
end
