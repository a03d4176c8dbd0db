-- Mistakes in payloads, reported at their positions.
local T = dofile(vim.env.PUSHHOST_ROOT .. "/Tests/Fixtures/neovim/harness.lua")
local severity = vim.diagnostic.severity

-- A diagnostic as "line:column-line:column severity message", lines and columns from 1, the end included.
local function described(buffer)
  local all = vim.diagnostic.get(buffer or 0)
  table.sort(all, function(a, b)
    return a.lnum == b.lnum and a.col < b.col or a.lnum < b.lnum
  end)
  return vim.tbl_map(function(one)
    T.equal(one.source, "pushhost", "source")
    local place = ("%d:%d-%d:%d"):format(one.lnum + 1, one.col + 1, one.end_lnum + 1, one.end_col)
    return place .. " " .. severity[one.severity]:lower() .. " " .. one.message
  end, all)
end

-- Checks a text and waits for the diagnostics.
local function check(text)
  local buffer = T.edit(text)
  local done = false
  require("pushhost.check").check(buffer, function()
    done = true
  end)
  T.wait("the check", function()
    return done
  end)
  return described(buffer)
end

local function json(name, text, wanted)
  T.case("No JSON: " .. name, function()
    T.equal(check(text), { wanted }, "diagnostics")
    T.equal(require("pushhost.host").is_running(), false, "a host for what is no JSON")
  end)
end

json("nothing", "", "1:1-1:1 error not valid JSON: expected a value, found the end")
json("a comma too many", '{\n  "aps": {"alert": "x",}\n}', "2:23-2:23 error not valid JSON: a comma before }")
json("a comma too few", '{\n  "a": 1\n  "aps": {}\n}', '3:3-3:3 error not valid JSON: expected , or }, found "')
json("a member twice", '{\n "aps": {},\n "a\\u0070s": {}}', "3:2-3:2 error not valid JSON: the member aps is there twice")
json("an open string", '{\n "aps": "x\n}', "2:9-2:9 error not valid JSON: the string is not closed on its line")
json("something after it", "{}\n{}", "2:1-2:1 error not valid JSON: expected nothing more, found {")

json(
  "a number beyond all",
  '{"aps":{},\n "n": -1e99999999999}',
  "2:7-2:7 error not valid JSON: the number is too large"
)

local function case(name, text, ...)
  local wanted = { ... }
  T.case(name, function()
    T.equal(check(text), wanted, "diagnostics")
    for _, bundle in ipairs(T.call("extensions").extensions) do
      T.equal(bundle.starts, 0, "starts of " .. bundle.identifier)
    end
    T.equal(T.call("notifications").notifications, {}, "notifications")
  end)
end

case("A good payload", '{"aps":{"alert":"x","category":"match_game"}}')
case(
  "No aps",
  '{\n  "braze_id": "ada"\n}',
  "1:1-1:1 error the payload needs a member aps with the alert and the category; "
    .. [[write {"aps":{"alert":"…","category":"…"}}]]
)
case("aps of a wrong type", '{\n  "aps": []\n}', "2:3-2:7 error aps must be an object, it is array; " .. [[write {"aps":{"alert":"…","category":"…"}}]])
case("No object", "[\n]", "1:1-1:1 error a payload is an object, it is array; " .. [[write {"aps":{"alert":"…","category":"…"}}]])
case(
  "Wrong types, each at its value",
  '{\n  "aps": {\n    "alert": 7,\n    "badge":\n      "x",\n    "category": "match_game"\n  },\n  "Braze_ID": "ada"\n}',
  "3:14-3:14 error alert must be a string or an object, it is 7 and is ignored; correct the value, or remove the member",
  "3:14-3:14 warn there is no text in title, subtitle or body, so a phone shows nothing and runs no extension; "
    .. 'add "alert" to aps',
  '5:7-5:9 error badge must be an integer, it is "x" and is ignored; correct the value, or remove the member',
  "8:15-8:19 error Braze_ID names no user: keys are case-sensitive, the key is braze_id; rename the key"
)
case(
  "An unknown category, with near misses",
  '{"aps": {\n  "alert": "é",   "category": "lab_regster",\n  "mutable-content": 1}}',
  "2:32-2:44 error no extension registered the category lab_regster; did you mean lab_register?"
)
case(
  "An unknown category that is like no other",
  '{"aps": {"alert": "x", "category": "\\u0022"}}',
  '1:36-1:43 warn no extension registered the category "; there are editor, lab_register, match_game'
)
case(
  "No category",
  '{\n  "aps": {"alert": "x"}\n}',
  "2:3-2:7 info the payload names no category, so no extension shows it; "
    .. 'add "category" to aps if an extension is meant to show it'
)
case(
  "More than 4096 bytes; spaces do not count",
  '{ "aps":   {"alert":"x","category":"match_game"},\n"fill":"' .. ("x"):rep(4090) .. '"}',
  "1:1-1:1 error the payload has 4145 bytes, Apple delivers at most 4096; the largest keys: fill 4099, aps 43; "
    .. "remove 49 bytes"
)
case("Fewer than 4096 bytes with many spaces", '{"aps":{"alert":"x","category":"match_game"}}' .. (" \n"):rep(4096))

