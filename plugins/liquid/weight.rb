# frozen_string_literal: true

module Personalization
  # Estimates how many bytes a value has as text.
  module Weight
    # The estimate for a number, a date or the brackets of an array.
    SCALAR = 8

    # The weight, or any number above the limit as soon as the weight is known to exceed it.
    def self.of(value, limit)
      case value
      when String then value.bytesize
      when Array then sum(value, limit)
      when Hash then sum(value, limit) { |key, item| of(key, limit) + of(item, limit) }
      when Range then value.size * SCALAR
      when Integer then SCALAR + (value.bit_length / 3)
      else SCALAR
      end
    end

    def self.sum(items, limit)
      total = SCALAR
      items.each do |item|
        total += SCALAR + (block_given? ? yield(*item) : of(item, limit - total))
        return total if total > limit
      end
      total
    end
    private_class_method :sum
  end
end
