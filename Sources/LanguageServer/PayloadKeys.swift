/// What the keys of a payload mean, for completion and hover.
///
/// Sources: developer.apple.com, "Generating a remote notification" and "Starting and updating Live Activities with
/// ActivityKit push notifications"; braze.com/docs for the keys that Braze adds.
enum PayloadKeys {
    /// A key of one object of a payload.
    struct Key {
        let name: String
        /// One or two sentences.
        let meaning: String
        /// The first release that reads it; nil for a key that is not Apple's.
        let since: String?
        /// What completion writes as the value, as a snippet of the Language Server Protocol.
        let snippet: String
        /// The values that are allowed; empty if there are others.
        let values: [String]

        init(_ name: String, _ since: String?, _ snippet: String, values: [String] = [], _ meaning: String) {
            (self.name, self.meaning, self.since, self.snippet, self.values) = (name, meaning, since, snippet, values)
        }

        /// Markdown for a person.
        var documentation: String { meaning + (since.map { "\n\nSince \($0)." } ?? "") }
    }

    /// The keys of an object, by the names that lead to it.
    static func keys(at path: [String]) -> [Key] {
        switch path {
        case []: top
        case ["aps"]: aps
        case ["aps", "alert"]: alert
        case ["aps", "sound"]: sound
        case ["ab"]: braze
        case ["ab", "att"]: attachment
        case _ where path.count == 3 && path.starts(with: ["ab", "c_items"]): page
        default: []
        }
    }

