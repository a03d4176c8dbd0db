# frozen_string_literal: true

require "liquid"

module Personalization
  # Filters of Liquid whose output or work may be far larger than their input: their cost is checked first.
  module BoundedFilters
    def replace(input, string, replacement = "")
      text = input.to_s
      pattern = string.to_s
      # A search may read the whole pattern many times.
      @context.budget.count_input(text, times: 1 + (pattern.bytesize / 256))
      places = pattern.empty? ? text.length + 1 : text.bytesize / pattern.bytesize
      growth = replacement.to_s.bytesize
      places = text.scan(pattern).length if places * growth > Limits::VALUE_BYTES
      @context.budget.check_value_size(text.bytesize + (places * growth))
      super
    end

    def join(input, glue = " ")
      count = input.respond_to?(:size) ? input.size : 1
      @context.budget.check_value_size(Weight.of(input, Limits::VALUE_BYTES) + (count * glue.to_s.bytesize))
      super
    end

    def strip_html(input)
      # For each "<", Liquid may search the whole rest of the text.
      @context.budget.count_input(input.to_s, times: 1 + input.to_s.count("<"))
      super
    end
  end
end