T.case("Nothing is wrong in the payload of any example", function()
  local found = vim.fn.glob(T.root .. "/plugins/*/payload.apns", false, true)
  T.equal(#found >= 7, true, "examples: " .. #found)
  require("pushhost").setup({ args = { "--plugins", T.root .. "/plugins", "--data", T.data } })
  for _, path in ipairs(found) do
    local notes = check(table.concat(vim.fn.readfile(path), "\n"))
    -- With a profile a payload is a template, which a check does not render.
    if vim.fn.filereadable(vim.fn.fnamemodify(path, ":h") .. "/profile.json") == 1 then
      notes = vim.tbl_filter(function(note)
        return not note:find("the text holds Liquid", 1, true)
      end, notes)
    end
    T.equal(notes, {}, path)
  end
end)

case(
  "A text's key without a category, which nobody can have",
  '{"aps":{"alert":{"loc-key":"NONE"}}}',
  "1:2-1:6 info the payload names no category, so no extension shows it; "
    .. 'add "category" to aps if an extension is meant to show it',
  "1:28-1:33 warn no extension shows the notification, whose texts could have the key NONE, so the key itself is shown; "
    .. "correct the key, unless the app has the text"
)

T.case("A check starts no extension, a delivery does", function()
  local trace = vim.fn.tempname()
  T.equal(check(('{"aps":{"alert":"x","category":"editor"},"trace":"%s"}'):format(trace)), {}, "diagnostics")
  T.equal(vim.fn.filereadable(trace), 0, "a trace of the extension after the check")
  T.deliver()
  T.equal(vim.fn.filereadable(trace), 1, "a trace of the extension after the delivery")
end)

T.case("A delivery marks the refusal of the extension, and the next check marks what the bundle declares", function()
  local buffer = T.edit('{"aps":{"alert":"x","category":"lab_register"},\n  "cert_title": 7\n}')
  vim.cmd("PushDeliver")
  T.wait("a diagnostic", function()
    return #vim.diagnostic.get(buffer) > 0
  end)
  local text = "the key-value pair cert_title must be a string, it is 7 (integer)"
  T.equal(described(buffer), { "2:17-2:17 error " .. text }, "diagnostics")
  T.equal(#T.notes, 1, "notes")
  T.has(T.notes[1], "not delivered")
  T.equal(#vim.api.nvim_list_wins(), 1, "windows")
  vim.cmd("PushCheck")
  local declared = "cert_title must be a string, it is 7; Braze sends the value of every key-value pair as a string; "
    .. 'write "7"'
  T.wait("the finding", function()
    return vim.deep_equal(described(buffer), { "2:17-2:17 error " .. declared })
  end)
end)

T.case("What is delivered to the system is shown with the remarks", function()
  local source = T.edit('{"aps":{"alert":{"loc-key":"NONE"},\n  "category":"matchgame"}}')
  T.deliver()
  T.has(T.text(), "NONE")
  T.has(T.text(), "! no extension registered the category matchgame; did you mean match_game?")
  local found = described(source)
  T.equal(#found, 2, "diagnostics")
  T.has(found[1], "1:28-1:33 warn ")
  T.has(found[2], "2:14-2:24 warn no extension registered")
end)

T.case("No JSON is not delivered", function()
  T.edit('{"aps":}')
  vim.cmd("PushDeliver")
  T.equal(T.notes, { "pushhost: not delivered, not valid JSON: expected a value, found }" }, "notes")
  T.equal(described(), { "1:8-1:8 error not valid JSON: expected a value, found }" }, "diagnostics")
end)

T.case("An .apns file is JSON, and checked when it is written; another only once it was checked", function()
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, "p")
  T.edit("{}", folder .. "/other.json")
  vim.cmd("silent write")
  T.edit("{}", folder .. "/mistake.apns")
  vim.cmd("silent write | edit")
  T.equal(vim.bo.filetype, "json", "filetype")
  vim.cmd("silent write")
  T.wait("a diagnostic", function()
    return #vim.diagnostic.get(0) == 1
  end)
  local other = vim.fn.bufnr(folder .. "/other.json")
  T.equal(vim.diagnostic.get(other), {}, "diagnostics of a file that may be no payload")
  vim.cmd("silent buffer " .. other .. " | PushCheck")
  T.wait("its diagnostic", function()
    return #vim.diagnostic.get(0) == 1
  end)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { '{"aps":{"alert":"x","category":"editor"}}' })
  vim.cmd("silent write")
  T.wait("none", function()
    return #vim.diagnostic.get(0) == 0
  end)
end)

T.run()
