#!/usr/bin/env ruby
# frozen_string_literal: true

# Renders the Liquid in a payload: an extension with the extension point pushhost.personalization.

if $stdin.tty?
  warn "personalize.rb is an extension that pushhost starts: pushhost --plugins <bundle>"
  exit 1
end

require_relative "connection"
require_relative "extension"

extension = Personalization::Extension.new
Personalization::Connection.new($stdin, $stdout).serve { |method, params| extension.call(method, params) }
