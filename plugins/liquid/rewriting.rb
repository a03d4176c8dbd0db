# frozen_string_literal: true

require "strscan"
require_relative "failure"
require_relative "limits"

module Personalization
  # Translates Braze's additions to Liquid's syntax into Liquid.
  #
  # Inside tags, `x.${zip code}` becomes `x['zip code']`, `${first_name}` becomes `['first_name']`, and the inner
  # brackets of `{% if {{x}} %}`, which Braze allows, are removed. Plain text, literals, comments and `raw` stay.
  class Rewriting
    # A name that is safe as a literal in brackets in any tag; it has no spaces, because Liquid allows none in ranges.
    PLAIN_NAME = %r{\A[\p{L}\p{N}_.\-/&+@\#!?*]+\z}
    # Brackets that may have replaced a `${…}`, with or without an object before them.
    BRACKETS = /(?:(?<=[\w\])])(?<object>))?\[(?:'[^'\[\]]*'|pushhost_name_\d+)\]/
    CHUNK = /[^{}%$'"\n]+/
    LITERAL = /'[^']*'|"[^"]*"/
    LITERAL_OF_A_LINE = /'[^'\n]*'|"[^"\n]*"/
    TERMINATORS = { "}}" => /\}\}/, "%}" => /%\}/ }.freeze

    # The template in Liquid's own syntax, with the same number of lines.
    attr_reader :text
    # Variables that replace names that cannot be literals, with the names as values.
    attr_reader :variables

    def initialize(source)
      @source = source
      @scanner = StringScanner.new(source)
      @text = +""
      @variables = {}
      # The name in the `${…}` that the brackets replaced, by the brackets.
      @names = {}
      rewrite_text until @scanner.eos?
    end

    # A text from Liquid that quotes the template, with the author's spelling.
    def restore(text)
      text.gsub(BRACKETS) do |brackets|
        name = @names[brackets]
        name ? "#{"." if Regexp.last_match(:object)}${#{name}}" : brackets
      end
    end

    private

    def rewrite_text
      unless (text = @scanner.scan_until(/\{[{%]/))
        @text << @scanner.rest
        return @scanner.terminate
      end
      @text << text
      @start = @scanner.pos - 2
      @tag = nil
      text.end_with?("{{") ? rewrite_inside("}}") : rewrite_tag
    end

    def rewrite_tag
      @tag = @scanner.check(/-?\s*(?:\w+|#)/).to_s[/\w+|#/]
      return copy_until(/%\}/, "%}") if @tag == "#"

      rewrite_inside("%}")
      case @tag
      when "raw" then copy_until(/\{%\s*-?\s*endraw\s*-?%\}/, "{% endraw %}")
      when "comment" then skip_comment
      end
    end

    # Rewrites up to the end of a tag. As in Liquid, the first terminator ends the tag, even inside a literal.
    def rewrite_inside(terminator)
      @depth = 0
      until @depth.zero? && @scanner.match?(TERMINATORS[terminator])
        fail_at_start("has no #{terminator}") if @scanner.eos?
        fail_here("a {{ inside of a tag has no }}") if terminator == "%}" && @scanner.match?(/%\}/)
        rewrite_token(terminator)
        check_size
      end
      @text << @scanner.scan(TERMINATORS[terminator])
    end

    def rewrite_token(terminator)
      if @scanner.skip(/\{\{/) then change_depth(1)
      elsif @depth.positive? && @scanner.skip(/\}\}/) then change_depth(-1)
      elsif @scanner.skip(/\$\{/) then rewrite_name
      elsif (literal = scan_literal(terminator)) then @text << literal
      elsif @tag == "liquid" && (comment = @scanner.scan(/\n\s*#[^\n%]*/)) then @text << comment
      else
        @text << (@scanner.scan(CHUNK) || @scanner.getch)
      end
    end

    def change_depth(change)
      @depth += change
      @text << " "
    end

    def rewrite_name
      name = @scanner.scan(/[^{}\n]*/).strip
      fail_here("a ${ has no } before the next bracket or the end of the line") unless @scanner.skip(/\}/)
      fail_here("${} names no attribute") if name.empty?
      drop_dot
      @text << brackets(name)
    end

    # Removes the dot of `x.${y}`, because `x['y']` has none; the dots of a range such as `(1..${n})` stay, and so do
    # line breaks after the dot.
    def drop_dot
      last = @text.rindex(/\S/)
      return unless last && @text[last] == "." && @text[last - 1] != "."

      @text << "\n" * @text.slice!(last..).count("\n")
    end

    def brackets(name)
      key = "'#{name}'" if PLAIN_NAME.match?(name)
      key ||= @variables.key(name) || "pushhost_name_#{@variables.size}".tap { |variable| @variables[variable] = name }
      "[#{key}]".tap { |brackets| @names[brackets] = name }
    end

    # A literal that ends before the tag ends, and in the tag `liquid` before the line ends.
    def scan_literal(terminator)
      literal = @scanner.check(@tag == "liquid" ? LITERAL_OF_A_LINE : LITERAL) or return
      return if literal.include?(terminator)

      @scanner.pos += literal.bytesize
      literal
    end

    def copy_until(pattern, expected)
      text = @scanner.scan_until(pattern) or fail_at_start("has no #{expected}")
      @text << text
    end

    # Removes the text of a comment, because Liquid would parse it unrewritten; its line breaks stay.
    def skip_comment
      depth = 1
      while depth.positive?
        body = @scanner.scan_until(/\{%-?\s*(?:end)?comment\b.*?%\}/m) or fail_at_start("has no {% endcomment %}")
        depth += @scanner.matched.include?("endcomment") ? -1 : 1
        @text << "\n" * body.delete_suffix(@scanner.matched).count("\n")
      end
      @text << @scanner.matched
    end

    def check_size
      return if @scanner.pos - @start <= Limits::TAG_BYTES

      raise Limits.failure("a tag may have #{Limits::TAG_BYTES} bytes", line_at(@start))
    end

    def fail_at_start(what)
      opening = @source.byteslice(@start, 40).scrub("").lines.first.to_s.chomp
      raise Failure.new("invalidTemplate", "#{opening} #{what}", line: line_at(@start))
    end

    def fail_here(what) = raise(Failure.new("invalidTemplate", what, line: line_at(@scanner.pos)))

    def line_at(position) = @source.byteslice(0, position).count("\n") + 1
  end
end
