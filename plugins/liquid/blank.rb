# frozen_string_literal: true

require "liquid"

module Personalization
  # What Braze's Liquid takes from Rails: nothing, false and a text of spaces alone are `blank`.
  #
  # Without it Liquid finds no value equal to `blank`, and every value different from it.
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
