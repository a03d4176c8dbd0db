--- Checks a payload without delivering it: no extension is started, and nothing is shown or stored.
local Process = require("pushhost.process")
local config = require("pushhost.config")
local host = require("pushhost.host")
local json = require("pushhost.json")
local payloads = require("pushhost.payload")

local M = {}

--- The payload of the newest check of each buffer; the results of older checks are not shown.
local newest = {}

--- Diagnostics that a host without bundles reports even if the other host has a bundle for the category.
local NEED_BUNDLES = { noExtension = true, unknownLocalizationKey = true }

--- Checks a payload with a host without bundles: it applies all rules, and cannot deliver to any extension.
---@param payload pushhost.Payload
---@param done fun(diagnostics?: table[]) gets nil if the check failed, after the user was notified
local function check_without_bundles(payload, done)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, "p")
  local process, problem
  process, problem = Process.start(config.command({ "--plugins", folder, "--data", folder }), {
    ended = function()
      vim.fn.delete(folder, "rf")
    end,
  })
  if not process then
    host.notify(problem, vim.log.levels.ERROR)
    return done(nil)
  end
  process:request("didReceive", payloads.params(payload), function(refusal, result)
    if refusal then
      local diagnostic = payloads.diagnostic(refusal)
      diagnostic.severity = vim.diagnostic.severity.ERROR
      if diagnostic.reason == "hostEnded" then
        host.notify(table.concat(vim.list_extend({ refusal.message }, process.tail), "\n"), vim.log.levels.ERROR)
        return done(nil)
      end
      return done({ diagnostic })
    end
    local category = M.category(payload)
    done(vim.tbl_filter(function(diagnostic)
      -- A payload without a category has no extension, whatever bundles there are.
      return not category or not NEED_BUNDLES[diagnostic.reason]
    end, result.diagnostics))
  end)
  process:close()
end

--- The category in a payload: as a text, and as JSON.
function M.category(payload)
  local node, _, exact = json.find(payload.root, "/aps/category")
  if exact and node.kind == "string" and node.to > node.from + 1 then
    return json.string(payload.text, node), json.raw(payload.text, node)
  end
end

local function is_registered(category, catalog)
  for _, bundle in ipairs(catalog.extensions) do
    if vim.tbl_contains(bundle.categories or {}, category) then
      return true
    end
  end
  return false
end

--- Checks whether an extension registered the category.
---
--- If none did, a notification that has only the category is delivered and dismissed at once: the system shows it, and
--- the diagnostics of the reply name similar categories.
local function check_category(payload, done)
  local category, raw = M.category(payload)
  if not category then
    return done({})
  end
  host.request("extensions", nil, function(problem, catalog)
    if problem then
      host.notify_error("the categories cannot be read", problem)
      return done({})
    elseif is_registered(category, catalog) then
      return done({})
    end
    local running
    running = host.request("didReceive", '{"payload":{"aps":{"alert":"x","category":' .. raw .. "}}}", function(refusal, result)
      if refusal then
        return done({ payloads.diagnostic(refusal) })
      end
      running:request("dismiss", { notification = result.notification }, function() end)
      done(result.diagnostics)
    end)
  end)
end

--- Checks a buffer and marks its mistakes.
---@param buffer integer
---@param done? fun() called when all mistakes are marked
function M.check(buffer, done)
  local payload = payloads.read(buffer)
  newest[buffer] = payload
  done = done or function() end
  if not payload.root then
    payloads.show(payload, {})
    return done()
  end
  check_without_bundles(payload, function(diagnostics)
    if not diagnostics then
      return done()
    end
    check_category(payload, function(more)
      if newest[buffer] == payload then
        payloads.show(payload, vim.list_extend(diagnostics, more))
      end
      done()
    end)
  end)
end

--- Drops the result of a buffer's running check, because a newer result is known.
function M.supersede(buffer)
  newest[buffer] = nil
end

return M
