# frozen_string_literal: true

require "time"
require_relative "failure"
require_relative "library"

module Personalization
  # Handles the calls of the host.
  class Extension
    # The lowest version of the contract that has the extension point.
    CONTRACT = "1.1"

    def call(method, params)
      case method
      when "activate" then activate
      when "personalize" then personalize(params)
      when "checkTemplates" then check_templates(params)
      else raise Failure.new("methodNotFound", "Method not found: #{method}", code: Failure::METHOD_NOT_FOUND)
      end
    end

    private

    def activate
      Library.load
      { version: CONTRACT }
    end

    def check_templates(params)
      Library.load
      Message.new(member(params, "payload", Hash), {}, nil).check
    end

    def personalize(params)
      Library.load
      payload = member(params, "payload", Hash)
      profile = member(params, "profile", Hash)
      # Only validated: neither Liquid nor a filter of Braze depends on the locale.
      member(params, "locale", String)
      Message.new(payload, profile, date(params)).personalize
    end

    def date(params)
      Time.iso8601(member(params, "date", String)).utc
    rescue ArgumentError
      raise invalid("date", "an RFC 3339 time")
    end

    def member(params, name, type)
      unless params.is_a?(Hash)
        raise Failure.new("invalidParams", "Invalid params: they must be an object", code: Failure::INVALID_PARAMS)
      end

      value = params[name]
      raise invalid(name, type == Hash ? "an object" : "a string") unless value.is_a?(type)

      value
    end

    def invalid(name, needed)
      message = "Invalid params: #{name} must be #{needed}"
      Failure.new("invalidParams", message, code: Failure::INVALID_PARAMS, path: "/params/#{name}")
    end
  end
end
