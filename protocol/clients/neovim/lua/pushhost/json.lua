--- A JSON parser that keeps the position of each value and reports the position of a mistake.
---
--- `vim.json` does neither, and its values do not distinguish `1` from `1.0`, or `[]`
--- from `{}`. The parser is as strict as the host, so that a text that it accepts can
--- be inserted into a line for the host.
local M = {}

--- How deep a payload may nest: the host accepts 2048 levels, of which the request uses two.
local DEPTH = 2046

---@class pushhost.Node
---@field kind string object, array, string, number, true, false or null
---@field from integer its first byte, counted from 1
---@field to integer its last byte
---@field members? table[] of an object, in order: name, from and to of the name, value
---@field items? pushhost.Node[] of an array

---@class pushhost.Mistake
---@field at integer the position of the byte
---@field message string

local function fail(at, message)
  error({ at = at, message = message }, 0)
end

local function skip(text, at)
  return text:find("[^ \t\r\n]", at) or #text + 1
end

local function found(text, at)
  local character = text:match("^[%z\1-\127\194-\244][\128-\191]*", at)
  if not character then
    return at > #text and "the end" or string.format("the byte 0x%02X", text:byte(at))
  end
  return character:find("%c") and string.format("the character U+%04X", character:byte()) or character
end

--- The sequences that UTF-8 allows, by their first byte.
local sequences = {
  "^[\194-\223][\128-\191]",
  "^\224[\160-\191][\128-\191]",
  "^[\225-\236\238\239][\128-\191][\128-\191]",
  "^\237[\128-\159][\128-\191]",
  "^\240[\144-\191][\128-\191][\128-\191]",
  "^[\241-\243][\128-\191][\128-\191][\128-\191]",
  "^\244[\128-\143][\128-\191][\128-\191]",
}

local function sequence_end(text, at)
  for _, sequence in ipairs(sequences) do
    local _, last = text:find(sequence, at)
    if last then
      return last
    end
  end
  fail(at, string.format("the byte 0x%02X is no UTF-8", text:byte(at)))
end

local function escape_end(text, at)
  if text:find('^["\\/bfnrt]', at + 1) then
    return at + 1
  end
  local unit = tonumber(text:match("^u(%x%x%x%x)", at + 1) or "", 16)
  if not unit then
    fail(at, "no such escape; a backslash itself is \\\\")
  end
  if unit < 0xD800 or unit > 0xDFFF then
    return at + 5
  end
  if unit >= 0xDC00 or not text:find("^\\u[dD][c-fC-F]%x%x", at + 6) then
    fail(at, "half of a surrogate pair")
  end
  return at + 11
end

local function scan_string(text, from)
  local at = from + 1
  while true do
    at = text:find('[%c"\\\128-\255]', at) or #text + 1
    local byte = text:byte(at)
    if byte == 34 then
      return { kind = "string", from = from, to = at }
    elseif byte == 92 then
      at = escape_end(text, at) + 1
    elseif not byte or byte == 10 or byte == 13 then
      fail(from, "the string is not closed on its line")
    elseif byte < 32 then
      fail(at, string.format("%s in a string must be written \\u%04x", found(text, at), byte))
    elseif byte == 127 then
      at = at + 1
    else
      at = sequence_end(text, at) + 1
    end
  end
end

--- Whether a number that is not an integer, given by its parts, is larger than any double.
local function is_too_large(digits, fraction, exponent)
  local value = tonumber(digits .. fraction .. exponent)
  if value then
    return math.abs(value) == math.huge
  end
  -- An exponent that Lua cannot read is decisive by itself, unless all digits are zeros.
  return (digits .. fraction):find("[1-9]") ~= nil and not exponent:find("-", 1, true)
end

