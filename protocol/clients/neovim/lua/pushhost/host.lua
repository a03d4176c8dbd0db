--- The host that all buffers share: the first command that needs it starts it, and it ends with Neovim.
---
--- A host that was asked to stop may still finish requests, but new commands start another host. So there may be
--- several processes, and a caller that refers to something in a host must remember the process.
local Process = require("pushhost.process")
local config = require("pushhost.config")
local lines = require("pushhost.lines")

local M = {}

--- The notifications of the host that this plugin handles.
local TOPICS = { "viewDidChange", "didDismiss", "openApplication", "$/progress", "$/stderr" }

---@type pushhost.Process?
local current
local handlers = {}
--- The processes that were asked to stop and still run, and how they were asked: "in order" or "at once".
---@type table<pushhost.Process, string>
local stopping = {}

local function ended(process, code, tail)
  if process == current then
    current = nil
  end
  local asked = stopping[process]
  stopping[process] = nil
  local text = "the host ended with code " .. code
  if handlers.ended then
    handlers.ended(text, process)
  end
  if asked ~= "at once" and not (asked and code == 0) then
    M.notify(text .. lines.said(tail), vim.log.levels.ERROR)
  end
end

--- Shows a message to the user.
function M.notify(text, level)
  vim.notify("pushhost: " .. text, level or vim.log.levels.INFO)
end

--- Shows why a call failed, except the end of the host, which is already reported.
function M.notify_error(what, problem)
  if (problem.data or {}).reason ~= "hostEnded" then
    M.notify(what .. ": " .. M.describe(problem), vim.log.levels.ERROR)
  end
end

--- The message of an error object; if an extension refused the call, the message of the extension. What the extension
--- wrote on its stderr follows, such as a traceback.
function M.describe(problem)
  local data = problem.data or {}
  local message = type(data.cause) == "table" and data.cause.message or problem.message
  return data.stderr and message .. "\n" .. vim.trim(data.stderr) or message
end

--- Sets the handler of a notification's method; it gets the params and the process that sent them. The method `ended`
--- stands for the end of a process; its handler gets a text and the process.
function M.on(method, handler)
  handlers[method] = handler
end

--- Returns the running host, or starts one.
---@return pushhost.Process? process
---@return string? problem why it could not be started
function M.start()
  if current then
    return current
  end
  local process, problem
  process, problem = Process.start(config.host_command(), {
    notification = function(method, params)
      if handlers[method] then
        handlers[method](params, process)
      end
    end,
    ended = function(code, tail)
      ended(process, code, tail)
    end,
  })
  if not process then
    return nil, problem
  end
  current = process
  process:request("subscribe", { topics = TOPICS }, function(refusal)
    if refusal and (refusal.data or {}).reason ~= "hostEnded" then
      M.notify("subscribe: " .. refusal.message, vim.log.levels.ERROR)
    end
  end)
  return process
end

--- Calls a method of the host, which is started if it does not run.
---@return pushhost.Process? process the process that is called; ids in the result are valid only there
function M.request(method, params, callback)
  local running, problem = M.start()
  if not running then
    callback({ message = problem, data = { reason = "cannotStart" } })
    return nil
  end
  running:request(method, params, callback)
  return running
end

--- Whether the host runs.
function M.is_running()
  return current ~= nil
end

--- The id of the host's process, or nil if it does not run.
function M.pid()
  return current and vim.fn.jobpid(current.job)
end

--- Joins what a reload did to some bundles: "changed a, b".
local function phrase(word, bundles)
  return #bundles > 0 and word .. " " .. table.concat(bundles, ", ") or nil
end

--- Reads the bundles again and replaces the extensions that changed.
---@param force? boolean whether every bundle counts as changed
function M.reload(force)
  if not current then
    return M.notify("the host does not run; it loads the extensions when it starts")
  end
  current:request("reloadExtensions", { force = force == true }, function(refusal, result)
    if refusal then
      return M.notify_error("not reloaded", refusal)
    end
    local parts = {}
    for _, word in ipairs({ "added", "changed", "removed" }) do
      table.insert(parts, phrase(word, result[word]))
    end
    M.notify("reloaded: " .. (#parts > 0 and table.concat(parts, "; ") or "no extension changed"))
    for _, problem in ipairs(result.problems) do
      M.notify(problem.path .. ": " .. problem.message, vim.log.levels.WARN)
    end
  end)
end

--- Stops the host after it has finished its requests, or at once; then hosts that are still finishing are killed too.
function M.stop(at_once)
  local running = current
  current = nil
  if running then
    stopping[running] = "in order"
  elseif not next(stopping) then
    return M.notify("the host is not running")
  end
  if at_once then
    for process in pairs(stopping) do
      stopping[process] = "at once"
      process:kill()
    end
  elseif running then
    running:close_when_idle()
  else
    M.notify("the host is finishing its requests; :PushStop! ends it at once")
  end
end

return M
