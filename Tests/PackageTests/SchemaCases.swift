import Testing

/// A schema, with values that fit it and values that do not, all as JSON texts.
struct SchemaCase: Sendable, CustomTestStringConvertible {
    let schema: String
    let fitting: [String]
    let others: [String]

    init(_ schema: String, fits fitting: [String] = [], not others: [String] = []) {
        (self.schema, self.fitting, self.others) = (schema, fitting, others)
    }

    var testDescription: String { schema }
}

/// The keywords as draft 7 means them; the traps are those that validators fall into.
extension SchemaCase {
    static let general: [SchemaCase] = [
        .init("true", fits: ["1", "null", "{}"]),
        .init("false", not: ["1", "null", "{}"]),
        .init("{}", fits: ["1", "null", "[]"]),
        .init(#"{"type":"integer"}"#, fits: ["1", "1.0", "-3", "1e2"], not: ["1.5", "true", #""1""#, "null", "[]"]),
        .init(#"{"type":"number"}"#, fits: ["1", "1.5"], not: ["true", #""1""#, "null", "{}"]),
        .init(#"{"type":"string"}"#, fits: [#""""#, #""1""#], not: ["1", "null", "[]"]),
        .init(#"{"type":"boolean"}"#, fits: ["true", "false"], not: ["0", "1", #""true""#, "null"]),
        .init(#"{"type":"null"}"#, fits: ["null"], not: ["0", "false", #""""#, "[]", "{}"]),
        .init(#"{"type":"array"}"#, fits: ["[]"], not: ["{}", "null"]),
        .init(#"{"type":"object"}"#, fits: ["{}"], not: ["[]", "null"]),
        .init(#"{"type":["integer","null"]}"#, fits: ["1", "null"], not: ["1.5", "true", "[]"]),
        .init(#"{"enum":[1,"a",null,{"b":[1]}]}"#, fits: ["1", "1.0", #""a""#, "null", #"{"b":[1.0]}"#]),
        .init(#"{"enum":[1,"a",null,{"b":[1]}]}"#, not: ["true", #""A""#, "false", "{}", #"{"b":[1],"c":1}"#]),
        .init(#"{"const":0}"#, fits: ["0", "0.0", "-0.0"], not: ["false", "null", #""""#, "[]"]),
        .init(#"{"const":true}"#, fits: ["true"], not: ["1", "1.0", #""true""#]),
        .init(#"{"const":{"a":1,"b":2}}"#, fits: [#"{"b":2,"a":1}"#], not: [#"{"a":1}"#, "[]"]),
        .init(#"{"const":[{"a":false}]}"#, fits: [#"[{"a":false}]"#], not: [#"[{"a":0}]"#, "[]"]),
        .init(#"{"const":9007199254740993}"#, fits: ["9007199254740993"], not: ["9007199254740992"]),
        .init(#"{"const":"\u00e9"}"#, fits: [#""\u00e9""#], not: [#""e\u0301""#]),
    ]

    static let texts: [SchemaCase] = [
        .init(#"{"minLength":2}"#, fits: [#""ab""#, "1", "null"], not: [#""a""#, #""""#]),
        .init(#"{"maxLength":2}"#, fits: [#""ab""#, "100"], not: [#""abc""#]),
        // Unicode scalars: neither UTF-16 nor what a reader sees.
        .init(#"{"maxLength":2}"#, fits: [#""\uD83D\uDCA9\uD83D\uDCA9""#], not: [#""e\u0301e""#]),
        .init(#"{"minLength":2}"#, fits: [#""e\u0301""#], not: [#""\uD83D\uDCA9""#]),
        .init(#"{"minLength":2.0}"#, not: [#""a""#]),
        .init(#"{"pattern":"a+"}"#, fits: [#""xaay""#, "1"], not: [#""xy""#]),
        .init(#"{"pattern":"^[a-z]+$"}"#, fits: [#""abc""#], not: [#""abc\n""#, #""a1""#, #""""#]),
        .init(#"{"pattern":"^\\d$"}"#, fits: [#""5""#], not: [#""\u0665""#]),
        .init(#"{"pattern":"^\\w$"}"#, fits: [#""_""#], not: [#""\u00e9""#]),
        .init(#"{"pattern":"^[\\d.]$"}"#, fits: [#"".""#, #""5""#], not: [#""x""#]),
        .init(#"{"pattern":"^[[&]$"}"#, fits: [#""[""#, #""&""#], not: [#""x""#]),
        .init(#"{"pattern":"^.$"}"#, fits: [#""\u0085""#], not: [#""\n""#, #""\u2028""#]),
        .init(#"{"pattern":"\\$$"}"#, fits: [#""a$""#], not: [#""$a""#]),
        .init(#"{"format":"date-time"}"#, fits: [
            #""2026-01-01T00:00:00Z""#, #""2024-02-29t23:59:59.123456+02:00""#, #""1998-12-31T23:59:60Z""#,
            #""1998-12-31T15:59:60.5-08:00""#, "1",
        ]),
        .init(#"{"format":"date-time"}"#, not: [
            #""2026-01-01 00:00:00Z""#, #""2026-01-01T00:00:00""#, #""2025-02-29T00:00:00Z""#, #""2026-13-01T00:00:00Z""#,
            #""2026-01-01T24:00:00Z""#, #""2026-01-01T00:00:60Z""#, #""2026-01-01T00:00Z""#, #""2026-01-01T00:00:00.Z""#,
            #""2026-01-01T00:00:00+0200""#, #""2026-01-01T00:00:00+24:00""#, #""26-01-01T00:00:00Z""#, #""""#,
            #""2026-01-0\u0661T00:00:00Z""#,
        ]),
        .init(#"{"format":"date"}"#, fits: [#""2000-02-29""#], not: [#""1900-02-29""#, #""2026-1-1""#]),
        .init(#"{"format":"time"}"#, fits: [#""08:30:06.2Z""#], not: [#""08:30:06""#, #""8:30:06Z""#]),
        .init(#"{"format":"uri"}"#, fits: [#""file:///a%20b""#, #""urn:x""#], not: [#""/a""#, #""a b:c""#, #""x:%zz""#]),
        .init(#"{"format":"uri-reference"}"#, fits: [#""/a""#, #""""#, ##""#x""##], not: [#""\\a""#]),
        .init(#"{"format":"email"}"#, fits: [#""a@b""#], not: [#""a""#, #""@b""#]),
        .init(#"{"format":"regex"}"#, fits: [#""^a$""#], not: [#""^(a""#]),
        .init(#"{"format":"json-pointer"}"#, fits: [#""""#, #""/a~1b/""#], not: [#""a""#, #""/~2""#]),
        .init(#"{"format":"uuid"}"#, fits: [#""2eb8aa08-aa98-11ea-b4aa-73b441d16380""#], not: [#""2eb8""#]),
    ]

    static let numbers: [SchemaCase] = [
        .init(#"{"minimum":1}"#, fits: ["1", "1.0", "2", #""0""#], not: ["0.9", "-1"]),
        .init(#"{"maximum":3.0}"#, fits: ["3", "2.9", "null"], not: ["3.1", "4"]),
        .init(#"{"exclusiveMinimum":1}"#, fits: ["1.1"], not: ["1", "1.0"]),
        .init(#"{"exclusiveMaximum":1}"#, fits: ["0.9"], not: ["1", "1.0"]),
        .init(#"{"maximum":9007199254740992}"#, fits: ["9007199254740992"], not: ["9007199254740993"]),
        .init(#"{"multipleOf":2}"#, fits: ["10", "10.0", "0", #""7""#], not: ["7", "7.0"]),
        .init(#"{"multipleOf":1.5}"#, fits: ["0", "4.5"], not: ["35"]),
        .init(#"{"multipleOf":0.0001}"#, fits: ["0.0075"], not: ["0.00751"]),
        .init(#"{"multipleOf":0.01}"#, fits: ["19.99"], not: ["0.001"]),
    ]

    static let arrays: [SchemaCase] = [
        .init(#"{"minItems":1,"maxItems":2}"#, fits: ["[1]", "[1,2]", #""x""#], not: ["[]", "[1,2,3]"]),
        .init(#"{"items":{"type":"integer"}}"#, fits: ["[]", "[1,2]", "{}"], not: [#"[1,"x"]"#]),
        .init(#"{"items":false}"#, fits: ["[]"], not: ["[1]"]),
        .init(#"{"items":[{"type":"integer"},{"type":"string"}]}"#, fits: [#"[1,"a",true]"#, "[1]", "[]"], not: [#"["a",1]"#]),
        .init(#"{"items":[{}],"additionalItems":false}"#, fits: ["[1]", "[]"], not: ["[1,2]"]),
        .init(#"{"items":[{}],"additionalItems":{"type":"null"}}"#, fits: ["[1,null]"], not: ["[1,2]"]),
        // Only beside an array of schemas does it mean anything.
        .init(#"{"items":{},"additionalItems":false}"#, fits: ["[1,2,3]"]),
        .init(#"{"additionalItems":false}"#, fits: ["[1,2,3]"]),
        .init(#"{"contains":{"minimum":5}}"#, fits: ["[1,6]", "5"], not: ["[1,2]", "[]"]),
        .init(#"{"uniqueItems":true}"#, fits: ["[1,true]", "[0,false]", "[[1],[2]]", #"[{"a":1},{"a":2}]"#]),
        .init(#"{"uniqueItems":true}"#, not: ["[1,1.0]", #"[{"a":1,"b":2},{"b":2,"a":1}]"#, "[[1],[1]]", "[1,2,1]"]),
        .init(#"{"uniqueItems":false}"#, fits: ["[1,1]"]),
    ]

    static let objects: [SchemaCase] = [
        .init(#"{"minProperties":1,"maxProperties":1}"#, fits: [#"{"a":1}"#, "[]"], not: ["{}", #"{"a":1,"b":2}"#]),
        .init(#"{"required":["a"]}"#, fits: [#"{"a":null}"#, "[]", "1"], not: ["{}", #"{"A":1}"#]),
        .init(#"{"properties":{"a":{"type":"integer"}}}"#, fits: ["{}", #"{"a":1,"b":"x"}"#, "[]"], not: [#"{"a":"x"}"#]),
        .init(#"{"properties":{"a":false}}"#, fits: ["{}"], not: [#"{"a":1}"#]),
        .init(#"{"patternProperties":{"^x-":{"type":"integer"}}}"#, fits: [#"{"x-a":1,"y":"z"}"#], not: [#"{"x-a":"b"}"#]),
        .init(
            #"{"properties":{"a":{}},"patternProperties":{"^x-":{}},"additionalProperties":false}"#,
            fits: ["{}", #"{"a":1,"x-b":2}"#], not: [#"{"b":1}"#, #"{"a":1,"yx-":2}"#]
        ),
        .init(#"{"properties":{"a":{}},"additionalProperties":{"type":"null"}}"#, fits: [#"{"a":1,"b":null}"#], not: [#"{"b":1}"#]),
        .init(#"{"properties":{"a":{"maxItems":1}},"patternProperties":{"a":{"minItems":1}}}"#, fits: [#"{"a":[1]}"#]),
        .init(#"{"properties":{"a":{"maxItems":1}},"patternProperties":{"a":{"minItems":1}}}"#, not: [#"{"a":[]}"#, #"{"a":[1,2]}"#]),
        // allOf does not look into its neighbours.
        .init(#"{"allOf":[{"properties":{"a":{}}}],"additionalProperties":false}"#, not: [#"{"a":1}"#]),
        .init(#"{"propertyNames":{"maxLength":1}}"#, fits: [#"{"a":1}"#, "{}"], not: [#"{"ab":1}"#]),
        .init(#"{"dependencies":{"a":["b"]}}"#, fits: ["{}", #"{"b":1}"#, #"{"a":1,"b":1}"#], not: [#"{"a":1}"#]),
        .init(#"{"dependencies":{"a":{"required":["b"]}}}"#, fits: ["{}", #"{"a":1,"b":1}"#], not: [#"{"a":1}"#]),
        .init(#"{"properties":{"\u00e9":{"type":"null"}}}"#, fits: [#"{"e\u0301":1}"#], not: [#"{"\u00e9":1}"#]),
        .init(#"{"properties":{"__proto__":{"type":"null"},"a/b~c":{"type":"null"}}}"#, not: [#"{"a/b~c":1}"#, #"{"__proto__":1}"#]),
    ]

    static let combinations: [SchemaCase] = [
        .init(#"{"allOf":[{"minimum":2},{"maximum":3}]}"#, fits: ["2", "3"], not: ["1", "4"]),
        .init(#"{"anyOf":[{"type":"integer"},{"minimum":2}]}"#, fits: ["1", "2.5", "3"], not: ["1.5"]),
        .init(#"{"oneOf":[{"type":"integer"},{"minimum":2}]}"#, fits: ["1", "2.5"], not: ["3", "1.5"]),
        .init(#"{"not":{"type":"integer"}}"#, fits: ["1.5", #""x""#], not: ["1"]),
        .init(#"{"not":{"not":{"type":"integer"}}}"#, fits: ["1"], not: ["1.5"]),
        .init(#"{"if":{"minimum":5},"then":{"multipleOf":2},"else":{"const":1}}"#, fits: ["6", "1"], not: ["7", "2"]),
        .init(#"{"then":{"const":1},"else":{"const":2}}"#, fits: ["7"]),
        .init(#"{"if":false,"else":{"const":1}}"#, fits: ["1"], not: ["2"]),
        .init(#"{"if":true,"then":{"const":1}}"#, fits: ["1"], not: ["2"]),
    ]

    static let references: [SchemaCase] = [
        .init(##"{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}"##, fits: [#"{"a":{"a":{}}}"#], not: [#"{"a":{"b":1}}"#]),
        .init(##"{"$ref":"#/definitions/a~1b","definitions":{"a/b":{"type":"null"}}}"##, fits: ["null"], not: ["1"]),
        .init(##"{"items":[{"type":"null"},{"$ref":"#/items/0"}]}"##, fits: ["[null,null]"], not: ["[null,1]"]),
        .init(##"{"$ref":"#/$defs/a%25b","$defs":{"a%b":{"type":"null"}}}"##, fits: ["null"], not: ["1"]),
        // What stands beside a reference counts since 2019-09.
        .init(##"{"properties":{"a":{"$ref":"#/definitions/b","maximum":1}},"definitions":{"b":{"type":"integer"}}}"##, fits: [#"{"a":2}"#]),
        .init(
            ##"{"$schema":"https://json-schema.org/draft/2020-12/schema","$ref":"#/$defs/b","maximum":1,"$defs":{"b":{"type":"integer"}}}"##,
            fits: ["1"], not: ["2", "0.5"]
        ),
        .init(
            ##"{"$id":"http://a.example/root.json","properties":{"a":{"$ref":"other.json"}},"definitions":{"o":{"$id":"other.json","type":"null"}}}"##,
            fits: [#"{"a":null}"#], not: [#"{"a":1}"#]
        ),
        .init(
            ##"{"$id":"http://a.example/root.json","properties":{"a":{"$ref":"other.json#/definitions/x"}},"definitions":{"o":{"$id":"other.json","definitions":{"x":{"type":"null"}},"items":{"$ref":"#/definitions/x"}}}}"##,
            fits: [#"{"a":null}"#], not: [#"{"a":1}"#]
        ),
        .init(##"{"properties":{"a":{"$ref":"#x"}},"definitions":{"o":{"$id":"#x","type":"null"}}}"##, fits: [#"{"a":null}"#], not: [#"{"a":1}"#]),
        .init(##"{"properties":{"$ref":{"type":"string"}}}"##, fits: [#"{"$ref":"x"}"#], not: [#"{"$ref":1}"#]),
    ]
}
