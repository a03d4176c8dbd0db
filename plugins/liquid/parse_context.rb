# frozen_string_literal: true

require "liquid"

module Personalization
  # What Liquid keeps while it reads a template, and how the author wrote each look-up.
  class ParseContext < Liquid::ParseContext
    def initialize(rewriting)
      @rewriting = rewriting
      @markups = {}.compare_by_identity
      # What loops ask for again and again.
      @written = {}.compare_by_identity
      # Markup that only the older, lenient rules allow is read by those, and leaves a warning.
      super(line_numbers: true, error_mode: :warn)
    end

    def parse_expression(markup)
      super.tap { |expression| @markups[expression] = markup if expression.is_a?(Liquid::VariableLookup) }
    end

    # How the author wrote a look-up.
    def written(lookup) = @written[lookup] ||= restore(@markups.fetch(lookup) { lookup.name.to_s })

    # Text of Liquid's that quotes the template, as the author wrote it.
    def restore(text) = @rewriting.restore(text)

    # What variables that stand for names hold.
    def variables = @rewriting.variables
  end
end
