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

local function marks(wanted, buffer)
  local found = vim.wait(20000, function()
    return vim.deep_equal(described(buffer), wanted)
  end, 10)
  if not found then
    T.equal(described(buffer), wanted, "diagnostics")
  end
end

-- A new buffer with a name and a text, which is not written.
local function edit(text)
  return T.edit(text, vim.fn.tempname() .. ".json")
end

local function replace(text)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { text })
end

local UNKNOWN = '{"aps":{"alert":"x","category":"lab_regster"}}'
local MARK = "1:32-1:44 error no extension registered the category lab_regster; did you mean lab_register?"

T.case("Mistakes are marked as they are typed, at their characters, and lenses are shown", function()
  edit(UNKNOWN)
  vim.cmd("PushCheck")
  marks({ MARK })
  T.wait("the lenses", function()
    return #vim.lsp.codelens.get(0) == 4
  end)
  replace('{"aps":{"alert":"é",,"category":"lab_register"}}')
  T.wait("the mark of the comma", function()
    return #described() == 1 and described()[1]:find("^1:21%-1:22 error it is not JSON") or described()[1]
  end)
  replace('{"aps":{"alert":"é", "category":"lab_register"}}')
  marks({})
  T.equal(require("pushhost.host").is_running(), false, "a host that delivers")
end)

T.case("Nothing is wrong in the payload of any example", function()
  local found = vim.fn.glob(T.root .. "/plugins/*/payload.apns", false, true)
  T.equal(#found >= 7, true, "examples: " .. #found)
  require("pushhost").setup({ args = { "--plugins", T.root .. "/plugins", "--data", T.data } })
  edit(UNKNOWN)
  vim.cmd("PushCheck")
  marks({ MARK })
  for _, path in ipairs(found) do
    -- With a profile a payload is a template, whose Liquid is marked.
    if vim.fn.filereadable(vim.fn.fnamemodify(path, ":h") .. "/profile.json") == 0 then
      local text = table.concat(vim.fn.readfile(path), "\n")
      vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, "\n"))
      marks({})
      replace(UNKNOWN)
      marks({ MARK })
    end
  end
end)

T.case("A check starts no extension, a delivery does", function()
  local trace = vim.fn.tempname()
  edit(('{"aps":{"alert":"x","category":"editr"},"trace":"%s"}'):format(trace))
  vim.cmd("PushCheck")
  T.wait("a mark", function()
    return #described() == 1
  end)
  replace(('{"aps":{"alert":"x","category":"editor"},"trace":"%s"}'):format(trace))
  marks({})
  T.equal(vim.fn.filereadable(trace), 0, "a trace of the extension after the check")
  T.deliver()
  T.equal(vim.fn.filereadable(trace), 1, "a trace of the extension after the delivery")
end)

T.case("A delivery marks the refusal of the extension until the text changes", function()
  local buffer = edit('{"aps":{"alert":"x","category":"lab_register"},\n "e":"🌈", "cert_title": 7\n}')
  vim.cmd("PushCheck")
  local text = "cert_title must be a string, it is 7"
  T.wait("the server's mark", function()
    return #described() == 1 and described()[1]:find(text, 1, true)
  end)
  vim.cmd("PushDeliver")
  local refusal = "2:14-2:25 error the key-value pair cert_title must be a string, it is 7 (integer)"
  T.wait("the refusal", function()
    return vim.tbl_contains(described(buffer), refusal)
  end)
  T.equal(#described(buffer), 2, "marks")
  T.equal(#T.notes, 1, "notes")
  T.has(T.notes[1], "not delivered")
  T.equal(#vim.api.nvim_list_wins(), 1, "windows")
  T.keys("ggO<Esc>")
  vim.cmd("doautocmd <nomodeline> TextChanged")
  T.wait("the server's mark alone", function()
    return #described(buffer) == 1 and described(buffer)[1]:find(text, 1, true)
  end)
end)

T.case("What is delivered to the system is shown with the remarks", function()
  T.edit('{"aps":{"alert":{"loc-key":"NONE"},\n  "category":"matchgame"}}')
  T.deliver()
  T.has(T.text(), "NONE")
  T.has(T.text(), "! no extension registered the category matchgame; did you mean match_game?")
end)

for text, problem in pairs({
  ['{\n"aps":}'] = "line 2: it is not JSON: the value is missing",
  [""] = "it is not JSON",
  ['{"aps":{}}, "x": {"aps":{}}'] = "line 1: it is not JSON",
  ['{"aps":{"alert":"a\nb"}}'] = "line 1: it is not JSON",
  ['{"aps":{},"aps":{}}'] = "duplicate",
}) do
  T.case("No JSON is not delivered: " .. vim.inspect(text), function()
    T.edit(text)
    vim.cmd("PushDeliver")
    T.wait("the refusal", function()
      return #T.notes == 1
    end)
    T.has(T.notes[1], "pushhost: not delivered: ")
    T.has(T.notes[1], problem)
    T.equal(#vim.api.nvim_list_wins(), 1, "windows")
  end)
end

T.case("An .apns file is JSON and checked from the start; another once that was asked; one without a name never", function()
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, "p")
  vim.fn.writefile({ UNKNOWN }, folder .. "/mistake.apns")
  vim.cmd("edit " .. folder .. "/mistake.apns")
  T.equal(vim.bo.filetype, "json", "filetype")
  marks({ MARK })
  vim.fn.writefile({ '{"x":1}' }, folder .. "/other.json")
  vim.cmd("edit " .. folder .. "/other.json")
  T.equal(described(), {}, "diagnostics of a file that may be no payload")
  vim.cmd("PushCheck")
  T.wait("its mark", function()
    return #described() == 1
  end)
  T.edit(UNKNOWN)
  vim.cmd("PushCheck")
  T.equal(T.notes, { "pushhost: name this buffer first, such as with :file payload.apns" }, "notes")
end)

T.case("All payloads have one server, and a program that is not there is named", function()
  local pids = {}
  for _ = 1, 2 do
    edit(UNKNOWN)
    vim.cmd("PushCheck")
    marks({ MARK })
  end
  local clients = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
  local buffers = vim.tbl_map(function(client)
    return client.config.cmd
  end, clients)
  for _, command in ipairs(buffers) do
    pids[table.concat(command, " ")] = true
  end
  T.equal(vim.tbl_count(pids), #clients, "one server for each command line")
  require("pushhost").setup({ cmd = "/nowhere/pushhost" })
  vim.cmd("PushCheck")
  T.has(T.notes[1], "cannot start /nowhere/pushhost: it is not executable; set cmd")
end)

T.run()
