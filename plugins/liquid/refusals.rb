# frozen_string_literal: true

require "liquid"

module Personalization
  # Refuses tags and objects that need Braze's servers, because any replacement would be wrong.
  module Refusals
    # An error that says what was refused, why, and what to do.
    class Refused < Liquid::Error
      def initialize(name, why, remedy) = super("#{name} is not rendered here: #{why}; #{remedy}")
    end

    KEEP_IN_PROFILE = "put the data into the profile and read it from there"
    PASTE = "paste its text into the template"

    # The tags, each with the reason and what to do.
    TAGS = {
      "connected_content" => ["it fetches from a web server while Braze sends", KEEP_IN_PROFILE],
      "catalog_items" => ["catalogs are kept by Braze", KEEP_IN_PROFILE],
      "catalog_selection_items" => ["catalogs and their selections are kept by Braze", KEEP_IN_PROFILE],
      "promotion" => ["promotion codes are kept and used up by Braze", "write an example of a code in its place"],
      "shopping_cart" => ["shopping carts are kept by Braze", KEEP_IN_PROFILE],
      "include" => ["there are no other templates to include", PASTE],
      "render" => ["there are no other templates to render", PASTE],
    }.freeze

    # Filters that Liquid has, but that Braze's page of filters calls unsupported.
    UNSUPPORTED = %w[lstrip rstrip].freeze
    # Filters that Braze's page calls unsupported, and that Liquid does not have.
    UNKNOWN = %w[
      camelcase camelize find_index format_address handle handleize highlight money_with_currency
      money_without_currency pluralize
    ].freeze

    # Braze's own data, which a profile does not have: a template that uses one of these objects is refused.
    OBJECTS = {
      "content_blocks" => ->(_) { raise Refused.new("content_blocks", "Content Blocks are kept by Braze", PASTE) },
      "promotion" => ->(_) { raise Refused.new("promotion", *TAGS["promotion"]) },
    }.freeze

    # A tag in the table.
    class Tag < Liquid::Tag
      def render_to_output_buffer(_context, _output)
        raise Refused.new("{% #{tag_name} %}", *TAGS.fetch(tag_name))
      end
    end

    TAGS.each_key { |name| Liquid::Template.register_tag(name, Tag) }

    # Reports that Braze may render a text with this filter differently.
    def self.check_filter(filter, context)
      return unless UNSUPPORTED.include?(filter)

      context.report.call("unsupportedFilter", "Braze's page of filters says that #{filter} is not supported there")
    end

    # The error message for a filter that Liquid does not have.
    def self.describe(filter)
      return "there is no filter #{filter}" unless UNKNOWN.include?(filter)

      "the filter #{filter} is not supported by Braze, as its page of filters says, nor here"
    end
  end
end
