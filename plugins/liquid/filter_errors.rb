# frozen_string_literal: true

require "liquid"

module Personalization
  # Rewrites the errors of filters: they name the filter, and nothing of Ruby.
  module FilterErrors
    # Ruby's message about a number of arguments, which includes the value before the filter.
    COUNTS = /\Awrong number of arguments \(given (?<given>\d+), expected (?<least>\d+)(?:\.\.(?<most>\d+))?\)\z/

    # Returns the block's result. A number such as Infinity is an error, because no text should contain it.
    def self.naming(filter)
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

    # A message without the filter's name, which the caller adds, and without Ruby's names.
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
