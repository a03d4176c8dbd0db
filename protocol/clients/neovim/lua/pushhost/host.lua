--- The host that all buffers share: started when it is needed first, gone with Neovim.
---
--- One whose end was asked for takes no new commands, which start another; it may have something to finish
--- meanwhile. So whatever is about something in a host keeps the process that it came from.
local Process = require("pushhost.process")
local config = require("pushhost.config")

local M = {}

--- What the host tells unasked and somebody here draws.
local TOPICS = { "viewDidChange", "didDismiss", "openApplication", "$/progress" }

---@type pushhost.Process?
local current
local handlers = {}
--- How the end of those was asked for that have not ended yet: "in order" or "at once".
---@type table<pushhost.Process, string>
local leaving = {}

local function ended(process, code, tail)
  if process == current then
    current = nil
  end
  local asked = leaving[process]
  leaving[process] = nil
  local text = "the host ended with code " .. code
  if handlers.ended then
    handlers.ended(text, process)
  end
  if asked ~= "at once" and not (asked and code == 0) then
    local said = #tail > 0 and "; its stderr ends with:\n" .. table.concat(tail, "\n") or " and wrote nothing to stderr"
    M.tell(text .. said, vim.log.levels.ERROR)
  end
end

--- Says something to the user.
function M.tell(text, level)
  vim.notify("pushhost: " .. text, level or vim.log.levels.INFO)
end

--- Says why a call failed; the end of the host tells itself.
function M.tell_problem(what, problem)
  if (problem.data or {}).reason ~= "hostEnded" then
    M.tell(what .. ": " .. M.describe(problem), vim.log.levels.ERROR)
  end
end

--- What an error object says: an extension's refusal is in its own words.
function M.describe(problem)
  local cause = problem.data and problem.data.cause
  return type(cause) == "table" and cause.message or problem.message
end

--- Takes the notifications of a method, with the process that sent them, from now on; `ended` is its own end.
function M.on(method, handler)
  handlers[method] = handler
end

--- The host, which is started where none runs.
---@return pushhost.Process? process
---@return string? problem why there is none
function M.start()
  if current then
    return current
  end
  local process, problem
  process, problem = Process.start(config.command(), {
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
      M.tell("subscribe: " .. refusal.message, vim.log.levels.ERROR)
    end
  end)
  return process
end

--- Calls a method of the host, which is started where it does not run.
---@return pushhost.Process? process that is called; what comes of it is there alone
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

--- The id of the host's process, where it runs.
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
    return M.tell("the host does not run; it loads the extensions when it starts")
  end
  current:request("reloadExtensions", { force = force == true }, function(refusal, result)
    if refusal then
      return M.tell_problem("not reloaded", refusal)
    end
    local parts = {}
    for _, word in ipairs({ "added", "changed", "removed" }) do
      table.insert(parts, phrase(word, result[word]))
    end
    M.tell("reloaded: " .. (#parts > 0 and table.concat(parts, "; ") or "no extension changed"))
    for _, problem in ipairs(result.problems) do
      M.tell(problem.path .. ": " .. problem.message, vim.log.levels.WARN)
    end
  end)
end

--- Ends the host: in order, or at once, and then also one that has something to finish.
function M.stop(at_once)
  local running = current
  current = nil
  if running then
    leaving[running] = "in order"
  elseif not next(leaving) then
    return M.tell("the host does not run")
  end
  if at_once then
    for process in pairs(leaving) do
      leaving[process] = "at once"
      process:kill()
    end
  elseif running then
    running:close_when_idle()
  else
    M.tell("the host is finishing what is under way; :PushStop! ends it at once")
  end
end

return M
