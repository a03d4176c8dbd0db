# frozen_string_literal: true

require "liquid"

module Personalization
  # Counts work that Liquid's own limits do not count.
  module Bounds
    # A loop with an empty body needs time too.
    module Loop
      private

      def collection_segment(context)
        super.tap { |segment| context.budget.increment_render_score(segment.length) }
      end
    end

    # A comparison may read two large values completely.
    module Comparison
      private

      def interpret_condition(left, right, operator, context)
        return super unless operator

        left = context.evaluate(left)
        right = context.evaluate(right)
        # A search may read the text again for each part of the searched text.
        times = operator == "contains" && right.is_a?(String) ? 1 + (right.bytesize / 256) : 1
        context.budget.count_comparison(left, right, times: times)
        super
      rescue Liquid::ArgumentError => e
        # Liquid's message names Ruby's classes.
        raise unless e.to_s(false).start_with?("comparison of ")

        raise Liquid::ArgumentError, "#{operator} cannot compare these values"
      end
    end

    # Adds the line to the error of a limit, as Liquid does for its own errors.
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
