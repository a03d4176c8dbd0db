--- Delivers the notification in a buffer to pushhost and shows the view of its extension.
local browse = require("pushhost.browse")
local check = require("pushhost.check")
local config = require("pushhost.config")
local host = require("pushhost.host")
local payloads = require("pushhost.payload")
local preview = require("pushhost.preview")
local records = require("pushhost.records")
require("pushhost.highlights")

local M = {}

--- Sets the user's options; see `:help pushhost-setup`.
M.setup = config.set

local function number(buffer)
  return (buffer and buffer ~= 0) and buffer or vim.api.nvim_get_current_buf()
end

--- The buffer of the payload: the buffer itself, or the one that it previews. If there is none, the user is notified.
local function source(buffer)
  buffer = number(buffer)
  if records.is_shown_in(buffer) then
    host.notify("this buffer lists records; deliver or check from the buffer of a payload", vim.log.levels.WARN)
    return nil
  end
  local found = preview.of(buffer)
  local payload = found and found.source or buffer
  if not vim.api.nvim_buf_is_loaded(payload) then
    host.notify("the payload's buffer is not loaded any more", vim.log.levels.ERROR)
    return nil
  end
  return payload
end

local function severe(diagnostic)
  diagnostic.severity = vim.diagnostic.severity.ERROR
  return diagnostic
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
    return host.notify("not delivered, not valid JSON: " .. payload.mistake.message, vim.log.levels.ERROR)
  end
  local running
  running = host.request("didReceive", payloads.params(payload), function(problem, result)
    if problem then
      payloads.show(payload, { severe(payloads.diagnostic(problem)) })
      return host.notify_error("not delivered", problem)
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

--- Shows the file of a buffer, of the current one by default, in the browser.
function M.browse(buffer)
  buffer = source(buffer)
  if buffer then
    browse.show(buffer)
  end
end

--- Dismisses the notification that a buffer shows or that was delivered from it.
function M.dismiss(buffer)
  local found = preview.of(number(buffer))
  if not found then
    return host.notify("nothing was delivered from this buffer", vim.log.levels.WARN)
  end
  found:dismiss()
end

--- Lists the pending records of one suite or of all suites.
M.pending = records.pending

--- Flushes one suite or all suites to a destination, or into a window.
M.flush = records.flush

--- Loads the bundles again that changed, or all.
M.reload = host.reload

--- Ends the previews in the browser, and the host after it has finished its requests, or at once.
function M.stop(at_once)
  if not browse.stop() or host.is_running() then
    host.stop(at_once)
  end
end

return M
