#!/usr/bin/env ruby
# frozen_string_literal: true

# Changes templates at random and lets plugins/liquid rewrite, check and render them.
#
#   fuzz_liquid.rb CASES SECONDS SEED
#
# A template is refused with a message and a line of its own, or it is text; any other error is a finding, which is
# printed with its template. The last line has the number of templates. Ruby has no libFuzzer, so nothing guides the
# changes but the cases, of which pieces are taken and joined.

require "json"
require "time"
require_relative "../../plugins/liquid/extension"
require_relative "../../plugins/liquid/rewriting"

PIECES = [
  "{{", "}}", "{%", "%}", "${", "}", "{", "'", '"', "|", ".", "-", "\n", "é😀", "\u0000", "raw %}", "{% endraw %}",
  "{% comment %}", "{% endcomment %}", "{% liquid\n", "#", "[", "]", "(1..", ")", " if ", "nil", "1e9", "  "
].freeze
PROFILE = {
  "first_name" => "Ada", "custom_attribute" => { "level" => 3, "list" => [1, "a", nil], "zip code" => "x" }
}.freeze

class Broken < StandardError; end

def check_rewriting(source)
  rewriting = Personalization::Rewriting.new(source)
  raise Broken, "other lines: #{rewriting.text.inspect}" unless rewriting.text.count("\n") == source.count("\n")
  raise Broken, "plain text was changed" if !source.include?("{{") && !source.include?("{%") && rewriting.text != source

  raise Broken, "no text" unless rewriting.restore(rewriting.text).is_a?(String)
rescue Personalization::Failure => e
  raise Broken, "the refusal has no message" if e.message.empty?
  raise Broken, "line #{e.line} of #{source.count("\n") + 1}" if e.line && !e.line.between?(1, source.count("\n") + 1)
end

def check_calls(extension, source, profile)
  payload = { "aps" => { "alert" => source } }
  params = { "payload" => payload, "profile" => profile, "locale" => "en", "date" => "2026-01-01T00:00:00Z" }
  %w[checkTemplates personalize].each do |method|
    JSON.generate(extension.call(method, params))
  rescue Personalization::Failure => e
    raise Broken, "the refusal has no message" if e.message.empty?
  end
end

def changed(random, cases)
  source = cases.sample(random: random).dup
  random.rand(1..4).times do
    from = random.rand(source.length + 1)
    length = random.rand(13)
    case random.rand(5)
    when 0 then source[from, length] = ""
    when 1 then source.insert(from, PIECES.sample(random: random))
    when 2 then source.insert(from, source[random.rand(source.length + 1), length].to_s)
    when 3
      other = cases.sample(random: random)
      source.insert(from, other[random.rand(other.length + 1), random.rand(60)].to_s)
    else source[from, 1] = PIECES.sample(random: random)
    end
  end
  source
end

cases = File.readlines(ARGV[0]).map { |line| JSON.parse(line) }.select { |each| each["template"] }
templates = cases.map { |each| each["template"] }
seconds = Float(ARGV[1])
random = Random.new(Integer(ARGV[2]))
extension = Personalization::Extension.new
extension.call("activate", {})
count = 0
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
while Process.clock_gettime(Process::CLOCK_MONOTONIC) - start < seconds
  source = changed(random, templates)
  begin
    check_rewriting(source)
    check_calls(extension, source, random.rand(2).zero? ? PROFILE : cases.sample(random: random)["profile"] || {})
  rescue Exception => e # Whatever it is, a host would see an error that names no template.
    raise if e.is_a?(Interrupt) || e.is_a?(SignalException)

    puts JSON.generate({ template: source, error: "#{e.class}: #{e.message}", place: e.backtrace&.first })
    puts count
    exit 1
  end
  count += 1
end
puts count
