# frozen_string_literal: true

require "liquid"

module Personalization
  # Reports where an absent attribute renders as an empty text.
  #
  # Liquid's strict_variables would end an expression at the lookup, so that `default` and conditions could no longer
  # handle an absent value. These modules refine the parts of Liquid that render values.
  module Absences
    # An expression with filters, in {{ }}, echo and assign.
    module Expression
      # The lookups that found nothing, unless a `default` replaced the value.
      attr_reader :absent
      # Those of them that are arguments of filters: their author may have meant texts.
      attr_reader :absent_arguments

      # Liquid's own loop over the filters, which in addition tracks absent values.
      def render(context)
        value = context.evaluate(name)
        @absent = missing([name], [value])
        @absent_arguments = []
        filters.each do |filter, arguments, named|
          values = evaluate_filter_expressions(context, arguments, named)
          missing_arguments = missing(arguments, values)
          @absent_arguments += missing_arguments
          if filter == "default"
            @absent = missing_arguments if blank?(value)
          else
            @absent += missing_arguments
          end
          value = context.invoke(filter, value, *values)
        end
        context.budget.count_input(value) if value.is_a?(Enumerable)
        value
      end

      def render_to_output_buffer(context, output)
        super.tap { context.report_absent(absent - context.report_unquoted(absent_arguments), hole: plain?) }
      end

      # Whether no filter except `default` changes the value.
      def plain? = filters.all? { |filter, _, _| filter == "default" }

      private

      def missing(expressions, values)
        pairs = expressions.zip(values)
        pairs.filter_map { |expression, value| expression if value.nil? && expression.is_a?(Liquid::VariableLookup) }
      end

      def blank?(value) = !value || (value.respond_to?(:empty?) && value.empty?)
    end

    # `assign`: an absent value is reported where the variable is used, because a condition may test it first.
    module Assign
      def render_to_output_buffer(context, output)
        super
        absent = from.absent - context.report_unquoted(from.absent_arguments)
        context.report_absent(absent, hole: false) unless from.plain?
        context.assign_absent(to, from.plain? ? absent : [])
        output
      end
    end

    # Whether an expression is a lookup that finds nothing.
    def self.absent?(expression, context)
      expression.is_a?(Liquid::VariableLookup) && context.evaluate(expression).nil?
    end

    # `cycle`: the value that it renders next.
    module Cycle
      def render_to_output_buffer(context, output)
        index = context.registers[:cycle]&.fetch(context.evaluate(@name), nil).to_i
        value = variables[index]
        context.report_absent([value]) if Absences.absent?(value, context)
        super
      end
    end

    # `tablerow`, which has no `else`.
    module Table
      def render_to_output_buffer(context, output)
        context.report_absent([collection_name]) if Absences.absent?(collection_name, context)
        super
      end
    end

    # `for`: a loop over an absent value without an `else` renders nothing.
    module Loop
      protected

      def render_else(context, output)
        context.report_absent([collection_name]) if !@else_block && Absences.absent?(collection_name, context)
        super
      end
    end

    Liquid::Variable.prepend(Expression)
    Liquid::Assign.prepend(Assign)
    Liquid::Cycle.prepend(Cycle)
    Liquid::TableRow.prepend(Table)
    Liquid::For.prepend(Loop)
  end
end
