-- The example extensions, shown and operated in a split.
local T = dofile(vim.env.PUSHHOST_ROOT .. "/Tests/Fixtures/neovim/harness.lua")

local function payload(name)
  return table.concat(vim.fn.readfile(T.root .. "/plugins/" .. name .. "/payload.apns"), "\n")
end

local faces = { "angry", "heart-eyes", "tears-of-joy", "rainbow", "pensive", "stunned" }

T.case("An unsaved payload is delivered and the board is drawn; no card tells its face", function()
  local source = T.edit((payload("match-game"):gsub('"Ada"', '"Grace"')))
  local buffer = T.deliver()
  local text = T.text()
  T.has(text, "Find the pairs")
  T.has(text, "Hi Grace")
  T.has(text, "Attempts: 0")
  for _, face in ipairs(faces) do
    T.lacks(text, face)
  end
  T.equal(vim.bo[source].modified, true, "the payload is unsaved")
  T.equal(vim.bo[buffer].modifiable, false, "modifiable")
  T.equal(vim.diagnostic.get(source), {}, "diagnostics")
  local namespace = vim.api.nvim_get_namespaces()["pushhost-preview"]
  local marks = vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, { details = true })
  local backs = vim.tbl_filter(function(mark)
    local covered = vim.api.nvim_buf_get_text(buffer, mark[2], mark[3], mark[2], mark[4].end_col, {})[1]
    return mark[4].hl_group == "PushhostDim" and covered:find("^░")
  end, marks)
  T.equal(#backs, 12, "cards that lie face down")
end)

T.case("Keys go to a card and turn it; the cursor stays on it", function()
  T.edit(payload("match-game"))
  T.deliver()
  T.keys("<Tab><Tab><CR>")
  local function shown()
    return vim.tbl_filter(function(face)
      return T.text():find(face, 1, true)
    end, faces)
  end
  T.wait("a card's face", function()
    return #shown() == 1
  end)
  local column = vim.api.nvim_win_get_cursor(0)[2]
  T.has(vim.api.nvim_get_current_line():sub(column + 1, column + 26), shown()[1])
  T.keys("<CR>")
  T.shows("is already face up")
  T.keys("<S-Tab><CR>")
  T.shows("Attempts: 1")
end)

T.case("A form is filled in, its button pressed by number, its end by Enter", function()
  T.edit(payload("register"))
  T.deliver()
  T.has(T.text(), "│ E-mail")
  T.keys("1")
  T.shows("there is no action 1")
  T.go("E-mail")
  T.answer("ada@example.com")
  T.keys("<CR>")
  T.shows("│ ada@example.com")
  T.equal(T.asked, { prompt = "E-mail: ", default = "" }, "the question")
  T.has(T.text(), "1  Register  authenticationRequired")
  T.keys("1")
  T.shows("Thanks for registering!")
  T.go("Close")
  T.keys("<CR>")
  T.shows("not shown any more: dismiss after CLOSE")
  T.keys("<CR>")
  T.shows(":PushDeliver shows it again")
end)

T.case("A field is emptied, and whoever takes the question back changes nothing", function()
  T.edit(payload("register"))
  T.deliver()
  T.go("E-mail")
  T.answer("ada@example.com")
  T.keys("<CR>")
  T.shows("1  Register")
  T.answer(nil)
  T.keys("<CR>")
  T.equal(T.asked.default, "ada@example.com", "the default")
  T.has(T.text(), "│ ada@example.com")
  T.keys("<BS>")
  T.shows("│ E-mail")
  T.lacks(T.text(), "1  Register")
end)

-- Leaves three records in the suite.
local function register()
  T.edit(payload("register"))
  T.deliver()
  T.go("E-mail")
  T.answer("ada@example.com")
  T.keys("<CR>")
  T.shows("1  Register")
  T.keys("1")
  T.shows("Thanks")
end

