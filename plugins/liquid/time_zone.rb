# frozen_string_literal: true

require "liquid"

module Personalization
  # The system's table of time zones.
  module TimeZone
    FOLDER = "/usr/share/zoneinfo"

    # Returns a name that the system knows; any other is an error, because the system would use UTC.
    def self.checked(zone)
      raise Liquid::ArgumentError, "time zones are missing: install Debian's package tzdata" unless Dir.exist?(FOLDER)
      return zone if zone.match?(%r{\A\w[\w+-]*(?:/\w[\w+-]*)*\z}) && table?("#{FOLDER}/#{zone}")

      raise Liquid::ArgumentError, "there is no time zone #{zone[0, 60]}; they are named as in America/Los_Angeles"
    end

    # Whether a file is the table of a zone; the folder contains other files too.
    def self.table?(path) = File.file?(path) && File.binread(path, 4) == "TZif"
    private_class_method :table?

    def self.local(time, zone)
      ENV["TZ"] = zone
      # A time looks up its zone when `zone` is first called, and keeps it.
      time.getlocal.tap(&:zone)
    ensure
      ENV["TZ"] = "UTC"
    end
  end
end
