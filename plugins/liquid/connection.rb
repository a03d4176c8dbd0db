# frozen_string_literal: true

require "json"
require_relative "failure"

module Personalization
  # JSON-RPC 2.0 over two streams, one message per line.
  class Connection
    # The host accepts user data of 512 nested levels; the default limit of JSON.parse is 100.
    PARSING = { max_nesting: 1_024, allow_nan: false, create_additions: false }.freeze
    WRITING = { max_nesting: 1_024 }.freeze

    # Copies the streams and redirects stdout, so that prints go to stderr.
    def initialize(input, output)
      @input = input.dup.binmode
      @output = output.dup.binmode
      @output.sync = true
      output.reopen($stderr)
    end

    # Answers each request with the block's result, until deactivate or the end of the input.
    def serve(&handler)
      @input.each_line("\n") do |line|
        next if line.strip.empty?

        message = parse(line) or next
        return if message["method"] == "deactivate"

        answer(message, &handler)
      end
    rescue Errno::EPIPE
      # The host has exited, so nobody reads the answers.
    end

    private

    # The call in a line, or nil if there is none; an invalid line is answered with an error.
    def parse(line)
      message = JSON.parse(utf8(line), **PARSING)
      return message if message.is_a?(Hash) && message["method"].is_a?(String)
      # A response is ignored, because this extension sends no requests.
      return if message.is_a?(Hash) && !message.key?("method") && message.key?("id")

      refuse(nil, -32_600, "invalidRequest", "Invalid Request: the line is not a call")
    rescue JSON::ParserError => e
      refuse(nil, -32_700, "parseError", "Parse error: #{e.message.lines.first.to_s.strip[0, 200]}")
    end

    def utf8(line)
      line.force_encoding(Encoding::UTF_8)
      raise JSON::ParserError, "the line is not UTF-8" unless line.valid_encoding?

      line
    end

    def answer(message, &handler)
      line = response(message["id"], result: handler.call(message["method"], message["params"] || {}))
    rescue Failure => e
      line = response(message["id"], error: e.to_h)
    rescue StandardError, NoMemoryError, SystemStackError => e
      # A bug in the extension: the backtrace goes to the log, the message to the host.
      warn e.full_message(highlight: false)
      failure = Failure.new("internalError", "#{e.class}: #{e.message}", code: Failure::INTERNAL_ERROR)
      line = response(message["id"], error: failure.to_h)
    ensure
      write(line) if message.key?("id")
    end

    def refuse(id, code, reason, message)
      write(response(id, error: { code: code, message: message.scrub, data: { reason: reason } }))
    end

    def response(id, outcome) = "#{JSON.generate({ jsonrpc: "2.0", id: id, **outcome }, WRITING)}\n"

    def write(line)
      @output.write(line)
      nil
    end
  end
end
