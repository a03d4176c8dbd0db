# frozen_string_literal: true

require_relative "failure"

module Personalization
  # Loads Shopify's Liquid at the first call, so that the call is answered with an error if Liquid is not installed.
  module Library
    # The release whose internals the other files of this folder refine.
    VERSION = "5.4"

    def self.load
      gem "liquid", "~> #{VERSION}.0" if defined?(Gem)
      require "liquid"
      raise missing unless Liquid::VERSION.start_with?("#{VERSION}.")

      require_relative "message"
    rescue LoadError => e
      raise unless e.path == "liquid" || (defined?(Gem::LoadError) && e.is_a?(Gem::LoadError))

      raise missing
    end

    def self.missing
      message = "Shopify's Liquid #{VERSION} is missing: install Debian's package ruby-liquid."
      Failure.new("missingLibrary", message)
    end
    private_class_method :missing
  end
end
