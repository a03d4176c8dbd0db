# frozen_string_literal: true

require "liquid"

module Personalization
  # Makes Liquid count what its own limits do not see.
  module Bounds
    # A loop with an empty body takes time too.
    module Loop
      private

      def collection_segment(context)
        super.tap { |segment| context.budget.increment_render_score(segment.length) }
      end
    end

    # A comparison may look at all of two large values.
    module Comparison
      private

      def interpret_condition(left, right, operator, context)
        return super unless operator

        left = context.evaluate(left)
        right = context.evaluate(right)
        # A search may look at the whole text again for each part of what is searched.
        times = operator == "contains" && right.is_a?(String) ? 1 + (right.bytesize / 256) : 1
        context.budget.compare(left, right, times: times)
        super
      rescue Liquid::ArgumentError => e
        # Liquid's message names Ruby's classes.
        raise unless e.to_s(false).start_with?("comparison of ")

        raise Liquid::ArgumentError, "#{operator} cannot compare these values"
      end
    end

    # An error of a limit says in which line it was reached, as Liquid's other errors do.
    module Place
      def render_node(context, output, node)
        super
      rescue LimitReached => e
        e.line_number ||= node.line_number
        raise
      end
    end

    Liquid::For.prepend(Loop)
    Liquid::BlockBody.singleton_class.prepend(Place)
    Liquid::Condition.prepend(Comparison)
  end
end
