--- Judges a payload without delivering it: no extension is started, nothing is shown or stored.
local Process = require("pushhost.process")
local config = require("pushhost.config")
local host = require("pushhost.host")
local json = require("pushhost.json")
local payloads = require("pushhost.payload")

local M = {}

--- The newest check of each buffer; what an older one finds is not shown.
local newest = {}

--- What a host without bundles says of a payload whose category may well be somebody's.
local GUESSES = { noExtension = true, unknownLocalizationKey = true }

--- Lets a host without bundles judge: it knows every rule, and there is nobody it could deliver to.
---@param payload pushhost.Payload
---@param done fun(remarks?: table[]) gets none where it could not judge, which is told
local function judge(payload, done)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, "p")
  local process, problem
  process, problem = Process.start(config.command({ "--plugins", folder, "--data", folder }), {
    ended = function()
      vim.fn.delete(folder, "rf")
    end,
  })
  if not process then
    host.tell(problem, vim.log.levels.ERROR)
    return done(nil)
  end
  process:request("didReceive", payloads.params(payload), function(refusal, result)
    if refusal then
      local remark = payloads.remark(refusal)
      remark.severity = vim.diagnostic.severity.ERROR
      if remark.reason == "hostEnded" then
        host.tell(table.concat(vim.list_extend({ refusal.message }, process.tail), "\n"), vim.log.levels.ERROR)
        return done(nil)
      end
      return done({ remark })
    end
    local category = M.category(payload)
    done(vim.tbl_filter(function(remark)
      -- Where no category is named nobody shows it, whatever bundles there are.
      return not category or not GUESSES[remark.reason]
    end, result.diagnostics))
  end)
  process:close()
end

--- The category that a payload names: its text, and as it stands in JSON.
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

--- Looks whether somebody registered the category.
---
--- An unknown one is told in the host's words, near misses included: the system shows a notification that has the
--- category and nothing else, which is taken away at once.
local function find_category(payload, done)
  local category, raw = M.category(payload)
  if not category then
    return done({})
  end
  host.request("extensions", nil, function(problem, catalog)
    if problem then
      host.tell_problem("the categories are not known", problem)
      return done({})
    elseif is_registered(category, catalog) then
      return done({})
    end
    local running
    running = host.request("didReceive", '{"payload":{"aps":{"alert":"x","category":' .. raw .. "}}}", function(refusal, result)
      if refusal then
        return done({ payloads.remark(refusal) })
      end
      running:request("dismiss", { notification = result.notification }, function() end)
      done(result.diagnostics)
    end)
  end)
end

--- Checks a buffer and shows what is wrong in it.
---@param buffer integer
---@param done? fun() called when all is shown
function M.check(buffer, done)
  local payload = payloads.read(buffer)
  newest[buffer] = payload
  done = done or function() end
  if not payload.root then
    payloads.show(payload, {})
    return done()
  end
  judge(payload, function(remarks)
    if not remarks then
      return done()
    end
    find_category(payload, function(more)
      if newest[buffer] == payload then
        payloads.show(payload, vim.list_extend(remarks, more))
      end
      done()
    end)
  end)
end

--- Forgets a buffer's check that is under way, as something newer is known.
function M.supersede(buffer)
  newest[buffer] = nil
end

return M
