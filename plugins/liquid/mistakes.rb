# frozen_string_literal: true

require "liquid"

module Personalization
  # Reports, when a template is parsed, mistakes that Liquid reports only when it renders, or never.
  module Mistakes
    # `{% if a = b %}`
    module Operator
      def initialize(left = nil, operator = nil, right = nil)
        super
        return if operator.nil? || Liquid::Condition.operators.key?(operator)

        raise Liquid::SyntaxError, "there is no operator #{operator}#{"; == compares two values" if operator == "="}"
      end
    end

    # `{% assign ${first_name} = 'x' %}`, which would not change the attribute.
    module Target
      def initialize(tag_name, markup, parse_context)
        target = markup[/\A[^=]*/].strip
        return super unless target.include?("[")

        raise Liquid::SyntaxError, "#{tag_name} sets a variable, and #{target} is an attribute; write a name such as x"
      end
    end

    Liquid::Condition.prepend(Operator)
    [Liquid::Assign, Liquid::Capture, Liquid::Increment, Liquid::Decrement].each { |tag| tag.prepend(Target) }
  end
end
