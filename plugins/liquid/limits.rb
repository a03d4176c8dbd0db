# frozen_string_literal: true

require_relative "failure"

module Personalization
  # How much the templates of one payload may ask for. APNs takes 4 KiB, so that none of these is in the way.
  module Limits
    # The templates, all together, and one tag.
    TEMPLATE_BYTES = 16_384
    TAG_BYTES = 4_096
    # What is rendered, all together.
    RENDERED_BYTES = 65_536
    # What is assigned and captured, all together.
    ASSIGNED_BYTES = 1_048_576
    # The parts of templates that are rendered, each turn of a loop anew.
    STEPS = 100_000
    # One value that a filter takes or gives.
    VALUE_BYTES = 131_072
    # One range.
    RANGE_ITEMS = 10_000
    # One number.
    NUMBER_BITS = 4_096
    # What filters and comparisons look at, all together.
    WORK_BYTES = 16_777_216
    # The processor time of a call, a net below all others: the host's own limit is 10 s.
    PROCESSOR_SECONDS = 3

    def self.failure(limit, line = nil)
      Failure.new("limitReached", "the template goes past a limit: #{limit}", line: line)
    end
  end
end
