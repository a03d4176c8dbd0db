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

    # Checks every template without rendering one, and returns the result of the host's call.
    def check
      @mistakes = {}
      check_size
      each_template(@payload, "/params/payload") { |source, path| check_template(source, path) }
      { mistakes: listed(@mistakes), diagnostics: diagnostics }
    rescue Failure => e
      { mistakes: [{ reason: e.reason, message: e.message, path: e.path }], diagnostics: [] }
    end

    private

    def each_template(value, path, &block)
      case value
      when String then block.call(value, path) if Template.liquid?(value)
      when Array then value.each_with_index { |item, index| each_template(item, "#{path}/#{index}", &block) }
      when Hash then value.each { |key, item| each_template(item, "#{path}/#{pointer(key)}", &block) }
      end
    end

    def check_template(source, path)
      Template.new(source) { |reason, message| diagnose(reason, message, path) }.check(@budget).each do |failure|
        place = failure.line.to_i > 1 ? "line #{failure.line}: " : ""
        @mistakes[{ reason: failure.reason, message: "#{place}#{failure.message}".scrub, path: path }] = true
      end
    end

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
    def diagnostics = listed(@diagnostics)

    def listed(all)
      rest = all.size - DIAGNOSTICS
      return all.keys unless rest.positive?

      more = { reason: "moreDiagnostics", message: "there are #{rest} more, which are not listed" }
      all.keys.first(DIAGNOSTICS) << more
    end

    # A key as a part of a JSON Pointer.
    def pointer(key) = key.gsub("~", "~0").gsub("/", "~1")

    def check_size
      @size = 0
      each_template(@payload, "/params/payload") { |template, path| add_size(template, path) }
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
