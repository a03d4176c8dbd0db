# frozen_string_literal: true

require "liquid"
require_relative "clock"
require_relative "time_zone"

module Personalization
  # The filters for times, which check the size of the output before they format.
  module DateFilters
    # More bytes than any directive of strftime writes, unless it has a width.
    DIRECTIVE_BYTES = 32

    def date(input, format)
      return input if format.to_s.empty?

      time = Clock.time(input)
      time ? formatted(time, format.to_s) : input
    end

    # The time in a zone of the IANA table, formatted if there is a format.
    def time_zone(input, zone, format = nil)
      time = Clock.time(input)
      return input unless time

      local = TimeZone.local(time.to_time, TimeZone.checked(zone.to_s))
      format ? formatted(local, format.to_s) : local
    end

    private

    # strftime cannot be interrupted by a deadline, so its work is limited before.
    def formatted(time, format)
      # The widths in a format, such as 10 in %10Y, to which strftime pads.
      widths = format.scan(/%[^A-Za-z%]*/).sum { |start| start.scan(/\d+/).sum(&:to_i) }
      @context.budget.check_value_size((format.bytesize * DIRECTIVE_BYTES) + widths)
      time.strftime(format)
    end
  end
end
