--- What waits in the suites, and where it goes.
local block = require("pushhost.block")
local host = require("pushhost.host")
local json = require("pushhost.json")
local window = require("pushhost.window")

local M = {}

--- How many records of a suite are listed.
local LIMIT = 200
--- How long, in seconds, flushed records are kept for the day that nobody saw them.
local LEASE = 60

local namespace = vim.api.nvim_create_namespace("pushhost-records")
local buffer
---@type pushhost.Block
local shown

local function fill(made)
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = made, nowait = true, silent = true })
  window.paint(made, namespace, shown)
end

local function gone()
  buffer = nil
end

--- Shows blocks in the window for records.
local function show(blocks)
  shown = block.below(blocks)
  if buffer then
    window.settle(buffer)
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
  return block.text(text, "PushhostTitle")
end

local function note(text)
  return block.text("  " .. text, "PushhostNote")
end

--- The items of an array in a reply: their bytes, since decoded numbers lose their types.
local function items(line, pointer)
  local node, _, exact = json.find(assert(json.parse(line)), "/result" .. pointer)
  return exact and node.items or {}
end

--- A member's value: a string as people read it, anything else as it stands.
local function value(line, node, name, quoted)
  local member = json.member(node, name)
  if not member then
    return ""
  elseif member.value.kind == "string" and not quoted then
    return block.inline(json.string(line, member.value))
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
  local head = block.text(string.format("  %5s  %s  %-9s", unpack(parts)), "PushhostNote")
  local user = value(line, node, "user")
  return block.beside({ head, block.text(vim.trim(what), "PushhostText"), block.text(user, "PushhostNote") })
end

--- Goes through things one after the other, each in its own time.
local function in_turn(list, act, done)
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

--- The host and the suites that there are, or the one that is named. The same host is asked for all that follows:
--- one that is to end finishes that first.
local function suites(name, done)
  local running, obstacle = host.start()
  if not running then
    return host.tell(obstacle, vim.log.levels.ERROR)
  elseif name then
    return done(running, { { suite = name } })
  end
  running:request("suites", nil, function(problem, result)
    if problem then
      return host.tell_problem("suites", problem)
    end
    done(running, result.suites)
  end)
end

--- Adds a suite's pending records.
local function list(running, suite, blocks, next)
  running:request("pending", { suite = suite.suite, limit = LIMIT }, function(problem, result, line)
    if problem then
      vim.list_extend(blocks, { heading(suite.suite), block.text("  " .. problem.message, "PushhostError") })
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

--- Lists the pending records of a suite, or of all.
function M.pending(name)
  suites(name, function(running, all)
    local blocks = {}
    in_turn(all, function(suite, next)
      list(running, suite, blocks, next)
    end, function()
      show(#blocks > 0 and blocks or { note("nothing was ever saved") })
    end)
  end)
end

--- A call of Braze's SDK: its name, then its other members as they stand.
local function call(line, node)
  local members = {}
  for _, member in ipairs(node.members) do
    if member.name ~= "call" then
      table.insert(members, line:sub(member.from, member.value.to))
    end
  end
  return block.beside({
    block.text("  " .. value(line, node, "call"), "PushhostAction"),
    block.text(table.concat(members, " "), "PushhostText"),
  })
end

--- Takes a suite's records out; they are deleted only once they stand in the window.
local function take(running, suite, blocks, next)
  running:request("flushPending", { suite = suite.suite, lease = LEASE }, function(problem, result, line)
    if problem then
      vim.list_extend(blocks, { heading(suite.suite), block.text("  " .. problem.message, "PushhostError") })
      return next()
    end
    local text = string.format("%s: %d flushed, %d remaining", suite.suite, #result.calls, result.remaining)
    table.insert(blocks, heading(text))
    for _, node in ipairs(items(line, "/calls")) do
      table.insert(blocks, call(line, node))
    end
    if result.remaining > 0 then
      table.insert(blocks, note(":PushFlush takes the next ones"))
    end
    if not result.lease then
      return next()
    end
    show(blocks)
    running:request("acknowledge", { suite = suite.suite, lease = result.lease }, function(refusal)
      if refusal then
        table.insert(blocks, block.text("  they stay pending: " .. refusal.message, "PushhostError"))
      end
      next()
    end)
  end)
end

local counts = { "delivered", "rejected", "possiblySent", "held", "remaining" }

--- Delivers a suite's records to a destination.
local function deliver(running, suite, destination, blocks, next)
  running:request("flushPending", { suite = suite.suite, to = destination }, function(problem, result)
    local told = problem and (problem.data or {}) or result
    local parts = {}
    for _, count in ipairs(counts) do
      if type(told[count]) == "number" then
        table.insert(parts, string.format("%d %s", told[count], count == "possiblySent" and "possibly sent" or count))
      end
    end
    local tail = #parts > 0 and ": " .. table.concat(parts, ", ") or ""
    table.insert(blocks, heading(suite.suite .. " to " .. destination .. tail))
    if problem then
      table.insert(blocks, block.text("  " .. problem.message, "PushhostError"))
    end
    for _, remark in ipairs(told.diagnostics or {}) do
      table.insert(blocks, block.text("  ! " .. remark.message, "PushhostWarning"))
    end
    next()
  end)
end

local nothing = note("nothing is pending")

--- Says that nothing is pending, unless there is no such destination, which the host alone knows.
local function show_nothing(running, destination)
  running:request("flushPending", { to = destination }, function(problem)
    show({ problem and block.text(problem.message, "PushhostError") or nothing })
  end)
end

--- Flushes a suite, or all that hold something: to a destination, else into the window.
function M.flush(destination, name)
  local to_window = not destination or destination == "caller"
  suites(name, function(running, all)
    local blocks = {}
    in_turn(all, function(suite, next)
      if not name and suite.pending == 0 then
        next()
      elseif to_window then
        take(running, suite, blocks, next)
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
