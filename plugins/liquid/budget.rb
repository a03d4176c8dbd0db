# frozen_string_literal: true

require "liquid"
require_relative "limits"
require_relative "weight"

module Personalization
  # A limit was reached. Its base class is the only one whose errors Liquid raises again without rendering them.
  class LimitReached < Liquid::MemoryError
    def to_s(_with_prefix = true) = Limits.failure(message_without_prefix).message

    def initialize(limit)
      @limit = limit
      super
    end

    private

    def message_without_prefix = @limit
  end

  # Liquid's resource limits, applied to all templates of a payload together, and further limits.
  class Budget < Liquid::ResourceLimits
    def initialize
      @written = 0
      @work = 0
      @deadline = processor_time + Limits::PROCESSOR_SECONDS
      super({})
    end

    # Liquid calls this before each template; the counts of earlier templates stay.
    def reset
      @last_capture_length = nil
      @render_score ||= 0
      @assign_score ||= 0
    end

    # Counts the text of a rendered template.
    def count_rendered(text)
      @written += text.bytesize
      check_written(0)
    end

    def increment_render_score(amount)
      @render_score += amount
      exceeded("#{Limits::STEPS} steps for the templates of a payload") if @render_score > Limits::STEPS
      check_processor_time
    end

    def increment_assign_score(amount)
      @assign_score += amount
      return if @assign_score <= Limits::ASSIGNED_BYTES

      exceeded("#{Limits::ASSIGNED_BYTES} bytes for all that is assigned and captured")
    end

    def increment_write_score(output)
      if (last = @last_capture_length)
        @last_capture_length = output.bytesize
        increment_assign_score(@last_capture_length - last)
      else
        check_written(output.bytesize)
      end
    end

    # Counts the input of a filter. Each value also has its own limit.
    def count_input(*values, times: 1)
      count_work(values, times) { exceeded("#{Limits::VALUE_BYTES} bytes for a value") }
    end

    # Counts the input of a comparison. A value has no limit of its own, since a comparison may stop at a difference.
    def count_comparison(left, right, times: 1)
      count_work([left, right], times) { nil }
    end

    # Refuses a range or a number that is too large; returns any other value.
    def checked(value)
      case value
      when Range
        exceeded("#{Limits::RANGE_ITEMS} items for a range") if value.size > Limits::RANGE_ITEMS
      when Integer
        exceeded("#{Limits::NUMBER_BITS} bits for a number") if value.bit_length > Limits::NUMBER_BITS
      end
      value
    end

    # Refuses a text of this size before it is created.
    def check_value_size(bytes)
      exceeded("#{Limits::VALUE_BYTES} bytes for a value") if bytes > Limits::VALUE_BYTES
    end

    def check_processor_time
      return if processor_time <= @deadline

      exceeded("#{Limits::PROCESSOR_SECONDS} s of processor time")
    end

    private

    # Counts that each byte of the values is read `times` times; calls the block for a value above its own limit.
    def count_work(values, times)
      bytes = values.sum do |value|
        weight = Weight.of(value, Limits::VALUE_BYTES)
        yield if weight > Limits::VALUE_BYTES
        [weight, Limits::VALUE_BYTES].min
      end
      @work += (bytes + 16) * times
      exceeded("#{Limits::WORK_BYTES} bytes for all that filters and comparisons look at") if @work > Limits::WORK_BYTES
      check_processor_time
    end

    def check_written(bytes)
      return if @written + bytes <= Limits::RENDERED_BYTES

      exceeded("#{Limits::RENDERED_BYTES} bytes for all that is rendered")
    end

    def processor_time = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

    def exceeded(limit) = raise(LimitReached, limit)
  end
end