    private static let top = [
        Key(
            "aps",
            "iOS 3",
            #"{ "alert": "$1", "category": "$2" }"#,
            "What iOS itself reads. Everything beside it is yours."
        ),
        Key("ab", nil, "{$1}", "What Braze adds to its messages. A payload of your own needs none."),
        Key("ab_uri", nil, #""$1""#, "The link that Braze's SDK opens when the notification is tapped."),
        Key("ab_use_webview", nil, "true", "Whether Braze's SDK opens `ab_uri` in a web view of the app."),
    ]

    private static let braze = [
        Key("c", nil, "null", "The campaign of the message; null for one that was sent by the API or as a test."),
        Key(
            "att",
            nil,
            #"{ "url": "$1", "type": "${2:png}" }"#,
            "The file that the service extension of Braze attaches. It needs `mutable-content` 1 in `aps`."
        ),
        Key("ab_carousel", nil, "true", "Whether the message is a Push Story; its pages are in `c_items`."),
        Key("c_items", nil, "[{$1}]", "The pages of a Push Story."),
    ]

    private static let attachment = [
        Key(
            "url",
            nil,
            #""$1""#,
            "The address of the file, which the service extension loads before iOS shows anything."
        ),
        Key(
            "type",
            nil,
            #""${1:png}""#,
            values: ["aif", "gif", "jpg", "m4a", "mp3", "mp4", "png", "wav"],
            "The ending of the file's name, by which iOS knows what it is."
        ),
    ]

    private static let page = [
        Key("id", nil, "1", "The number of the page."),
        Key("i", nil, #""$1""#, "The address of the picture."),
        Key("i_t", nil, #""${1:png}""#, "The type of the picture."),
        Key("t", nil, #""$1""#, "The title."),
        Key(
            "t_j",
            nil,
            #""${1:start}""#,
            values: ["start", "center", "end"],
            "Where the title stands: at the start, in the center or at the end of its line."
        ),
        Key("st", nil, #""$1""#, "The subtitle."),
        Key(
            "st_j",
            nil,
            #""${1:start}""#,
            values: ["start", "center", "end"],
            "Where the subtitle stands: at the start, in the center or at the end of its line."
        ),
        Key("uri", nil, #""$1""#, "The link that a tap on the page opens."),
    ]

    private static let aps = [
        Key(
            "alert",
            "iOS 3",
            #"{ "title": "$1", "body": "$2" }"#,
            "The text of the notification: an object, or a string that is the body. Without it nothing is shown."
        ),
        Key("badge", "iOS 3", "${1:1}", "The number on the app's icon; 0 removes it."),
        Key(
            "sound",
            "iOS 3",
            #""${1:default}""#,
            "The name of a sound file in the app, `default`, or an object for a critical alert."
        ),
        Key(
            "category",
            "iOS 8",
            #""$1""#,
            "The category that the app or a content extension registered. It decides which extension shows the notification, and which actions it has."
        ),
        Key("content-available", "iOS 7", "1", "1 wakes the app in the background, without showing anything."),
        Key("mutable-content", "iOS 10", "1", "1 lets the service extension change the content before it is shown."),
        Key("thread-id", "iOS 10", #""$1""#, "Notifications with the same value form a group."),
        Key("target-content-id", "iOS 13", #""$1""#, "The window of the app that is brought forward."),
        Key(
            "interruption-level",
            "iOS 15",
            #""${1|passive,active,time-sensitive,critical|}""#,
            values: ["passive", "active", "time-sensitive", "critical"],
            "How much the notification may disturb. `time-sensitive` and `critical` need an entitlement of the app."
        ),
        Key("relevance-score", "iOS 15", "${1:0.5}", "From 0 to 1: which notification stands first in the summary."),
        Key("filter-criteria", "iOS 16", #""$1""#, "What a Focus filter of the app compares."),
        Key("url-args", "Safari 7", #"["$1"]"#, "Values for the link of a website's notification."),
        Key("content-changed", "iOS 18", "true", "Tells a widget that its content has changed."),
        Key(
            "event",
            "iOS 16.1",
            #""${1|start,update,end|}""#,
            values: ["start", "update", "end"],
            "What happens to a Live Activity."
        ),
        Key(
            "content-state",
            "iOS 16.1",
            "{$1}",
            "The new state of a Live Activity, as its attributes' `ContentState` decodes it."
        ),
        Key(
            "timestamp",
            "iOS 16.1",
            "$1",
            "When a Live Activity's state was made, in seconds since 1970; an older one is dropped."
        ),
        Key("stale-date", "iOS 16.2", "$1", "When a Live Activity's state is out of date, in seconds since 1970."),
        Key("dismissal-date", "iOS 16.1", "$1", "When an ended Live Activity is removed, in seconds since 1970."),
        Key(
            "attributes-type",
            "iOS 17.2",
            #""$1""#,
            "The type of the attributes of a Live Activity that a notification starts."
        ),
        Key("attributes", "iOS 17.2", "{$1}", "The fixed attributes of a Live Activity that a notification starts."),
        Key("input-push-token", "iOS 18", "1", "1 asks for a token with which the started Live Activity is updated."),
        Key("input-push-channel", "iOS 18", #""$1""#, "The channel whose broadcasts update the started Live Activity."),
    ]

    private static let alert = [
        Key("title", "iOS 8.2", #""$1""#, "The first line, in bold."),
        Key("subtitle", "iOS 10", #""$1""#, "The line below the title."),
        Key("body", "iOS 3", #""$1""#, "The text."),
        Key("launch-image", "iOS 3", #""$1""#, "The image that the app shows while it starts."),
        Key("title-loc-key", "iOS 8.2", #""$1""#, "The key of the title in `Localizable.strings`."),
        Key("title-loc-args", "iOS 8.2", #"["$1"]"#, "What replaces the `%@` of the localized title."),
        Key("subtitle-loc-key", "iOS 10", #""$1""#, "The key of the subtitle in `Localizable.strings`."),
        Key("subtitle-loc-args", "iOS 10", #"["$1"]"#, "What replaces the `%@` of the localized subtitle."),
        Key("loc-key", "iOS 3", #""$1""#, "The key of the text in `Localizable.strings`."),
        Key("loc-args", "iOS 3", #"["$1"]"#, "What replaces the `%@` of the localized text."),
        Key("action-loc-key", "iOS 3", #""$1""#, "The key of the title of the button that opens the app."),
        Key("summary-arg", "iOS 12 to 14", #""$1""#, "A name for the summary of a group."),
        Key("summary-arg-count", "iOS 12 to 14", "${1:1}", "How many items the notification stands for in a summary."),
    ]

    private static let sound = [
        Key("critical", "iOS 12", "1", "1 plays the sound even if the phone is muted; the app needs an entitlement."),
        Key("name", "iOS 12", #""${1:default}""#, "The name of a sound file in the app, or `default`."),
        Key("volume", "iOS 12", "${1:1.0}", "From 0 to 1."),
    ]
}
