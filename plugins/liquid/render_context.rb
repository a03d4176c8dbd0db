# frozen_string_literal: true

require "liquid"
require_relative "braze_filters"
require_relative "filter_faults"
require_relative "refusals"

module Personalization
  # What Liquid keeps while it renders a template: the profile, the budget, and where diagnostics go.
  class RenderContext < Liquid::Context
    attr_reader :parse_context, :report

    def initialize(profile, parse_context, budget, report)
      @parse_context = parse_context
      @report = report
      # The attributes that variables were assigned from without having a value.
      @origins = {}
      # Liquid keeps what increment counts in the first: each template has its own.
      super([{}, parse_context.variables, profile, Refusals::OBJECTS], {}, {}, false, budget)
      add_filters(BrazeFilters)
      self.strict_filters = true
      # An error ends the rendering: its message never becomes a part of what is shown.
      self.exception_renderer = ->(error) { raise error }
    end

    def budget = resource_limits

    def evaluate(object) = budget.checked(super)

    def invoke(filter, *arguments)
      Refusals.check_filter(filter, self)
      budget.spend(*arguments)
      FilterFaults.named(filter) { budget.checked(super) }
    end

    # Reports look-ups that found nothing, though a text was to come of them, and whether they leave a hole in it.
    def report_absent(lookups, hole: true)
      lookups.each do |lookup|
        origin = @origins[lookup.name]
        written = parse_context.written(lookup)
        written = "#{written}, which was assigned #{origin}," if origin
        report.call("absentAttribute", "#{written} has no value in the profile#{" and renders as nothing" if hole}; " \
                                       "`| default: \"…\"` gives it one")
      end
    end

    # Notes that a variable has no value because the attribute assigned to it has none.
    def assign_absent(variable, lookups)
      lookups.empty? ? @origins.delete(variable) : @origins[variable] = parse_context.written(lookups.first)
    end
  end
end
