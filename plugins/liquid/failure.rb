# frozen_string_literal: true

module Personalization
  # An error with which a call of the host is answered.
  class Failure < StandardError
    METHOD_NOT_FOUND = -32_601
    INVALID_PARAMS = -32_602
    INTERNAL_ERROR = -32_603
    # The code of the extension's own errors, which differ in their reason.
    REFUSED = 1

    attr_reader :code, :reason, :line
    attr_accessor :path

    def initialize(reason, message, code: REFUSED, path: nil, line: nil)
      super(message)
      @reason = reason
      @code = code
      @path = path
      @line = line
    end

    # The error object of a response.
    def to_h
      data = { reason: reason, path: path, line: line }.compact
      { code: code, message: "#{place}#{message}".scrub, data: data }
    end

    private

    # The place in the payload, so that the message alone says where to look.
    def place
      return "" unless path && code == REFUSED

      "#{path.delete_prefix("/params/")}#{", line #{line}" if line}: "
    end
  end
end
