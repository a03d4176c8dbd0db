# frozen_string_literal: true

require "liquid"
require_relative "refusals"

module Personalization
  # Tags of Braze that need no server.
  module Tags
    # Ends the rendering of the whole payload; nothing is shown.
    class AbortMessage < Liquid::Tag
      # The text in Braze's message activity log for an abort without a reason.
      DEFAULT = "{% abort_message %} called"

      # The reason, parsed strictly, because Liquid's lenient rules could drop it.
      class Reason < Liquid::Variable
        private

        def strict_parse_with_error_mode_fallback(markup)
          strict_parse(markup)
        rescue Liquid::SyntaxError
          raise Liquid::SyntaxError, "abort_message is written {% abort_message('reason') %}"
        end
      end

      def initialize(tag_name, markup, parse_context)
        super
        @reason = Reason.new(markup.strip[/\A\((.*)\)\z/m, 1] || markup, parse_context)
      end

      def render_to_output_buffer(context, _output)
        reason = @reason.render(context).to_s
        context.report_absent(@reason.absent, hole: false)
        throw :abort, reason.empty? ? DEFAULT : reason
      end
    end

    # Adds data to Braze's send event, which does not exist here.
    class MessageExtras < Liquid::Tag
      SYNTAX = /\A\s*:key\s+\S.*\s:value\s+\S/m

      def initialize(tag_name, markup, parse_context)
        super
        return if SYNTAX.match?(markup)

        raise Liquid::SyntaxError, "message_extras is written {% message_extras :key name :value text %}"
      end

      def render_to_output_buffer(context, output)
        written = context.parse_context.restore(@markup).strip.squeeze(" ")
        context.report.call("ignoredTag", "message_extras #{written} adds to the event of sending, and to nothing here")
        output
      end
    end

    # Marks a text for translation. Braze sends the text itself if it has no translation.
    class Translation < Liquid::Block
      def render_to_output_buffer(context, output)
        name = @markup.strip
        context.report.call("ignoredTag", "translations are kept by Braze: #{name} is shown as the template has it")
        super
      end
    end

    Liquid::Template.register_tag("abort_message", AbortMessage)
    Liquid::Template.register_tag("message_extras", MessageExtras)
    Liquid::Template.register_tag("translation", Translation)
  end
end
