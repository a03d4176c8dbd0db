# frozen_string_literal: true

require "strscan"
require_relative "failure"
require_relative "limits"

module Personalization
  # Turns what Braze adds to Liquid's syntax into Liquid, before Liquid reads it.
  #
  # Inside of tags, `x.${zip code}` becomes `x['zip code']`, `${first_name}` becomes `['first_name']`, and the
  # inner brackets of `{% if {{x}} %}` go, as Braze allows both. Plain text, literals, comments and `raw` stay.
  class Rewriting
    # A name that Liquid can read as a literal in brackets, whatever else the tag says; ranges may hold no space.
    PLAIN_NAME = %r{\A[\p{L}\p{N}_.\-/&+@\#!?*]+\z}
    # What may stand for a `${…}`, behind an object or not.
    BRACKETS = /(?:(?<=[\w\])])(?<object>))?\[(?:'[^'\[\]]*'|pushhost_name_\d+)\]/
    CHUNK = /[^{}%$'"\n]+/
    LITERAL = /'[^']*'|"[^"]*"/
    LITERAL_OF_A_LINE = /'[^'\n]*'|"[^"\n]*"/
    TERMINATORS = { "}}" => /\}\}/, "%}" => /%\}/ }.freeze

    # The template in Liquid's own syntax, with as many lines as before.
    attr_reader :text
    # What variables of the template stand for: the names that Liquid cannot read as literals.
    attr_reader :variables

    def initialize(source)
      @source = source
      @scanner = StringScanner.new(source)
      @text = +""
      @variables = {}
      # The brackets that stand for a `${…}`, each with its name.
      @names = {}
      rewrite_text until @scanner.eos?
    end

    # Text of Liquid's that quotes the template, as the author wrote it.
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

    # Rewrites up to the end of a tag, which Liquid too takes where it first stands, in a literal or not.
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
      if @scanner.skip(/\{\{/) then nest(1)
      elsif @depth.positive? && @scanner.skip(/\}\}/) then nest(-1)
      elsif @scanner.skip(/\$\{/) then look_up
      elsif (literal = scan_literal(terminator)) then @text << literal
      elsif @tag == "liquid" && (remark = @scanner.scan(/\n\s*#[^\n%]*/)) then @text << remark
      else
        @text << (@scanner.scan(CHUNK) || @scanner.getch)
      end
    end

    def nest(change)
      @depth += change
      @text << " "
    end

    def look_up
      name = @scanner.scan(/[^{}\n]*/).strip
      fail_here("a ${ has no } before the next bracket or the end of the line") unless @scanner.skip(/\}/)
      fail_here("${} names no attribute") if name.empty?
      drop_dot
      @text << brackets(name)
    end

    # The dot of `x.${y}`, which brackets follow without; the two of a range such as `(1..${n})` stay.
    def drop_dot
      last = @text.rindex(/\S/)
      @text.slice!(last..) if last && @text[last] == "." && @text[last - 1] != "."
    end

    def brackets(name)
      key = "'#{name}'" if PLAIN_NAME.match?(name)
      key ||= @variables.key(name) || "pushhost_name_#{@variables.size}".tap { |variable| @variables[variable] = name }
      "[#{key}]".tap { |brackets| @names[brackets] = name }
    end

    # A literal that ends before the tag does, and before the line in a tag of many lines.
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

    # Liquid reads what a comment holds, and we need not have rewritten it: only its lines stay.
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
