--- Lists and flushes the pending records of suites.
local host = require("pushhost.host")
local window = require("pushhost.window")

local M = {}

--- How many records of a suite are listed.
local LIMIT = 200
--- How many seconds the lease of flushed records lasts: if they are not listed until then, they are pending again.
local LEASE = 60

local namespace = vim.api.nvim_create_namespace("pushhost-records")
local buffer
---@type table[][] lines of spans
local shown

local function fill(made)
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = made, nowait = true, silent = true })
  window.paint(made, namespace, shown)
end

local function gone()
  buffer = nil
end

--- Shows blocks of lines in the window for records.
local function show(blocks)
  shown = {}
  for _, block in ipairs(blocks) do
    vim.list_extend(shown, block)
  end
  if buffer then
    window.restore_or_delete(buffer)
  end
  if buffer then
    window.paint(buffer, namespace, shown)
  else
    buffer = window.buffer("pushhost://records", fill, gone)
  end
  window.open(buffer, true)
end

--- Whether a buffer is the one that lists records.
function M.is_shown_in(other)
  return other == buffer
end

local function heading(text)
  return window.text(text, "title")
end

local function note(text)
  return window.text("  " .. text, "dim")
end

--- The members of an object or the items of an array, as they stand in the text of a reply: decoded numbers lose their
--- types and digits.
---@return string[]
local function parts(text)
  -- Strings are blotted out, so that every bracket and comma is one of the structure.
  local blank = text:gsub("\\.", "__"):gsub('"[^"]*"', function(string)
    return ("_"):rep(#string)
  end)
  local found, depth, start = {}, 0, 2
  for at, mark in blank:gmatch("()([%[%]{},])") do
    if mark == "[" or mark == "{" then
      depth = depth + 1
    elseif depth == 1 and start < at then
      table.insert(found, text:sub(start, at - 1))
      start = at + 1
    end
    if mark == "]" or mark == "}" then
      depth = depth - 1
    end
  end
  return found
end

--- The values of an object by their names, as text.
local function members(text)
  local found = {}
  for _, member in ipairs(parts(text)) do
    local name, value = member:match('^"([^"]*)":(.*)$')
    found[name] = value
  end
  return found
end

--- The items of an array of the result in a reply, as text.
local function items(line, name)
  return parts(members(members(line).result)[name])
end

--- A string in one line without quotes, any other value as it stands.
local function plain(value)
  return value and value:find('^"') and window.inline(vim.json.decode(value)) or value or ""
end

local kinds = { customEvent = "event", customAttribute = "attribute", userAttribute = "user" }

local function record(text)
  local saved = members(text)
  local kind = plain(saved.kind)
  local what = plain(saved.name) .. " " .. (saved.properties or "")
  if kind ~= "customEvent" then
    what = plain(saved.key) .. plain(saved.field) .. " = " .. (saved.value or "")
  end
  local head = string.format("  %5s  %s  %-9s ", saved.id, plain(saved.time), kinds[kind] or kind)
  local user = { text = plain(saved.user), role = "dim" }
  return { { { text = head, role = "dim" }, { text = vim.trim(what) .. " " }, user } }
end

--- Calls an asynchronous function for each element, one after the other.
local function for_each_in_order(list, act, done)
  local function go(index)
    if index > #list then
      return done()
    end
    act(list[index], function()
      go(index + 1)
    end)
  end
  go(1)
end

--- Calls `done` with the host and all suites, or the one with that name. All further requests go to the same host,
--- which finishes them even if it is asked to stop.
local function suites(name, done)
  local running, problem = host.start()
  if not running then
    return host.notify(problem, vim.log.levels.ERROR)
  elseif name then
    return done(running, { { suite = name } })
  end
  running:request("suites", nil, function(problem, result)
    if problem then
      return host.notify_error("suites", problem)
    end
    done(running, result.suites)
  end)
end

--- Adds a suite's pending records.
local function list(running, suite, blocks, next)
  running:request("pending", { suite = suite.suite, limit = LIMIT }, function(problem, result, line)
    if problem then
      vim.list_extend(blocks, { heading(suite.suite), window.text("  " .. problem.message, "error") })
      return next()
    end
    local dead = (suite.deadLetters or 0) > 0 and ", dead letters: " .. suite.deadLetters or ""
    table.insert(blocks, heading(string.format("%s: %d pending%s", suite.suite, result.total, dead)))
    local found = items(line, "records")
    for _, text in ipairs(found) do
      table.insert(blocks, record(text))
    end
    if #found < result.total then
      table.insert(blocks, note(string.format("and %d more", result.total - #found)))
    end
    next()
  end)
end

--- Lists the pending records of one suite or of all suites.
function M.pending(name)
  suites(name, function(running, all)
    local blocks = {}
    for_each_in_order(all, function(suite, next)
      list(running, suite, blocks, next)
    end, function()
      show(#blocks > 0 and blocks or { note("there are no suites") })
    end)
  end)
end

--- A call of Braze's SDK: its name, then its other members as JSON.
local function call(text)
  local others = vim.tbl_filter(function(member)
    return not vim.startswith(member, '"call":')
  end, parts(text))
  local name = { text = "  " .. plain(members(text).call) .. " ", role = "button" }
  return { { name, { text = table.concat(others, " ") } } }
end

--- Flushes a suite's records into the window; they are deleted only after they are listed.
local function flush_to_window(running, suite, blocks, next)
  running:request("flushPending", { suite = suite.suite, lease = LEASE }, function(problem, result, line)
    if problem then
      vim.list_extend(blocks, { heading(suite.suite), window.text("  " .. problem.message, "error") })
      return next()
    end
    local text = string.format("%s: %d flushed, %d remaining", suite.suite, #result.calls, result.remaining)
    table.insert(blocks, heading(text))
    for _, text in ipairs(items(line, "calls")) do
      table.insert(blocks, call(text))
    end
    if result.remaining > 0 then
      table.insert(blocks, note(":PushFlush lists the next ones"))
    end
    if not result.lease then
      return next()
    end
    show(blocks)
    running:request("acknowledge", { suite = suite.suite, lease = result.lease }, function(refusal)
      if refusal then
        table.insert(blocks, window.text("  they stay pending: " .. refusal.message, "error"))
      end
      next()
    end)
  end)
end

local counts = { "delivered", "rejected", "possiblySent", "held", "remaining" }

--- Delivers a suite's records to a destination.
local function deliver(running, suite, destination, blocks, next)
  running:request("flushPending", { suite = suite.suite, to = destination }, function(problem, result)
    local outcome = problem and (problem.data or {}) or result
    local parts = {}
    for _, count in ipairs(counts) do
      if type(outcome[count]) == "number" then
        table.insert(parts, string.format("%d %s", outcome[count], count == "possiblySent" and "possibly sent" or count))
      end
    end
    local tail = #parts > 0 and ": " .. table.concat(parts, ", ") or ""
    table.insert(blocks, heading(suite.suite .. " to " .. destination .. tail))
    if problem then
      table.insert(blocks, window.text("  " .. problem.message, "error"))
    end
    for _, diagnostic in ipairs(outcome.diagnostics or {}) do
      table.insert(blocks, window.text("  ! " .. diagnostic.message, "warning"))
    end
    next()
  end)
end

local nothing = note("nothing is pending")

--- Shows that nothing is pending, or the host's error if the destination does not exist.
local function show_nothing(running, destination)
  running:request("flushPending", { to = destination }, function(problem)
    show({ problem and window.text(problem.message, "error") or nothing })
  end)
end

--- Flushes one suite, or all suites with pending records, to a destination or into the window.
function M.flush(destination, name)
  local to_window = not destination or destination == "caller"
  suites(name, function(running, all)
    local blocks = {}
    for_each_in_order(all, function(suite, next)
      if not name and suite.pending == 0 then
        next()
      elseif to_window then
        flush_to_window(running, suite, blocks, next)
      else
        deliver(running, suite, destination, blocks, next)
      end
    end, function()
      if #blocks == 0 and not to_window then
        return show_nothing(running, destination)
      end
      show(#blocks > 0 and blocks or { nothing })
    end)
  end)
end

host.on("$/progress", function(params)
  local text = "pushhost: %s to %s: %d delivered, %d rejected, %d remaining"
  local line = text:format(params.suite, params.to, params.delivered, params.rejected, params.remaining)
  vim.api.nvim_echo({ { line } }, false, {})
end)

return M
