# frozen_string_literal: true

require "liquid"
require "time"

# Every time without a zone is in UTC, whatever the machine's zone.
ENV["TZ"] = "UTC"

module Personalization
  # The time of the notification, which is what templates call now: the machine's clock changes nothing.
  module Clock
    class << self
      attr_accessor :now

      # The time that a value of a template stands for, or nothing.
      def time(value)
        return value if value.respond_to?(:strftime)

        case value
        when "" then nil
        when /\A(?:now|today)\z/i then now
        when /\A\d+\z/, Integer then Time.at(value.to_i)
        # What the text leaves out, such as the day of "12:30", is taken from now.
        when String then Time.parse(value, now)
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
