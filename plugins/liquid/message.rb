# frozen_string_literal: true

require_relative "budget"
require_relative "clock"
require_relative "template"

module Personalization
  # A payload whose strings are templates, which are rendered separately.
  class Message
    # How many diagnostics an answer lists at most.
    DIAGNOSTICS = 100

    def initialize(payload, profile, date)
      @payload = payload
      @profile = profile
      @budget = Budget.new
      # The diagnostics as keys, so that a diagnostic that a loop repeats is listed once.
      @diagnostics = {}
      Clock.now = date
    end

    # Renders the payload and returns the result of the host's call.
    def personalize
      check_size
      abort = catch(:abort) do
        return { payload: render(@payload, "/params/payload"), diagnostics: diagnostics }
      end
      { payload: @payload, diagnostics: diagnostics, abort: abort }
    end

    private

    def render(value, path)
      case value
      when String then Template.liquid?(value) ? render_template(value, path) : value
      when Array then value.each_with_index.map { |item, index| render(item, "#{path}/#{index}") }
      when Hash then value.to_h { |key, item| [key, render(item, "#{path}/#{pointer(key)}")] }
      else value
      end
    end

    def render_template(source, path)
      Template.new(source) { |reason, message| diagnose(reason, message, path) }.render(@profile, @budget)
    rescue Failure => e
      e.path ||= path
      raise
    end

    def diagnose(reason, message, path)
      @diagnostics[{ reason: reason, message: message.scrub, path: path }] = true
    end

    # The diagnostics of the answer.
    def diagnostics
      rest = @diagnostics.size - DIAGNOSTICS
      return @diagnostics.keys unless rest.positive?

      more = { reason: "moreDiagnostics", message: "there are #{rest} more, which are not listed" }
      @diagnostics.keys.first(DIAGNOSTICS) << more
    end

    # A key as a part of a JSON Pointer.
    def pointer(key) = key.gsub("~", "~0").gsub("/", "~1")

    def check_size(value = @payload, path = "/params/payload")
      @size ||= 0
      case value
      when String then add_size(value, path) if Template.liquid?(value)
      when Array then value.each_with_index { |item, index| check_size(item, "#{path}/#{index}") }
      when Hash then value.each { |key, item| check_size(item, "#{path}/#{pointer(key)}") }
      end
    end

    def add_size(template, path)
      @size += template.bytesize
      return if @size <= Limits::TEMPLATE_BYTES

      failure = Limits.failure("the templates of a payload may have #{Limits::TEMPLATE_BYTES} bytes")
      failure.path = path
      raise failure
    end
  end
end
