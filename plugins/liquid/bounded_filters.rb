# frozen_string_literal: true

require "liquid"

module Personalization
  # Those of Liquid's filters that could make much of little, after a look at what will come of it.
  module BoundedFilters
    def replace(input, string, replacement = "")
      text = input.to_s
      pattern = string.to_s
      # A search may look at the whole pattern again and again.
      @context.budget.spend(text, times: 1 + (pattern.bytesize / 256))
      places = pattern.empty? ? text.length + 1 : text.bytesize / pattern.bytesize
      growth = replacement.to_s.bytesize
      places = text.scan(pattern).length if places * growth > Limits::VALUE_BYTES
      @context.budget.expect(text.bytesize + (places * growth))
      super
    end

    def join(input, glue = " ")
      count = input.respond_to?(:size) ? input.size : 1
      @context.budget.expect(Weight.of(input, Limits::VALUE_BYTES) + (count * glue.to_s.bytesize))
      super
    end

    def strip_html(input)
      # Liquid looks for the end of each bracket, up to the end of the text.
      @context.budget.spend(input.to_s, times: 1 + input.to_s.count("<"))
      super
    end
  end
end
