--- The host that all buffers share: started when it is needed first, gone with Neovim.
local Process = require("pushhost.process")
local config = require("pushhost.config")

local M = {}

--- What the host tells unasked and somebody here draws.
local TOPICS = { "viewDidChange", "didDismiss", "openApplication", "$/progress" }

---@type pushhost.Process?
local process
local handlers = {}
--- Whether its end was asked for, so that it is no news.
local stopping = false

local function ended(code, tail)
  process = nil
  local text = "the host ended with code " .. code
  if handlers.ended then
    handlers.ended(text)
  end
  if not stopping then
    local said = #tail > 0 and "; its stderr ends with:\n" .. table.concat(tail, "\n") or " and wrote nothing to stderr"
    M.tell(text .. said, vim.log.levels.ERROR)
  end
end

local function start()
  if process then
    return process
  end
  local problem
  stopping = false
  process, problem = Process.start(config.command(), {
    notification = function(method, params)
      if handlers[method] then
        handlers[method](params)
      end
    end,
    ended = ended,
  })
  if not process then
    return nil, problem
  end
  process:request("subscribe", { topics = TOPICS }, function(refusal)
    if refusal and (refusal.data or {}).reason ~= "hostEnded" then
      M.tell("subscribe: " .. refusal.message, vim.log.levels.ERROR)
    end
  end)
  return process
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

--- Takes the notifications of a method from now on; `ended` is the host's own end.
function M.on(method, handler)
  handlers[method] = handler
end

--- Calls a method of the host, which is started where it does not run.
function M.request(method, params, callback)
  local running, problem = start()
  if not running then
    return callback({ message = problem, data = { reason = "cannotStart" } })
  end
  running:request(method, params, callback)
end

--- Whether the host runs.
function M.is_running()
  return process ~= nil
end

--- The id of the host's process, where it runs.
function M.pid()
  return process and vim.fn.jobpid(process.job)
end

--- Ends the host: in order, or at once.
function M.stop(at_once)
  if not process then
    return M.tell("the host does not run")
  end
  stopping = true
  if at_once then
    process:kill()
  else
    process:close()
  end
end

return M
