# frozen_string_literal: true

require "liquid"
require_relative "bounded_filters"
require_relative "date_filters"
require_relative "encoding_filters"

module Personalization
  # The filters that Braze adds to Liquid's.
  module BrazeFilters
    include BoundedFilters
    include DateFilters
    include EncodingFilters

    # The value of an object at a key that is computed.
    def property_accessor(input, key)
      raise Liquid::ArgumentError, "the value is no object" unless input.is_a?(Hash) || input.nil?

      input && input[key]
    end

    # A number with commas between the thousands.
    def number_with_delimiter(input)
      text = input.to_s
      return text unless (parts = text.match(/\A([+-]?)(\d+)(\.\d+)?\z/))

      "#{parts[1]}#{parts[2].reverse.scan(/\d{1,3}/).join(",").reverse}#{parts[3]}"
    end

    # A number with two decimals; Shopify's filter of the name takes cents instead.
    def money(input)
      format("%.2f", Liquid::Utils.to_number(input))
    end
  end
end
