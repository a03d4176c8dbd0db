import JSON
import Testing

@Suite struct NumberTests {
    @Test(
        "A number is written in the shortest form that is read as the same number",
        arguments: [
            ("1", "1"),
            ("1.0", "1.0"),
            ("0", "0"),
            ("-0", "0"),
            ("-0.0", "-0.0"),
            ("0.0", "0.0"),
            ("0.1", "0.1"),
            ("0.10000000000000001", "0.1"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("1e2", "100.0"),
            ("1E2", "100.0"),
            ("1e+2", "100.0"),
            ("1e-2", "0.01"),
            ("1e300", "1e+300"),
            ("5e-324", "5e-324"),
            ("1e-400", "0.0"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("9007199254740993.0", "9007199254740992.0"),
            ("9223372036854775808.0", "9.223372036854776e+18"),
            ("9223372036854775807", "9223372036854775807"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("-1", "-1"),
            ("10", "10"),
        ]
    )
    func shortest(text: String, written: String) throws {
        let value = try JSON(parsing: text)
        #expect(value.description == written)
        #expect(try JSON(parsing: written) == value)
        // The same within a tree, which is written without Swift values.
        #expect(try JSON(parsing: "[\(text)]").description == "[\(written)]")
    }

    @Test("A real always has a fraction or an exponent, so that it is never read as an integer")
    func realsStayReals() throws {
        for value in [0, 1, -1, 100, 1e15, 1e16, 1e17, 1e21, 1e22, 1e100, 0x1p53, 0x1p63] as [Double] {
            let read = try JSON(parsing: JSON.real(value).description)
            guard case .real(value) = read else {
                Issue.record("\(value) came back as \(read)")
                continue
            }
        }
    }

    @Test("Integers, reals and booleans keep their types from reading to writing")
    func threeThings() throws {
        let text = "[1,1.0,true,0,0.0,-0.0,false,null]"
        let value = try JSON(parsing: text)
        #expect(value.description == text)
        let types = try #require(value.array).map(\.typeName)
        #expect(types == ["integer", "number", "boolean", "integer", "number", "number", "boolean", "null"])
    }

    @Test("The sign of zero is kept")
    func negativeZero() throws {
        guard case .real(let value) = try JSON(parsing: "-0.0") else {
            Issue.record("-0.0 is no real")
            return
        }
        #expect(value.sign == .minus)
    }

    @Test("Integers are written in decimal at every length")
    func decimals() {
        var text = ""
        var value: Int64 = 0
        for digit in ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"] {
            text += digit
            value = value &* 10 + (Int64(digit) ?? 0)
            #expect(JSON.integer(value).description == text)
            #expect(JSON.integer(-value).description == "-" + text)
        }
    }

    @Test("A tree keeps a number that JSON lacks, and names its place, so that it can be refused before it is written")
    func notFinite() throws {
        let value: JSON = ["a": [1, .null, .real(-.infinity)], "b/c": ["d": .real(.nan)], "e": .real(.infinity)]
        let first = try #require(value.nonFinite)
        #expect(first.steps == ["a", "2"])
        #expect(first.value == -.infinity)
        #expect(value["a"]?[2] == .real(-.infinity))
        #expect(value["a"]?[1] == .null)
        #expect(value["b/c"]?["d"]?.number?.isNaN == true)
        #expect(value["b/c"]?.nonFinite?.steps == ["d"])
        #expect(value["e"]?.nonFinite?.steps == [])
        #expect(value["a"] != [1, .null, .null])
        #expect((["a": [1, 2.5, .null]] as JSON).nonFinite == nil)
    }

    @Test("A number that JSON lacks cannot be made by the initializer, and is written as null")
    func writtenNotFinite() throws {
        let half = 0.5
        #expect(try JSON(half) == .real(0.5))
        for number in [Double.nan, .infinity, -.infinity] {
            let error = #expect(throws: NonFinite.self) { try JSON(number) }
            #expect(error.map { "\($0)" } == "JSON has no \(number): pass a finite number")
            #expect(JSON.real(number).description == "null")
            #expect((["a": [1.5, .real(number)]] as JSON).description == #"{"a":[1.5,null]}"#)
        }
    }

    @Test("Only the accessor of the value's type returns it")
    func accessors() {
        #expect(JSON.integer(1).integer == 1)
        #expect(JSON.integer(1).number == 1)
        #expect(JSON.integer(1).bool == nil)
        #expect(JSON.real(1).integer == nil)
        #expect(JSON.real(1).number == 1)
        #expect(JSON.bool(true).integer == nil)
        #expect(JSON.bool(true).number == nil)
        #expect(JSON.bool(true).bool == true)
        #expect(JSON.string("1").integer == nil)
        #expect(JSON.string("1").string == "1")
        #expect(JSON.null.isNull)
        #expect(!JSON.bool(false).isNull)
    }
}
