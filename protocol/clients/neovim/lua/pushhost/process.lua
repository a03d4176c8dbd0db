--- A process that speaks JSON-RPC 2.0, one message per line.

local lines = require("pushhost.lines")

---@class pushhost.Process
local Process = {}
Process.__index = Process

--- Starts a process, which ends with Neovim.
---@param command string[]
---@param events table notification(method, params) and ended(code, tail), both optional
---@return pushhost.Process? process
---@return string? problem why it could not be started
function Process.start(command, events)
  local tail, collect = lines.tail()
  local self = setmetatable({ next_id = 1, waiting = {}, tail = tail, events = events }, Process)
  local ok, job = pcall(vim.fn.jobstart, command, {
    on_stdout = lines.reader(function(line)
      self:receive(line)
    end),
    on_stderr = collect,
    on_exit = function(_, code)
      self:finish(code)
    end,
  })
  if not ok or job <= 0 then
    return nil, lines.cannot_start(command[1])
  end
  self.job = job
  return self
end

--- Calls a method.
---
--- Params as a table must not be empty, and must not have values that Lua cannot distinguish, such as `1` and `1.0`.
--- Params as text are sent unchanged.
---@param method string
---@param params? table|string
---@param callback fun(problem?: table, result?: any, line?: string) gets an error object, or the result with its line
function Process:request(method, params, callback)
  if self.ended then
    return callback({ message = "the host has ended", data = { reason = "hostEnded" } })
  end
  local id = self.next_id
  self.next_id = id + 1
  local text = type(params) == "table" and vim.json.encode(params) or params
  local tail = text and ',"params":' .. text or ""
  self.waiting[id] = callback
  local line = string.format('{"jsonrpc":"2.0","id":%d,"method":"%s"%s}\n', id, method, tail)
  -- If its stdin is closed, the process is about to end, and finish fails the call.
  pcall(vim.fn.chansend, self.job, line)
end

--- Closes its input: the process finishes its requests and ends.
function Process:close()
  pcall(vim.fn.chanclose, self.job, "stdin")
end

--- Closes its input when no request is in flight; a callback of an answer may still send further requests.
function Process:close_when_idle()
  self.closing = true
  if not next(self.waiting) then
    self:close()
  end
end

--- Ends it at once.
function Process:kill()
  pcall(vim.fn.jobstop, self.job)
end

--- Handles a line. An error without an id fails all requests, because it may be about any of them.
function Process:receive(line)
  local ok, message = pcall(vim.json.decode, line, { luanil = { object = true } })
  if not ok or type(message) ~= "table" then
    table.insert(self.tail, "a line that is not a message: " .. line:sub(1, 200))
  elseif message.method then
    local handler = self.events.notification
    if handler then
      handler(message.method, message.params)
    end
  elseif message.id == nil then
    self:fail(message.error or { message = "an answer without id" })
  else
    local callback = self.waiting[message.id]
    self.waiting[message.id] = nil
    if callback then
      callback(message.error, message.result, line)
    end
    if self.closing then
      self:close_when_idle()
    end
  end
end

function Process:fail(problem)
  local waiting = self.waiting
  self.waiting = {}
  local ids = vim.tbl_keys(waiting)
  table.sort(ids)
  for _, id in ipairs(ids) do
    waiting[id](problem)
  end
end

function Process:finish(code)
  self.ended = true
  -- Neovim ends its jobs when it exits; then nothing can be drawn any more.
  if vim.v.exiting ~= vim.NIL then
    return
  end
  local problem = { message = "the host ended with code " .. code, data = { reason = "hostEnded" } }
  self:fail(problem)
  if self.events.ended then
    self.events.ended(code, self.tail)
  end
end

return Process
