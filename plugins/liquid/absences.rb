# frozen_string_literal: true

require "liquid"

module Personalization
  # Finds out where an absent attribute leaves a hole in a text.
  #
  # Liquid's strict_variables would end an expression at the look-up, so that `default` and conditions could not
  # deal with an absent value any more. These refine the parts of Liquid that make texts of values.
  module Absences
    # An expression with filters, in {{ }}, echo and assign.
    module Expression
      # The look-ups that found nothing, unless a `default` stepped in.
      attr_reader :absent

      # Liquid's own loop over the filters, which in addition follows what is absent.
      def render(context)
        value = context.evaluate(name)
        @absent = missing([name], [value])
        filters.each do |filter, arguments, named|
          values = evaluate_filter_expressions(context, arguments, named)
          missing_arguments = missing(arguments, values)
          if filter == "default"
            @absent = missing_arguments if blank?(value)
          else
            @absent += missing_arguments
          end
          value = context.invoke(filter, value, *values)
        end
        context.budget.spend(value) if value.is_a?(Enumerable)
        value
      end

      def render_to_output_buffer(context, output)
        super.tap { context.report_absent(absent, hole: plain?) }
      end

      # Whether the value is handed on as it was looked up.
      def plain? = filters.all? { |filter, _, _| filter == "default" }

      private

      def missing(expressions, values)
        pairs = expressions.zip(values)
        pairs.filter_map { |expression, value| expression if value.nil? && expression.is_a?(Liquid::VariableLookup) }
      end

      def blank?(value) = !value || (value.respond_to?(:empty?) && value.empty?)
    end

    # `assign`: a plain look-up is reported where the variable is used, as a condition may come first.
    module Assign
      def render_to_output_buffer(context, output)
        super
        context.report_absent(from.absent, hole: false) unless from.plain?
        context.assign_absent(to, from.plain? ? from.absent : [])
        output
      end
    end

    # Whether an expression is a look-up that finds nothing.
    def self.absent?(expression, context)
      expression.is_a?(Liquid::VariableLookup) && context.evaluate(expression).nil?
    end

    # `cycle`: the value whose turn it is.
    module Turn
      def render_to_output_buffer(context, output)
        turn = context.registers[:cycle]&.fetch(context.evaluate(@name), nil).to_i
        value = variables[turn]
        context.report_absent([value]) if Absences.absent?(value, context)
        super
      end
    end

    # `tablerow`, which has no else.
    module Table
      def render_to_output_buffer(context, output)
        context.report_absent([collection_name]) if Absences.absent?(collection_name, context)
        super
      end
    end

    # `for`: a loop over nothing without an else leaves a hole too.
    module Loop
      protected

      def render_else(context, output)
        context.report_absent([collection_name]) if !@else_block && Absences.absent?(collection_name, context)
        super
      end
    end

    Liquid::Variable.prepend(Expression)
    Liquid::Assign.prepend(Assign)
    Liquid::Cycle.prepend(Turn)
    Liquid::TableRow.prepend(Table)
    Liquid::For.prepend(Loop)
  end
end
