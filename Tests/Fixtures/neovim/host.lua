-- The lifetime of the host's process relative to Neovim's.
local T = dofile(vim.env.PUSHHOST_ROOT .. "/Tests/Fixtures/neovim/harness.lua")
local host = require("pushhost.host")
local uv = vim.loop

local GOOD = '{"aps":{"alert":"x","category":"editor"}}'

local function is_alive(pid)
  return uv.kill(pid, 0) == 0
end

T.case("A host that cannot be started is told, by delivery and by check", function()
  require("pushhost").setup({ cmd = "/nowhere/pushhost" })
  T.edit(GOOD, "payload.json")
  vim.cmd("PushDeliver")
  T.equal(#T.notes, 1, "notes")
  T.has(T.notes[1], "cannot start /nowhere/pushhost: it is not executable; set cmd")
  vim.cmd("PushCheck")
  T.equal(#T.notes, 2, "notes")
  T.has(T.notes[2], "pushhost: cannot start /nowhere/pushhost: it is not executable; set cmd")
end)

T.case("A host that ends at once is told with the end of its stderr", function()
  T.host("--nonsense")
  T.edit(GOOD)
  vim.cmd("PushDeliver")
  T.wait("the news", function()
    return #T.notes > 0
  end)
  T.has(T.notes[1], "the host ended with code 64; its stderr ends with:\n")
  T.has(T.notes[1], "--nonsense")
end)

T.case("A host that is killed takes what it showed with it; the next delivery starts another", function()
  T.edit(GOOD)
  T.deliver()
  uv.kill(host.pid(), "sigkill")
  T.shows("not shown any more: the host ended with code 137")
  T.lacks(T.text(), "opened")
  T.equal(#T.notes, 1, "notes")
  vim.cmd("PushDeliver")
  T.hides("not shown any more")
end)

T.case("PushStop ends it in order, PushStop! at once, and neither is news", function()
  for _, command in ipairs({ "PushStop", "PushStop!" }) do
    T.edit(GOOD)
    T.deliver()
    local pid = host.pid()
    vim.cmd(command)
    T.ends(pid)
    T.shows("not shown any more: the host ended with code " .. (command == "PushStop" and 0 or 143))
  end
  T.wait("no host", function()
    return not host.is_running()
  end)
  T.equal(T.notes, {}, "notes")
  vim.cmd("PushStop")
  T.equal(T.notes, { "pushhost: the host is not running" }, "notes")
end)

T.case("PushReload loads changed extensions again and says which, PushReload! loads all", function()
  vim.cmd("PushReload")
  T.equal(T.notes, { "pushhost: the host does not run; it loads the extensions when it starts" }, "notes")
  T.edit(GOOD)
  T.deliver()
  vim.cmd("PushReload")
  T.wait("the second note", function()
    return #T.notes > 1
  end)
  T.equal(T.notes[2], "pushhost: reloaded: no extension changed", "notes")
  vim.cmd("PushReload!")
  T.wait("the third note", function()
    return #T.notes > 2
  end)
  T.has(T.notes[3], "pushhost: reloaded: changed ")
  T.has(T.notes[3], "editor")
  T.shows("not shown any more: ")
end)

T.case("What comes after PushStop goes to another host, while the first one finishes what it has", function()
  local gate = T.gate()
  T.edit(('{"aps":{"alert":"x","category":"editor"},"gate":"%s"}'):format(gate.path))
  vim.cmd("PushDeliver")
  local first = host.pid()
  vim.cmd("PushStop | PushPending")
  T.equal(host.pid() ~= first, true, "another host")
  T.shows("there are no suites")
  T.equal(is_alive(first), true, "the first host waits at the gate")
  gate.open()
  T.shows("not shown any more: the host ended with code 0")
  T.has(T.text(), "│ two ")
  T.ends(first)
  vim.cmd("PushDeliver")
  gate.open()
  T.hides("not shown any more")
  T.equal(T.notes, {}, "notes")
end)

T.case("PushStop and PushDeliver show the notification again, and the end of the first host leaves it alone", function()
  T.edit(GOOD)
  T.deliver()
  local first = host.pid()
  -- Both hosts create the same ids, because they have the same seed.
  vim.cmd("PushStop | PushDeliver")
  T.ends(first)
  T.wait("a notification in the second host", function()
    return #T.call("notifications").notifications == 1
  end)
  T.shows("Refuse")
  T.hides("not shown any more")
  T.go("A note")
  T.answer("x")
  T.keys("<CR>")
  T.shows("You noted x")
  T.equal(T.notes, {}, "notes")
end)

T.case("PushStop! ends at once also a host that finishes what it has", function()
  T.edit(('{"aps":{"alert":"x","category":"editor"},"gate":"%s"}'):format(T.gate().path))
  vim.cmd("PushDeliver")
  local pid = host.pid()
  vim.cmd("PushStop | PushStop")
  T.equal(T.notes, { "pushhost: the host is finishing its requests; :PushStop! ends it at once" }, "notes")
  vim.cmd("PushStop!")
  T.ends(pid)
end)

T.case("A flush that is under way is finished before the host ends", function()
  T.call("saveCustomEvent", { name = "One" })
  T.call("saveCustomEvent", { name = "Two", suite = "group.com.example.two" })
  local pid = host.pid()
  vim.cmd("PushFlush | PushStop")
  T.ends(pid)
  T.shows("standard: 1 flushed, 0 remaining")
  T.shows("group.com.example.two: 1 flushed, 0 remaining")
  T.equal(host.is_running(), false, "another host")
end)

-- Starts another Neovim that delivers a payload, and returns its process and its host's.
local function another()
  return T.another({
    "T.edit(" .. vim.inspect(GOOD) .. ")",
    "T.deliver()",
    "io.stdout:write(require('pushhost.host').pid(), ';')",
    "io.stdout:flush()",
  })
end

T.case("A host ends with its Neovim, also with one that is killed", function()
  for _, signal in ipairs({ "sigterm", "sigkill" }) do
    local job, pid = another()
    T.equal(is_alive(pid), true, "the host runs")
    uv.kill(vim.fn.jobpid(job), signal)
    T.ends(pid)
  end
end)

T.case("The help names every command, key, option and highlight", function()
  local folder = T.root .. "/protocol/clients/neovim/"
  local help = table.concat(vim.fn.readfile(folder .. "doc/pushhost.txt"), "\n")
  local count = 0
  for name in pairs(vim.api.nvim_get_commands({})) do
    if name:find("^Push") then
      count = count + 1
      T.has(help, "*:" .. name .. "*")
    end
  end
  T.equal(count, 8, "commands")
  T.edit(GOOD)
  local keys = vim.api.nvim_buf_get_keymap(T.deliver(), "n")
  T.equal(#keys, 20, "keys")
  local written = { ["<S-Tab>"] = "<Tab>  <S-Tab>", ["<lt>"] = "<", [">"] = "<  >" }
  for _, key in ipairs(keys) do
    local found = key.lhs:find("^%d$") and "1 to 9" or key.lhs
    T.has(help, "\n" .. (written[found] or found) .. " ")
  end
  for name, value in pairs(require("pushhost.config")) do
    if type(value) ~= "function" then
      T.has(help, "\n`" .. name .. "`")
    end
  end
  for _, line in ipairs(vim.fn.readfile(folder .. "lua/pushhost/highlights.lua")) do
    local name = line:match('^  (%u%a+) = "')
    if name then
      T.has(help, "Pushhost" .. name)
    end
  end
end)

T.case("An option that is none or of a wrong type is refused", function()
  local pushhost = require("pushhost")
  local ok, problem = pcall(pushhost.setup, { comand = "x" })
  T.equal(ok, false)
  T.has(problem, "there is no option comand")
  ok, problem = pcall(pushhost.setup, { args = "--plugins x" })
  T.equal(ok, false)
  T.has(problem, "args: expected table, got string")
end)

T.case("The suites are in a temporary folder unless an option says where they are", function()
  require("pushhost").setup({ cmd = T.program, args = { "--plugins", T.root .. "/Tests/Fixtures/neovim/editor" } })
  local data = T.call("status").data
  T.has(data, "/pushhost-suites-")
  T.equal(vim.fn.isdirectory(data), 1, "the folder")
  host.stop()
  T.wait("the end of the folder", function()
    return vim.fn.isdirectory(data) == 0
  end)
  local kept = vim.fn.tempname()
  require("pushhost").setup({ cmd = T.program, args = { "--data=" .. kept } })
  T.equal(T.call("status").data, kept, "the folder that an option names")
end)

T.run()
