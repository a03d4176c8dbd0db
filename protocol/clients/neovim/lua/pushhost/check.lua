--- Checks a payload without delivering it: no extension is started, and nothing is shown or stored.
local host = require("pushhost.host")
local payloads = require("pushhost.payload")

local M = {}

--- The newest check of each buffer; the findings of an older one are not shown.
local newest = {}

local SEVERITIES = {
  error = vim.diagnostic.severity.ERROR,
  warning = vim.diagnostic.severity.WARN,
  information = vim.diagnostic.severity.INFO,
}

--- Findings as diagnostics of the payload, each with its advice.
local function diagnostics(findings)
  return vim.tbl_map(function(finding)
    return {
      reason = finding.reason,
      message = finding.message .. "; " .. finding.advice,
      path = "/params/payload" .. finding.path,
      severity = SEVERITIES[finding.level],
    }
  end, findings)
end

--- Checks a buffer and marks its mistakes.
---@param buffer integer
---@param done? fun() called when everything is shown
function M.check(buffer, done)
  local payload = payloads.read(buffer)
  newest[buffer] = payload
  done = done or function() end
  if not payload.root then
    payloads.show(payload, {})
    return done()
  end
  host.request("checkPayload", payloads.params(payload), function(problem, result)
    if problem then
      host.notify_error("not checked", problem)
    elseif newest[buffer] == payload then
      payloads.show(payload, diagnostics(result.findings))
    end
    done()
  end)
end

--- Forgets a buffer's check that is under way, because something newer is known.
function M.supersede(buffer)
  newest[buffer] = nil
end

return M
