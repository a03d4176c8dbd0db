-- Runs the cases of a file in this Neovim and prints one line for each; the exit code says whether all passed.
local T = { root = vim.env.PUSHHOST_ROOT, program = vim.env.PUSHHOST_PROGRAM, notes = {} }
local cases = {}

-- The timeout for an expected event in milliseconds; shorter than the reader of the output waits for a line.
local PATIENCE = 20000

vim.opt.runtimepath:prepend(T.root .. "/protocol/clients/neovim")
vim.cmd("filetype on")
-- A split has room for all columns of a drawing.
vim.o.columns = 160
vim.cmd("runtime plugin/pushhost.lua")

vim.notify = function(text)
  table.insert(T.notes, text)
end

function T.case(name, body)
  table.insert(cases, { name = name, body = body })
end

-- Waits until a condition is true, and returns its value.
function T.wait(what, condition)
  local value
  vim.wait(PATIENCE, function()
    value = condition()
    return value
  end, 10)
  if not value then
    error("waited in vain: " .. what .. "\n" .. T.state(), 2)
  end
  return value
end

function T.equal(found, wanted, what)
  if not vim.deep_equal(found, wanted) then
    local text = "%s: found %s, wanted %s\n%s"
    error(text:format(what or "a value", vim.inspect(found), vim.inspect(wanted), T.state()), 2)
  end
end

-- Checks that a text contains a plain substring, or does not.
function T.has(text, part)
  if not text:find(part, 1, true) then
    error(("%q is not in:\n%s"):format(part, text), 2)
  end
end

function T.lacks(text, part)
  if text:find(part, 1, true) then
    error(("%q is in:\n%s"):format(part, text), 2)
  end
end

-- The text of a buffer.
function T.text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false), "\n")
end

-- Details for a failure's message.
function T.state()
  return ("%s:\n%s\nnotes: %s"):format(vim.api.nvim_buf_get_name(0), T.text(), vim.inspect(T.notes))
end

-- Presses keys like a user.
function T.keys(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), "xt", false)
end

-- Puts the cursor on a text.
function T.go(text)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  if vim.fn.search("\\V" .. vim.fn.escape(text, "\\"), "cW") == 0 then
    error(("%q is not in:\n%s"):format(text, T.text()), 2)
  end
end

-- Answers the next prompt, and records the question.
function T.answer(text)
  vim.ui.input = function(question, answer)
    T.asked = question
    answer(text)
  end
end

-- Creates an unsaved buffer with a text in the only window.
function T.edit(text, name)
  vim.cmd("silent only | enew!")
  if name then
    vim.api.nvim_buf_set_name(0, name)
  end
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, "\n", { plain = true }))
  return vim.api.nvim_get_current_buf()
end

-- Delivers the current buffer and waits until the cursor is in its split, and the notification is drawn there.
function T.deliver()
  local before = {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    before[buffer] = vim.api.nvim_buf_get_changedtick(buffer)
  end
  vim.cmd("PushDeliver")
  T.wait("the split", function()
    local buffer = vim.api.nvim_get_current_buf()
    local is_drawn = T.text() ~= "" and vim.api.nvim_buf_get_changedtick(buffer) ~= before[buffer]
    return vim.api.nvim_buf_get_name(buffer):find("^pushhost://%d") and is_drawn
  end)
  return vim.api.nvim_get_current_buf()
end

-- Waits for a text in a buffer.
function T.shows(text, buffer)
  T.wait(("%q in the buffer"):format(text), function()
    return T.text(buffer):find(text, 1, true)
  end)
end

-- Waits until a buffer no longer contains a text.
function T.hides(text, buffer)
  T.wait(("no %q in the buffer"):format(text), function()
    return not T.text(buffer):find(text, 1, true)
  end)
end

-- Calls the plugin's host and returns the result.
function T.call(method, params)
  local reply
  require("pushhost.host").request(method, params, function(problem, result)
    reply = { problem = problem, result = result }
  end)
  T.wait(method, function()
    return reply
  end)
  return reply.result or error(vim.inspect(reply.problem), 2)
end

-- Starts another Neovim that runs lines of Lua after those that set it up, and returns its job and the number that they
-- write to stdout before a semicolon.
function T.another(lines)
  local script, told = vim.fn.tempname(), ""
  local setup = { "local T = dofile(vim.env.PUSHHOST_ROOT .. '/Tests/Fixtures/neovim/harness.lua')", "T.host()" }
  vim.fn.writefile(vim.list_extend(setup, lines), script)
  local command = { vim.v.progpath, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile " .. script }
  local job = vim.fn.jobstart(command, {
    on_stdout = function(_, data)
      told = told .. table.concat(data, "\n")
    end,
  })
  T.wait("the other Neovim", function()
    return told:find("%d;")
  end)
  return job, tonumber(told:match("(%d+);"))
end

-- Waits until a process exits.
function T.ends(pid)
  T.wait("the end of process " .. pid, function()
    return vim.loop.kill(pid, 0) ~= 0
  end)
end

-- A named pipe at which a delivery or a call waits until it is opened; the payload contains its path.
function T.gate()
  local gate = { path = vim.fn.tempname() }
  vim.fn.system({ "mkfifo", gate.path })
  -- Opened for reading and writing, so that neither end waits for the other one.
  local pipe = assert(io.open(gate.path, "r+"))
  function gate.open()
    pipe:write("open\n")
    pipe:flush()
  end
  return gate
end

-- Ends the running host, if any, and sets the options of the next one.
function T.host(...)
  local host = require("pushhost.host")
  local pid = host.pid()
  if pid then
    host.stop()
    T.ends(pid)
  end
  T.data = vim.fn.tempname()
  local args = { "--data", T.data, "--seed", "1", "--clock", "2026-01-01T00:00:00Z" }
  for _, bundle in ipairs({ "plugins/match-game", "plugins/register", "Tests/Fixtures/neovim/editor" }) do
    vim.list_extend(args, { "--plugins", T.root .. "/" .. bundle })
  end
  require("pushhost").setup({ cmd = T.program, args = vim.list_extend(args, { ... }) })
end

-- Runs all cases and exits.
function T.run()
  local failures = 0
  for _, case in ipairs(cases) do
    T.notes, vim.v.errmsg = {}, ""
    local ok, problem = xpcall(function()
      T.host()
      case.body()
      -- A failure in a callback is reported nowhere else.
      T.equal(vim.v.errmsg, "", "v:errmsg")
    end, debug.traceback)
    failures = failures + (ok and 0 or 1)
    io.stdout:write(ok and "ok " or "not ok ", case.name, ok and "" or ": " .. problem, "\n")
    io.stdout:flush()
  end
  io.stdout:write("ran ", #cases, "\n")
  io.stdout:flush()
  vim.cmd(failures == 0 and "qall!" or "cquit")
end

return T
