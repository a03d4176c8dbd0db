-- Payloads in the browser, with the real `pushhost preview`.
local T = dofile(vim.env.PUSHHOST_ROOT .. "/Tests/Fixtures/neovim/harness.lua")
local browse = require("pushhost.browse")
local uv = vim.loop

local PAYLOAD = '{"aps":{"alert":"Hello from a file","category":"editor"}}'

-- The URLs that the plugin opened.
local opened = {}
vim.ui.open = function(url)
  table.insert(opened, url)
end

-- Edits a new file with a payload, and returns its name.
local function file()
  opened = {}
  local name = vim.fn.tempname() .. ".apns"
  vim.fn.writefile({ PAYLOAD }, name)
  vim.cmd("silent only | edit " .. name)
  return name
end

local function browses(count)
  vim.cmd("PushBrowse")
  T.wait("the browser", function()
    return #opened == count
  end)
end

-- What the browser would get.
local function page(url)
  return vim.fn.system({ "python3", "-c", "import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).read())", url })
end

local function stops()
  local pids = browse.pids()
  vim.cmd("PushStop")
  for _, pid in ipairs(pids) do
    T.ends(pid)
  end
end

T.case("PushBrowse opens the page of a preview, and the same page for the same file", function()
  file()
  browses(1)
  T.has(page(opened[1]), "<!doctype html>")
  T.equal(#browse.pids(), 1, "processes")
  browses(2)
  T.equal(opened[2], opened[1], "the page")
  T.equal(#browse.pids(), 1, "processes")
  T.has(T.notes[1], "pushhost: the browser shows http://127.0.0.1:")
  stops()
  T.equal(#browse.pids(), 0, "processes")
end)

T.case("Each file has a page of its own, also from the split of what was delivered", function()
  file()
  local first = opened
  T.deliver()
  browses(1)
  first = opened[1]
  file()
  browses(1)
  T.equal(opened[1] ~= first, true, "another page")
  T.equal(#browse.pids(), 2, "processes")
  stops()
end)

T.case("A buffer without a file is not shown; one with changes is, with a note", function()
  opened = {}
  T.edit(PAYLOAD)
  vim.cmd("PushBrowse")
  T.equal(T.notes, { "pushhost: write this payload to a file first: the browser shows the file" }, "notes")
  file()
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { "" })
  browses(1)
  T.equal(T.notes[2], "pushhost: the browser shows the changes of this buffer once it is written", "notes")
  stops()
  vim.cmd("silent edit!")
end)

T.case("A preview that cannot be started, and one that ends by itself, is told with its reason", function()
  file()
  require("pushhost").setup({ cmd = "/nowhere/pushhost" })
  vim.cmd("PushBrowse")
  T.has(T.notes[1], "cannot start /nowhere/pushhost: it is not executable; set cmd")
  require("pushhost").setup({ cmd = T.program, args = { "--plugins", "/nowhere/plugins" } })
  vim.cmd("PushBrowse")
  T.wait("the news", function()
    return #T.notes > 1
  end)
  T.has(T.notes[2], "the preview ended with code ")
  T.has(T.notes[2], "/nowhere/plugins")
  T.equal(#browse.pids(), 0, "processes")
end)

T.case("A preview ends with its Neovim", function()
  local job, pid = T.another({
    "vim.ui.open = function() io.stdout:write(require('pushhost.browse').pids()[1], ';'); io.stdout:flush() end",
    "vim.cmd('edit " .. file() .. " | PushBrowse')",
  })
  T.equal(uv.kill(pid, 0), 0, "the preview runs")
  uv.kill(vim.fn.jobpid(job), "sigterm")
  T.ends(pid)
end)

T.run()