local function records(command)
  vim.cmd("silent only")
  vim.cmd(command)
  T.wait("the records", function()
    return vim.api.nvim_buf_get_name(0) == "pushhost://records"
  end)
end

T.case("Pending records are listed as they stand, then flushed into the window", function()
  register()
  T.call("saveCustomEvent", '{"name":"Typed","properties":{"a":1.0,"b":[],"c":{},"d":9007199254740993}}')
  records("PushPending")
  T.shows("group.com.example.pushhost: 3 pending")
  T.shows("standard: 1 pending")
  local text = T.text()
  T.has(text, "Registered for Certification")
  T.has(text, 'Certification Registration Email = "ada@example.com"')
  T.has(text, 'email = "ada@example.com"')
  T.has(text, '{"braze_id":"ada"}')
  T.has(text, 'Typed {"a":1.0,"b":[],"c":{},"d":9007199254740993}')
  records("PushPending standard")
  T.wait("one suite alone", function()
    return not T.text():find("group.com.example", 1, true)
  end)
  vim.cmd("PushFlush")
  T.shows("group.com.example.pushhost: 3 flushed, 0 remaining")
  T.has(T.text(), "logCustomEvent")
  T.has(T.text(), '"name":"Registered for Certification"')
  T.wait("the end of the flush", function()
    return T.text():find("standard: 1 flushed", 1, true) and T.call("pending").total == 0
  end)
  T.equal(T.call("pending", { suite = "group.com.example.pushhost" }).total, 0, "pending")
  vim.cmd("PushFlush")
  T.shows("nothing is pending")
end)

T.case("The window for records has its key again after its buffer was deleted", function()
  records("PushPending")
  vim.cmd("bdelete")
  records("PushPending")
  T.shows("there are no suites")
  T.equal({ vim.bo.buftype, vim.bo.modifiable, vim.bo.modified }, { "nofile", false, false }, "options")
  vim.cmd("silent edit")
  T.shows("there are no suites")
  T.keys("q")
  T.equal(#vim.api.nvim_list_wins(), 1, "windows")
end)

T.case("The window for records holds no payload", function()
  records("PushPending")
  local wanted = {}
  for _, command in ipairs({ "PushDeliver", "PushCheck" }) do
    vim.cmd(command)
    table.insert(wanted, "pushhost: this buffer lists records; deliver or check from the buffer of a payload")
  end
  vim.cmd("PushDismiss")
  table.insert(wanted, "pushhost: nothing was delivered from this buffer")
  T.equal(T.notes, wanted, "notes")
  T.equal(vim.diagnostic.get(0), {}, "diagnostics")
end)

T.case("A destination that is not there is told also where nothing is pending, a word too many always", function()
  records("PushFlush nobody")
  T.shows('there is no destination "nobody"; there are caller, file')
  vim.cmd("PushFlush file")
  T.shows("nothing is pending")
  for command, wanted in pairs({
    ["PushPending a b"] = "PushPending accepts no more than a suite",
    ["PushFlush file a b"] = "PushFlush accepts no more than a destination and a suite",
  }) do
    local ok, problem = pcall(vim.cmd, command)
    T.equal({ ok, T.notes[#T.notes] or problem }, { true, "pushhost: " .. wanted })
  end
end)

T.case("Records are delivered to a destination, and one that is not there is told", function()
  register()
  vim.cmd("PushFlush nobody")
  T.shows("nobody", vim.fn.bufnr("pushhost://records"))
  T.equal(T.call("pending", { suite = "group.com.example.pushhost" }).total, 3, "pending")
  records("PushFlush file")
  T.shows("group.com.example.pushhost to file: 3 delivered, 0 rejected")
  T.equal(#vim.fn.readfile(T.data .. "/delivered.jsonl"), 3, "lines of the file")
  T.equal(T.call("pending", { suite = "group.com.example.pushhost" }).total, 0, "pending")
end)

T.run()
