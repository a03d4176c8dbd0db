# frozen_string_literal: true

require "liquid"
require_relative "absences"
require_relative "blank"
require_relative "bounds"
require_relative "budget"
require_relative "mistakes"
require_relative "parse_context"
require_relative "render_context"
require_relative "rewriting"
require_relative "tags"

module Personalization
  # A string of the payload that is rendered.
  class Template
    # How many characters of a text a message quotes.
    QUOTED_CHARACTERS = 500

    # Whether a string contains Liquid.
    def self.liquid?(text) = text.include?("{{") || text.include?("{%")

    # The block is called with the reason and the message of each diagnostic.
    def initialize(source, &report)
      @source = source
      @report = report
    end

    def render(profile, budget)
      rewriting = Rewriting.new(@source)
      @parse_context = ParseContext.new(rewriting)
      template = Liquid::Template.parse(rewriting.text, @parse_context)
      report_warnings(budget)
      text = template.render(RenderContext.new(profile, @parse_context, budget, @report))
      budget.count_rendered(text)
      text
    rescue Liquid::Error => e
      raise failure(e)
    rescue SystemStackError
      raise Limits.failure("expressions may not nest so deep")
    end

    private

    def report_warnings(budget)
      @parse_context.warnings.each do |warning|
        budget.check_processor_time
        @report.call("lenientSyntax", "Liquid reads this as far as it can and ignores the rest: #{describe(warning)}" \
                                      "#{" (line #{warning.line_number})" if warning.line_number}")
      end
    end

    def failure(error)
      line = error.line_number
      case error
      when LimitReached then Failure.new("limitReached", error.to_s, line: line)
      when Liquid::StackLevelError then Limits.failure("blocks may nest #{Liquid::Block::MAX_DEPTH} deep", line)
      when Liquid::SyntaxError then Failure.new("invalidTemplate", describe(error), line: line)
      when Refusals::Refused then Failure.new("needsBraze", describe(error), line: line)
      when Liquid::UndefinedFilter
        Failure.new("undefinedFilter", Refusals.describe(error.to_s(false).split.last), line: line)
      else Failure.new("renderingFailed", describe(error), line: line)
      end
    end

    # Liquid's message with the author's spelling, cut if it is long.
    def describe(error)
      return "Liquid cannot work with a value in this tag" if error.is_a?(Liquid::InternalError)

      text = @parse_context.restore(error.to_s(false).scrub)
      text.length > QUOTED_CHARACTERS ? "#{text[0, QUOTED_CHARACTERS]}…" : text
    end
  end
end
