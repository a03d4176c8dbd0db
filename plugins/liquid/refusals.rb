# frozen_string_literal: true

require "liquid"

module Personalization
  # What needs Braze's servers is refused by name, because nothing that stood in its place would be true.
  module Refusals
    # The error that names what was refused, why, and what to do.
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

    # Filters that Liquid has though Braze's page of filters says no.
    UNSUPPORTED = %w[lstrip rstrip].freeze
    # Filters that Liquid does not have either.
    UNKNOWN = %w[
      camelcase camelize find_index format_address handle handleize highlight money_with_currency
      money_without_currency pluralize
    ].freeze

    # What stands in the environment under the names of Braze's own data, where no profile can know it.
    OBJECTS = {
      "content_blocks" => ->(_) { raise Refused.new("content_blocks", "Content Blocks are kept by Braze", PASTE) },
      "promotion" => ->(_) { raise Refused.new("promotion", *TAGS["promotion"]) },
    }.freeze

    # A tag of the table.
    class Tag < Liquid::Tag
      def render_to_output_buffer(_context, _output)
        raise Refused.new("{% #{tag_name} %}", *TAGS.fetch(tag_name))
      end
    end

    TAGS.each_key { |name| Liquid::Template.register_tag(name, Tag) }

    # Tells that a message with this filter may come out otherwise at Braze.
    def self.check_filter(filter, context)
      return unless UNSUPPORTED.include?(filter)

      context.report.call("unsupportedFilter", "Braze's page of filters says that #{filter} is not supported there")
    end

    # What is wrong with a filter that Liquid does not have.
    def self.describe(filter)
      return "there is no filter #{filter}" unless UNKNOWN.include?(filter)

      "the filter #{filter} is not supported by Braze, as its page of filters says, nor here"
    end
  end
end
