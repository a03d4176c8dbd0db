# frozen_string_literal: true

require "liquid"
require "time"

# Every time without a zone is in UTC, whatever the machine's zone.
ENV["TZ"] = "UTC"

module Personalization
  # The time of the notification, which is what templates call now: the machine's clock changes nothing.
  module Clock
    # The digits of the largest number of seconds that is a time.
    DIGITS = 15
    # The years of a text that is a time.
    YEARS = -99_999_999..99_999_999

    class << self
      attr_accessor :now

      # The time that a value of a template stands for, or nothing.
      def time(value)
        return value if value.respond_to?(:strftime)

        case value
        when "" then nil
        when /\A(?:now|today)\z/i then now
        when /\A\d{1,#{DIGITS}}\z/o then Time.at(value.to_i)
        when Integer then Time.at(value) if value.abs < 10**DIGITS
        when /\A\d+\z/ then nil
        # What the text leaves out, such as the day of "12:30", is taken from now.
        when String then Time.parse(value, now).then { |time| time if YEARS.cover?(time.year) }
        end
      rescue ArgumentError, RangeError
        nil
      end
    end
  end
end

# Liquid's own version asks the machine's clock.
Liquid::Utils.singleton_class.prepend(Module.new do
  def to_date(value) = Personalization::Clock.time(value)
end)
