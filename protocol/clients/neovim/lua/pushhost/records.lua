--- Lists and flushes the pending records of suites.
local host = require("pushhost.host")
local json = require("pushhost.json")
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

--- The items of an array in a reply: their bytes, since decoded numbers lose their types.
local function items(line, pointer)
  local node, _, exact = json.find(assert(json.parse(line)), "/result" .. pointer)
  return exact and node.items or {}
end

--- A member's value: a string without quotes (unless `quoted`), any other value as JSON.
local function value(line, node, name, quoted)
  local member = json.member(node, name)
  if not member then
    return ""
  elseif member.value.kind == "string" and not quoted then
    return window.inline(json.string(line, member.value))
  end
  return json.raw(line, member.value)
end

local kinds = { customEvent = "event", customAttribute = "attribute", userAttribute = "user" }

local function record(line, node)
  local kind = value(line, node, "kind")
  local what = value(line, node, "name")
  if kind == "customEvent" then
    what = what .. " " .. value(line, node, "properties")
  else
    what = value(line, node, "key") .. value(line, node, "field") .. " = " .. value(line, node, "value", true)
  end
  local parts = { value(line, node, "id"), value(line, node, "time"), kinds[kind] or kind }
  local head = { text = string.format("  %5s  %s  %-9s ", unpack(parts)), role = "dim" }
  return { { head, { text = vim.trim(what) .. " " }, { text = value(line, node, "user"), role = "dim" } } }
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
    local found = items(line, "/records")
    for _, node in ipairs(found) do
      table.insert(blocks, record(line, node))
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
local function call(line, node)
  local members = {}
  for _, member in ipairs(node.members) do
    if member.name ~= "call" then
      table.insert(members, line:sub(member.from, member.value.to))
    end
  end
  local name = { text = "  " .. value(line, node, "call") .. " ", role = "button" }
  return { { name, { text = table.concat(members, " ") } } }
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
    for _, node in ipairs(items(line, "/calls")) do
      table.insert(blocks, call(line, node))
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
