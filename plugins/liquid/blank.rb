# frozen_string_literal: true

require "liquid"

module Personalization
  # `blank` as in Rails, which Braze's Liquid uses: nil, false, an empty value and a text of only spaces are `blank`.
  #
  # Without this module no value equals `blank` in Liquid.
  module Blank
    def self.blank?(value)
      case value
      when nil, false then true
      when String then value.match?(/\A[[:space:]]*\z/)
      else value.respond_to?(:empty?) && value.empty?
      end
    end

    # A comparison with `blank`.
    module Comparison
      private

      def equal_variables(left, right)
        return Blank.blank?(right) if blank_literal?(left)
        return Blank.blank?(left) if blank_literal?(right)

        super
      end

      def blank_literal?(value) = value.is_a?(Liquid::Condition::MethodLiteral) && value.method_name == :blank?
    end

    Liquid::Condition.prepend(Comparison)
  end
end
