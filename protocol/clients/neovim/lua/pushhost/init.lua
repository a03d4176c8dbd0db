--- Delivers the notification in a buffer to pushhost and shows the view of its extension.
local browse = require("pushhost.browse")
local config = require("pushhost.config")
local host = require("pushhost.host")
local preview = require("pushhost.preview")
local records = require("pushhost.records")
local server = require("pushhost.server")
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

--- Whether a text may be inserted into a line for the host: it is one value, and no string has a line end.
local function is_json(text)
  for string in text:gsub("\\.", ""):gmatch('"[^"]*"') do
    if string:find("\n", 1, true) then
      return false
    end
  end
  return (pcall(vim.json.decode, text))
end

--- Tells where a text is not JSON, which the host knows.
local function refuse(text)
  host.request("checkPayload", { payload = text }, function(problem, result)
    local finding = problem or result.findings[1] or { message = "it is not JSON" }
    local where = finding.line and ("line %d: "):format(finding.line) or ""
    host.notify("not delivered: " .. where .. finding.message, vim.log.levels.ERROR)
  end)
end

--- Delivers a buffer, the current one by default, as it is now.
function M.deliver(buffer)
  buffer = source(buffer)
  if not buffer then
    return
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\n")
  if not is_json(text) then
    return refuse(text)
  end
  -- The text itself is sent, since Lua does not distinguish 1 from 1.0.
  local params = '{"payload":' .. text:gsub("\n", " ") .. "}"
  local running
  running = host.request("didReceive", params, function(problem, result)
    if problem then
      server.mark(buffer, problem)
      host.notify_error("not delivered", problem)
    elseif vim.api.nvim_buf_is_valid(buffer) then
      preview.show(buffer, running, result)
    else
      preview.drop(running, result.notification)
    end
  end)
end

--- Marks mistakes in a buffer, in the current one by default, from now on.
function M.check(buffer)
  buffer = source(buffer)
  if buffer then
    server.attach(buffer)
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