local function scan_number(text, from)
  local digits = text:match("^%-?0", from) or text:match("^%-?[1-9]%d*", from)
  if not digits then
    fail(from, "a number needs a digit here")
  end
  local at = from + #digits
  local fraction = text:match("^%.%d+", at) or ""
  local exponent = text:match("^[eE][+-]?%d+", at + #fraction) or ""
  local to = at + #fraction + #exponent - 1
  if text:find("^[%w.+-]", to + 1) then
    fail(to + 1, "not part of a number: " .. found(text, to + 1))
  end
  if fraction .. exponent == "" then
    local negative, size = digits:match("^(%-?)(%d+)$")
    local limit = negative == "-" and "9223372036854775808" or "9223372036854775807"
    if #size > #limit or (#size == #limit and size > limit) then
      fail(from, "the integer has more than 64 bits")
    end
  elseif is_too_large(digits, fraction, exponent) then
    fail(from, "the number is too large")
  end
  return { kind = "number", from = from, to = to }
end

local scan_value

--- Reads the items between brackets.
local function scan_list(text, from, close, item)
  local at = skip(text, from + 1)
  if text:sub(at, at) == close then
    return at
  end
  while true do
    at = skip(text, item(at))
    local mark = text:sub(at, at)
    if mark == close then
      return at
    elseif mark ~= "," then
      fail(at, string.format("expected , or %s, found %s", close, found(text, at)))
    end
    local comma = at
    at = skip(text, at + 1)
    if text:sub(at, at) == close then
      fail(comma, "a comma before " .. close)
    end
  end
end

local function scan_object(text, from, depth)
  local members, seen = {}, {}
  local to = scan_list(text, from, "}", function(at)
    if text:sub(at, at) ~= '"' then
      fail(at, "expected a member's name in double quotes, found " .. found(text, at))
    end
    local name = scan_string(text, at)
    local key = M.string(text, name)
    if key:find("%z") then
      fail(at, "a member's name cannot hold U+0000")
    elseif seen[key] then
      fail(at, "the member " .. key .. " is there twice")
    end
    seen[key] = true
    local colon = skip(text, name.to + 1)
    if text:sub(colon, colon) ~= ":" then
      fail(colon, "expected : after the name, found " .. found(text, colon))
    end
    local value = scan_value(text, skip(text, colon + 1), depth + 1)
    table.insert(members, { name = key, from = name.from, to = name.to, value = value })
    return value.to + 1
  end)
  return { kind = "object", from = from, to = to, members = members }
end

local function scan_array(text, from, depth)
  local items = {}
  local to = scan_list(text, from, "]", function(at)
    local value = scan_value(text, at, depth + 1)
    table.insert(items, value)
    return value.to + 1
  end)
  return { kind = "array", from = from, to = to, items = items }
end

function scan_value(text, at, depth)
  if depth > DEPTH then
    fail(at, "it nests more than " .. DEPTH .. " deep")
  end
  local mark = text:sub(at, at)
  if mark == "{" then
    return scan_object(text, at, depth)
  elseif mark == "[" then
    return scan_array(text, at, depth)
  elseif mark == '"' then
    return scan_string(text, at)
  elseif mark:find("[%d-]") then
    return scan_number(text, at)
  end
  local word = text:match("^%a+", at)
  if word == "true" or word == "false" or word == "null" then
    return { kind = word, from = at, to = at + #word - 1 }
  end
  fail(at, "expected a value, found " .. (word or found(text, at)))
end

--- Parses a text that is one JSON value.
---@param text string
---@return pushhost.Node? root
---@return pushhost.Mistake? mistake what is wrong, if there is no root
function M.parse(text)
  local ok, result = pcall(function()
    local root = scan_value(text, skip(text, 1), 1)
    local rest = skip(text, root.to + 1)
    if rest <= #text then
      fail(rest, "expected nothing more, found " .. found(text, rest))
    end
    return root
  end)
  if ok then
    return result
  elseif type(result) == "table" then
    return nil, result
  end
  error(result, 0)
end

--- The bytes of a value in the text.
function M.raw(text, node)
  return text:sub(node.from, node.to)
end

--- The value of a string.
function M.string(text, node)
  local raw = M.raw(text, node)
  return raw:find("\\", 1, true) and vim.json.decode(raw) or raw:sub(2, -2)
end

--- The member of an object with that name, or nil.
function M.member(node, name)
  for _, member in ipairs(node and node.members or {}) do
    if member.name == name then
      return member
    end
  end
end

--- Follows a JSON Pointer as far as it leads.
---@param root pushhost.Node
---@param pointer string
---@return pushhost.Node node the value that it names, or the last one that exists on the path
---@return table? member the member that has the value, if it is in an object
---@return boolean exact whether the whole pointer was followed
function M.find(root, pointer)
  local node, member = root, nil
  for token in pointer:gmatch("/([^/]*)") do
    token = token:gsub("~1", "/"):gsub("~0", "~")
    local inner = M.member(node, token)
    local value = inner and inner.value
    if node.items and token:find("^%d+$") then
      value = node.items[tonumber(token) + 1]
    end
    if not value then
      return node, member, false
    end
    node, member = value, inner
  end
  return node, member, true
end

--- The line and the column of a byte, both from 0.
function M.position(text, at)
  local row, start = 0, 1
  while true do
    local line_end = text:find("\n", start, true)
    if not line_end or line_end >= at then
      return row, at - start
    end
    row, start = row + 1, line_end + 1
  end
end

return M
