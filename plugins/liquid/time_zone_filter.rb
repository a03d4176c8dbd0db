# frozen_string_literal: true

require "liquid"
require_relative "clock"

module Personalization
  # Times in the zone of somebody, by the system's table of zones.
  module TimeZoneFilter
    FOLDER = "/usr/share/zoneinfo"

    # The time in a zone of the IANA table, formatted where a format is given.
    def time_zone(input, zone, format = nil)
      time = Clock.time(input)
      return input unless time

      local = TimeZoneFilter.local(time.to_time, TimeZoneFilter.checked(zone.to_s))
      format ? local.strftime(format.to_s) : local
    end

    # A zone that the system knows; it would take any other name for UTC.
    def self.checked(zone)
      raise Liquid::ArgumentError, "time zones are missing: install Debian's package tzdata" unless Dir.exist?(FOLDER)
      return zone if zone.match?(%r{\A\w[\w+-]*(?:/\w[\w+-]*)*\z}) && table?("#{FOLDER}/#{zone}")

      raise Liquid::ArgumentError, "there is no time zone #{zone}; they are named as in America/Los_Angeles"
    end

    # Whether a file is the table of a zone; there are others in the folder.
    def self.table?(path) = File.file?(path) && File.binread(path, 4) == "TZif"
    private_class_method :table?

    def self.local(time, zone)
      ENV["TZ"] = zone
      # A time looks for its zone when it is first asked, and keeps it.
      time.getlocal.tap(&:zone)
    ensure
      ENV["TZ"] = "UTC"
    end
  end
end
