# frozen_string_literal: true

require_relative "failure"

module Personalization
  # The limits of the templates of one payload. APNs accepts 4 KiB, so no real payload reaches them.
  module Limits
    # The templates, all together, and one tag.
    TEMPLATE_BYTES = 16_384
    TAG_BYTES = 4_096
    # The rendered text, all together.
    RENDERED_BYTES = 65_536
    # The assigned and captured values, all together.
    ASSIGNED_BYTES = 1_048_576
    # The rendered parts of templates; each iteration of a loop counts.
    STEPS = 100_000
    # One value that a filter receives or returns.
    VALUE_BYTES = 131_072
    # One range.
    RANGE_ITEMS = 10_000
    # One number.
    NUMBER_BITS = 4_096
    # The input of filters and comparisons, all together.
    WORK_BYTES = 16_777_216
    # The processor time of a call, if no other limit is reached. The host's own limit is 10 s.
    PROCESSOR_SECONDS = 3

    def self.failure(limit, line = nil)
      Failure.new("limitReached", "the template goes past a limit: #{limit}", line: line)
    end
  end
end
