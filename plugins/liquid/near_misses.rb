# frozen_string_literal: true

require "did_you_mean"

module Personalization
  # Finds the name that was meant where a lookup in the profile finds nothing.
  module NearMisses
    # The attributes and groups at the top of a profile that Braze's pages name.
    KNOWN = %w[
      api_trigger_properties app braze_id campaign canvas canvas_entry_properties card city context country
      custom_attribute date_of_birth email_address event_properties first_name gender language last_name
      last_used_app_date most_recent_app_version most_recent_locale most_recent_location most_recently_used_device
      phone_number random_bucket_number sms subscribed_state targeted_device time_zone user_id whats_app
    ].freeze
    # How many names of a group, and letters of a name, are compared; a profile may have very many.
    COMPARED = 200
    LETTERS = 32

    module_function

    # What to tell the author of a lookup that has these parts, or nil.
    def advice(profile, parts)
      first, *rest = parts
      return top(profile, first, is_group: rest.any?) unless profile.key?(first)

      group = profile[first]
      rest.each_with_index do |name, index|
        return unless group.is_a?(Hash)
        return inner(group, [first, *rest.first(index)], name) unless group.key?(name)

        group = group[name]
      end
      nil
    end

    # Names without case, underscores and spaces are compared; at most a third of the letters may differ.
    def nearest(name, names)
      written = letters(name)
      near = names.first(COMPARED).filter_map do |known|
        other = letters(known)
        most = [written.length, other.length].min / 3
        next if (written.length - other.length).abs > most

        distance = DidYouMean::Levenshtein.distance(written, other)
        [known, distance] if distance <= most
      end
      near.min_by(&:last)&.first
    end

    def letters(name) = name[0, 4 * LETTERS].downcase.gsub(/[^\p{L}\p{N}]/, "")[0, LETTERS]

    def top(profile, name, is_group:)
      # A right name has a wrong one in the profile; a wrong name in the template has a right one there, or at Braze.
      near = nearest(name, profile.keys - KNOWN)
      return near && "rename #{near} in the profile to #{name}" if KNOWN.include?(name)

      near ||= nearest(name, profile.keys) || nearest(name, KNOWN)
      near && "did you mean #{is_group ? near : attribute(near)}?"
    end

    def inner(group, path, name)
      near = nearest(name, group.keys)
      near && "did you mean #{[path.first, *path.drop(1).map { |part| attribute(part) }, attribute(near)].join(".")}?"
    end

    def attribute(name) = "${#{name}}"
  end
end
