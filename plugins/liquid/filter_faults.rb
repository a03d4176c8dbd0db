# frozen_string_literal: true

require "liquid"

module Personalization
  # Errors of filters, which name the filter and say nothing of the Ruby below it.
  module FilterFaults
    # What Ruby says of a number of arguments, which counts the value before the filter.
    COUNTS = /\Awrong number of arguments \(given (?<given>\d+), expected (?<least>\d+)(?:\.\.(?<most>\d+))?\)\z/

    # Gives what the block gives, unless it is a number such as Infinity, which no text should hold.
    def self.named(filter)
      value = yield
      return value unless value.respond_to?(:finite?) && !value.finite?

      raise Liquid::ArgumentError, "the result is not a finite number"
    rescue Liquid::ArgumentError => e
      raise Liquid::ArgumentError, "#{filter}: #{describe(filter, e.to_s(false))}"
    rescue Liquid::Error
      raise
    rescue StandardError
      raise Liquid::ArgumentError, "#{filter} cannot work with these values"
    end

    # A message without the filter's name, which stands before it, and without Ruby's names.
    def self.describe(filter, text)
      case text
      when COUNTS then count(*Regexp.last_match.captures)
      when /\Acomparison of / then "cannot compare these values"
      else text.delete_prefix("#{filter} filter ").delete_suffix(" provided to #{filter}")
      end
    end
    private_class_method :describe

    def self.count(given, least, most)
      given, least, most = [given, least, most].map { |count| count && (count.to_i - 1) }
      "needs #{[least, most].compact.join(" to ")} argument#{"s" if (most || least) != 1}, but has #{given}"
    end
    private_class_method :count
  end
end
