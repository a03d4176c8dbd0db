# frozen_string_literal: true

require "liquid"
require "time"

# Every time without a zone is in UTC, whatever the machine's zone.
ENV["TZ"] = "UTC"

module Personalization
  # The date of the notification, which is `now` in templates: the machine's clock has no effect.
  module Clock
    # The most digits of a number of seconds that counts as a time.
    DIGITS = 15
    # The years in which a text counts as a time.
    YEARS = -99_999_999..99_999_999

    class << self
      attr_accessor :now

      # The time that a value of a template means, or nil.
      def time(value)
        return value if value.respond_to?(:strftime)

        case value
        when "" then nil
        when /\A(?:now|today)\z/i then now
        when /\A\d{1,#{DIGITS}}\z/o then Time.at(value.to_i)
        when Integer then Time.at(value) if value.abs < 10**DIGITS
        when /\A\d+\z/ then nil
        # Parts that the text lacks, such as the day in "12:30", come from now.
        when String then Time.parse(value, now).then { |time| time if YEARS.cover?(time.year) }
        end
      rescue ArgumentError, RangeError
        nil
      end
    end
  end
end

# Liquid's own version reads the machine's clock.
Liquid::Utils.singleton_class.prepend(Module.new do
  def to_date(value) = Personalization::Clock.time(value)
end)
