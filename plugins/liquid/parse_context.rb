# frozen_string_literal: true

require "liquid"

module Personalization
  # Liquid's state while it parses a template, and the author's spelling of each lookup.
  class ParseContext < Liquid::ParseContext
    def initialize(rewriting)
      @rewriting = rewriting
      @markups = {}.compare_by_identity
      # A cache, because loops need the same spellings many times.
      @written = {}.compare_by_identity
      # With :warn, markup that only the older, lenient rules allow is parsed by these rules and adds a warning.
      super(line_numbers: true, error_mode: :warn)
    end

    def parse_expression(markup)
      super.tap { |expression| @markups[expression] = markup if expression.is_a?(Liquid::VariableLookup) }
    end

    # A lookup as the author wrote it.
    def written(lookup) = @written[lookup] ||= restore(@markups.fetch(lookup) { lookup.name.to_s })

    # A text from Liquid that quotes the template, with the author's spelling.
    def restore(text) = @rewriting.restore(text)

    # The variables that replace names, with the names as values.
    def variables = @rewriting.variables
  end
end
