# frozen_string_literal: true

require "liquid"
require_relative "clock"
require_relative "time_zone"

module Personalization
  # The filters of times, which write formats after a look at what will come of them.
  module DateFilters
    # More bytes than any directive of strftime writes, except one with a width.
    DIRECTIVE_BYTES = 32

    def date(input, format)
      return input if format.to_s.empty?

      time = Clock.time(input)
      time ? formatted(time, format.to_s) : input
    end

    # The time in a zone of the IANA table, formatted where a format is given.
    def time_zone(input, zone, format = nil)
      time = Clock.time(input)
      return input unless time

      local = TimeZone.local(time.to_time, TimeZone.checked(zone.to_s))
      format ? formatted(local, format.to_s) : local
    end

    private

    # No deadline stops strftime, so that its work is bounded before.
    def formatted(time, format)
      # The widths of a format, such as the number in %10Y, which strftime fills up to.
      widths = format.scan(/%[^A-Za-z%]*/).sum { |start| start.scan(/\d+/).sum(&:to_i) }
      @context.budget.expect((format.bytesize * DIRECTIVE_BYTES) + widths)
      time.strftime(format)
    end
  end
end
