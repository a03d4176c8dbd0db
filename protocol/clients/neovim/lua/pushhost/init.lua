--- Deliver the notification in a buffer to pushhost and see what its extension makes of it.
local check = require("pushhost.check")
local config = require("pushhost.config")
local host = require("pushhost.host")
local payloads = require("pushhost.payload")
local preview = require("pushhost.preview")
local records = require("pushhost.records")
require("pushhost.highlights")

local M = {}

--- Takes the user's choices; see `:help pushhost-setup`.
M.setup = config.set

local function number(buffer)
  return (buffer and buffer ~= 0) and buffer or vim.api.nvim_get_current_buf()
end

--- The buffer of the payload that a buffer has or shows; where there is none that is told.
local function source(buffer)
  buffer = number(buffer)
  if records.is_shown_in(buffer) then
    host.tell("this buffer lists records; deliver or check from that of a payload", vim.log.levels.WARN)
    return nil
  end
  local found = preview.of(buffer)
  local payload = found and found.source or buffer
  if not vim.api.nvim_buf_is_loaded(payload) then
    host.tell("the payload's buffer is not loaded any more", vim.log.levels.ERROR)
    return nil
  end
  return payload
end

local function severe(remark)
  remark.severity = vim.diagnostic.severity.ERROR
  return remark
end

--- Delivers a buffer, the current one by default, as it is now.
function M.deliver(buffer)
  buffer = source(buffer)
  if not buffer then
    return
  end
  local payload = payloads.read(buffer)
  check.supersede(buffer)
  if not payload.root then
    payloads.show(payload, {})
    return host.tell("not delivered, no JSON: " .. payload.mistake.message, vim.log.levels.ERROR)
  end
  local running
  running = host.request("didReceive", payloads.params(payload), function(problem, result)
    if problem then
      payloads.show(payload, { severe(payloads.remark(problem)) })
      return host.tell_problem("not delivered", problem)
    end
    payloads.show(payload, result.diagnostics)
    if vim.api.nvim_buf_is_valid(buffer) then
      preview.show(buffer, running, result)
    else
      preview.drop(running, result.notification)
    end
  end)
end

--- Checks a buffer, the current one by default, without delivering it.
function M.check(buffer)
  buffer = source(buffer)
  if buffer then
    check.check(buffer)
  end
end

--- Takes the notification away that a buffer shows or was delivered to.
function M.dismiss(buffer)
  local found = preview.of(number(buffer))
  if not found then
    return host.tell("nothing was delivered from this buffer", vim.log.levels.WARN)
  end
  found:dismiss()
end

--- Lists the pending records of a suite, or of all.
M.pending = records.pending

--- Flushes to a destination, or into a window; a suite, or all.
M.flush = records.flush

--- Reads the bundles again: those that changed, or all.
M.reload = host.reload

--- Ends the host: in order, or at once.
M.stop = host.stop

return M
