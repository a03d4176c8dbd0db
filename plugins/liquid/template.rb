# frozen_string_literal: true

require "liquid"
require "set"
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
    # The names of all filters.
    FILTERS = [Liquid::StandardFilters, BrazeFilters].flat_map(&:public_instance_methods).to_set(&:to_s).freeze

    # Whether a string contains Liquid.
    def self.liquid?(text) = text.include?("{{") || text.include?("{%")

    # The block is called with the reason and the message of each diagnostic.
    def initialize(source, &report)
      @source = source
      @report = report
    end

    # Finds mistakes without rendering, also in branches that no profile would execute; returns a failure for each.
    def check(budget)
      unknown = []
      visitor = Liquid::ParseTreeVisitor.for(parse(budget).root)
      visitor.add_callback_for(Liquid::Variable) do |variable|
        names = variable.filters.map(&:first).reject { |name| FILTERS.include?(name) }
        unknown += names.map { |name| unknown_filter(name, variable.line_number) }
      end
      visitor.visit
      unknown
    rescue Failure => e
      [e]
    rescue Liquid::Error => e
      [failure(e)]
    rescue SystemStackError
      [Limits.failure("expressions may not nest so deep")]
    end

    def render(profile, budget)
      template = parse(budget)
      text = template.render(RenderContext.new(profile, @parse_context, budget, @report))
      budget.count_rendered(text)
      text
    rescue Liquid::Error => e
      raise failure(e)
    rescue SystemStackError
      raise Limits.failure("expressions may not nest so deep")
    end

    private

    def parse(budget)
      rewriting = Rewriting.new(@source)
      @parse_context = ParseContext.new(rewriting)
      Liquid::Template.parse(rewriting.text, @parse_context).tap { report_warnings(budget) }
    end

    def unknown_filter(name, line) = Failure.new("undefinedFilter", Refusals.describe(name), line: line)

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
        unknown_filter(error.to_s(false).split.last, line)
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
