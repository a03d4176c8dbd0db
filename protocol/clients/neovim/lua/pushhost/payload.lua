--- A buffer's text as a payload, and the remarks about it as diagnostics at their places.
local json = require("pushhost.json")

local M = {}

M.namespace = vim.api.nvim_create_namespace("pushhost-payload")

--- Where a payload stands in the host's request, and in the request that an extension gets of it.
local PREFIXES = { "/params/payload", "/params/request/content/userInfo" }

---@class pushhost.Payload
---@field buffer integer
---@field tick integer the buffer's state when it was read
---@field text string
---@field root? pushhost.Node
---@field mistake? pushhost.Mistake why there is no root

---@return pushhost.Payload
function M.read(buffer)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  local payload = { buffer = buffer, tick = vim.api.nvim_buf_get_changedtick(buffer) }
  payload.text = table.concat(lines, "\n")
  payload.root, payload.mistake = json.parse(payload.text)
  -- From now on it is looked at when it is written; any other JSON file is not.
  vim.b[buffer].pushhost = true
  return payload
end

--- The params of `didReceive`, on one line: outside of strings a line end is as good as a space.
function M.params(payload)
  return '{"payload":' .. payload.text:gsub("\n", " ") .. "}"
end

--- What an error object remarks on the payload; an extension's own words where it refused.
---@return table remark reason, message, path?
function M.remark(problem)
  local data = problem.data or {}
  if type(data.cause) == "table" then
    local cause = type(data.cause.data) == "table" and data.cause.data or {}
    return { reason = cause.reason or data.reason, message = data.cause.message, path = cause.path }
  end
  return { reason = data.reason, message = problem.message, path = data.path }
end

local function diagnostic(payload, from, to, severity, remark)
  local row, column = json.position(payload.text, from)
  local end_row, end_column = json.position(payload.text, to + 1)
  return {
    lnum = row,
    col = column,
    end_lnum = end_row,
    end_col = end_column,
    severity = severity,
    source = "pushhost",
    code = remark.reason,
    message = remark.message,
  }
end

--- Where in the payload a JSON Pointer into a request leads; nothing where that is elsewhere.
local function place(payload, path)
  for _, prefix in ipairs(PREFIXES) do
    local rest = type(path) == "string" and path:sub(1, #prefix) == prefix and path:sub(#prefix + 1)
    if rest and (rest == "" or rest:sub(1, 1) == "/") then
      local node, member, exact = json.find(payload.root, rest)
      if node == payload.root then
        -- A remark on the whole stands at its beginning.
        return node.from, node.from
      elseif exact and not node.members and not node.items then
        return node.from, node.to
      end
      return (member or node).from, (member or node).to
    end
  end
end

--- Shows the remarks in the buffer, in place of all earlier ones; one whose place is unknown is left out.
---@param payload pushhost.Payload
---@param remarks table[] reason, message, path? and severity?
function M.show(payload, remarks)
  if not vim.api.nvim_buf_is_valid(payload.buffer) then
    return
  elseif vim.api.nvim_buf_get_changedtick(payload.buffer) ~= payload.tick then
    -- The text moved on, and the places with it; the next check tells anew.
    return
  end
  local all = {}
  if payload.mistake then
    local mistake = payload.mistake
    local remark = { reason = "invalidJSON", message = "no JSON: " .. mistake.message }
    local at = math.max(1, math.min(mistake.at, #payload.text))
    table.insert(all, diagnostic(payload, at, at, vim.diagnostic.severity.ERROR, remark))
  end
  for _, remark in ipairs(remarks) do
    local from, to = place(payload, remark.path)
    if from then
      table.insert(all, diagnostic(payload, from, to, remark.severity or vim.diagnostic.severity.WARN, remark))
    end
  end
  vim.diagnostic.set(M.namespace, payload.buffer, all)
end

return M
