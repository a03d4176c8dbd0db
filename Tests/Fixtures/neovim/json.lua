-- The plugin's JSON parser accepts the same texts as the host's, because it sends accepted texts unchanged.
local T = dofile(vim.env.PUSHHOST_ROOT .. "/Tests/Fixtures/neovim/harness.lua")
local Process = require("pushhost.process")
local json = require("pushhost.json")

local texts = {
  numbers = {
    "1", "-1", "0", "-0", "01", "-", "1.", ".5", "1.5", "1e5", "1E+5", "1e", "1.e5", "+1", "0x1", "1a", "1-2", "NaN",
    "Infinity", "1.0e-400", "1e400", "-1e400", "4.9e-324",
    "1e99999999999", "-1E+99999999999", "1e-99999999999", "-1.5E-99999999999", "0e99999999999", "-0.00e+99999999999",
    "0.01e99999999999", "1e00000000000000000000001", "1e000000000000000000000400",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "123456789012345678901234567890",
  },
  words = { "true", "false", "null", "True", "nul", "nulls", "undefined", "1 2", "{} {}", "", " ", " \t\r\n 1 \t\r\n " },
  strings = {
    '""', '"', '"a', "'a'", '"\\"', '"\\""', '"\\/\\b\\f\\n\\r\\t\\\\"', '"\\a"', '"\\u00e9"', '"\\u00e"', '"\\u00gg"',
    '"\\u0000"', '"\\ud83c\\udf08"', '"\\ud83c"', '"\\ud83cx"', '"\\ud83c\\u0041"', '"\\udf08"', '"\1"', '"\t"', '"\127"',
  },
  encodings = {
    '"é€🌈"', '"\192\128"', '"\237\160\128"', '"\244\144\128\128"', '"\245\128\128\128"', '"\195"', '"\255"', '"\226\130"',
    '"\240\128\128\128"', '"\224\128\128"', "\194\160 1", "\v1", "\239\187\1911",
  },
  containers = {
    "[]", "[ ]", "[1]", "[1,]", "[,1]", "[1 2]", "[1,2]", "[", "]", "[1", "[[]", "[[],[]]", "// x\n1", "/* x */ 1",
    "{}", "{ }", '{"a":1}', '{"a":1,}', '{"a"}', '{"a":}', '{a:1}', '{"a":1 "b":2}', '{"a":1,"b":2}', "{1:2}", "{", "{]",
    '{"a":1', '{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"":1}', '{"":1,"":2}', '{"\\u0000":1}', '{"a\\u0000b":1}',
  },
  depths = {
    ("["):rep(2046) .. ("]"):rep(2046), ("["):rep(2047) .. ("]"):rep(2047), ("["):rep(2046) .. "1" .. ("]"):rep(2046),
    ('{"a":'):rep(2045) .. "1" .. ("}"):rep(2045), ('{"a":'):rep(2046) .. "1" .. ("}"):rep(2046),
  },
}

-- Whether a separate host can parse a text: invalid JSON is answered without an id.
local function is_read(text)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, "p")
  local process = assert(Process.start({ T.program, "--plugins", folder, "--data", folder }, {}))
  local problem
  process:request("didReceive", '{"payload":' .. text:gsub("\n", " ") .. "}", function(refusal)
    problem = refusal
  end)
  T.wait("the answer to " .. text:sub(1, 60), function()
    return problem
  end)
  process:close()
  return problem.code ~= -32700
end

for kind, list in pairs(texts) do
  T.case("What is JSON is so to both: " .. kind, function()
    for _, text in ipairs(list) do
      T.equal(json.parse(text) ~= nil, is_read(text), "whether this is JSON: " .. text:sub(1, 60))
    end
  end)
end

T.case("A pointer finds its value, else the last one on the way", function()
  local text = '{"a/b": [{"c~d": 1},\n [true]], "é": {"x": "y"}}'
  local root = assert(json.parse(text))
  local function at(pointer)
    local node, member, exact = json.find(root, pointer)
    return { json.raw(text, node), member and member.name, exact }
  end
  T.equal(at(""), { text, nil, true })
  T.equal(at("/a~1b/0/c~0d"), { "1", "c~d", true })
  T.equal(at("/a~1b/1/0"), { "true", nil, true })
  T.equal(at("/é/x"), { '"y"', "x", true })
  T.equal(at("/é/z/q"), { '{"x": "y"}', "é", false })
  T.equal(at("/a~1b/7"), { '[{"c~d": 1},\n [true]]', "a/b", false })
  T.equal({ json.position(text, 1) }, { 0, 0 })
  T.equal({ json.position(text, 22) }, { 1, 0 })
  T.equal({ json.position(text, text:find("true")) }, { 1, 2 })
end)

T.run()
