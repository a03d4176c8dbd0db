# frozen_string_literal: true

require "liquid"
require_relative "braze_filters"
require_relative "filter_errors"
require_relative "near_misses"
require_relative "refusals"

module Personalization
  # Liquid's state while it renders a template: the profile, the budget, and the callback for diagnostics.
  class RenderContext < Liquid::Context
    attr_reader :parse_context, :report

    def initialize(profile, parse_context, budget, report)
      @parse_context = parse_context
      @report = report
      @profile = profile
      @advice = {}.compare_by_identity
      # For each variable that was assigned an absent attribute, that attribute.
      @origins = {}
      # Liquid stores the counters of increment in the first hash, which is new for each template.
      super([{}, parse_context.variables, profile, Refusals::OBJECTS], {}, {}, false, budget)
      add_filters(BrazeFilters)
      self.strict_filters = true
      # An error ends the rendering, so that its message never becomes part of a text.
      self.exception_renderer = ->(error) { raise error }
    end

    def budget = resource_limits

    def evaluate(object) = budget.checked(super)

    def invoke(filter, *arguments)
      Refusals.check_filter(filter, self)
      budget.count_input(*arguments)
      FilterErrors.naming(filter) { budget.checked(super) }
    end

    # Reports lookups that found nothing; `hole` says whether an empty text is rendered for them.
    def report_absent(lookups, hole: true)
      lookups.each do |lookup|
        origin = @origins[lookup.name]
        written = parse_context.written(lookup)
        written = "#{written}, which was assigned #{origin}," if origin
        report.call("absentAttribute", "#{written} has no value in the profile#{" and renders as nothing" if hole}; " \
                                       "#{advice(lookup) || "`| default: \"…\"` gives it one"}")
      end
    end

    # Reports the words among arguments of filters that were probably meant as texts, such as in `| default: there`;
    # returns their lookups.
    def report_unquoted(lookups)
      words = lookups.select do |lookup|
        !@origins.key?(lookup.name) && parse_context.written(lookup).match?(/\A[[:word:]-]+\z/)
      end
      words.each do |lookup|
        word = parse_context.written(lookup)
        report.call("absentAttribute", "`#{word}` without quotation marks is a variable, and it has no value; " \
                                       "write '#{word}' if it is a text")
      end
    end

    # Remembers that a variable has no value because it was assigned an absent attribute.
    def assign_absent(variable, lookups)
      lookups.empty? ? @origins.delete(variable) : @origins[variable] = parse_context.written(lookups.first)
    end

    private

    def advice(lookup)
      return if @origins.key?(lookup.name)
      # The search takes processor time, which the template itself may need.
      return if @advice.size >= 20 && !@advice.key?(lookup)

      # A loop reports the same lookup many times.
      @advice.fetch(lookup) do
        budget.check_processor_time
        parts = [lookup.name, *lookup.lookups].map { |part| evaluate(part) }
        @advice[lookup] = parts.all?(String) ? NearMisses.advice(@profile, parts) : nil
      end
    end
  end
end
