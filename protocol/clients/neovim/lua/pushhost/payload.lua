--- The payload in a buffer, and the host's diagnostics about it at their positions in the text.
local json = require("pushhost.json")

local M = {}

M.namespace = vim.api.nvim_create_namespace("pushhost-payload")

--- The paths of the payload in the host's request and in the request that an extension gets.
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
  -- From now on the buffer is checked when it is written; other JSON files are not.
  vim.b[buffer].pushhost = true
  return payload
end

--- The params of `didReceive` in one line; outside of strings a line end may be replaced by a space.
function M.params(payload)
  return '{"payload":' .. payload.text:gsub("\n", " ") .. "}"
end

--- An error object as a diagnostic; if an extension refused the call, with the extension's message.
---@return table diagnostic reason, message, path?
function M.diagnostic(problem)
  local data = problem.data or {}
  if type(data.cause) == "table" then
    local cause = type(data.cause.data) == "table" and data.cause.data or {}
    return { reason = cause.reason or data.reason, message = data.cause.message, path = cause.path }
  end
  return { reason = data.reason, message = problem.message, path = data.path }
end

local function to_vim_diagnostic(payload, from, to, severity, diagnostic)
  local row, column = json.position(payload.text, from)
  local end_row, end_column = json.position(payload.text, to + 1)
  return {
    lnum = row,
    col = column,
    end_lnum = end_row,
    end_col = end_column,
    severity = severity,
    source = "pushhost",
    code = diagnostic.reason,
    message = diagnostic.message,
  }
end

--- The position in the payload that a JSON Pointer into a request names, or nil if it names something else.
local function place(payload, path)
  for _, prefix in ipairs(PREFIXES) do
    local rest = type(path) == "string" and path:sub(1, #prefix) == prefix and path:sub(#prefix + 1)
    if rest and (rest == "" or rest:sub(1, 1) == "/") then
      local node, member, exact = json.find(payload.root, rest)
      if node == payload.root then
        -- A diagnostic about the whole payload is shown at its beginning.
        return node.from, node.from
      elseif exact and not node.members and not node.items then
        return node.from, node.to
      end
      return (member or node).from, (member or node).to
    end
  end
end

--- Replaces the diagnostics in the buffer; a diagnostic without a position in the payload is left out.
---@param payload pushhost.Payload
---@param diagnostics table[] reason, message, path? and severity?
function M.show(payload, diagnostics)
  if not vim.api.nvim_buf_is_valid(payload.buffer) then
    return
  elseif vim.api.nvim_buf_get_changedtick(payload.buffer) ~= payload.tick then
    -- The text has changed, so the positions are wrong; the next check shows new diagnostics.
    return
  end
  local all = {}
  if payload.mistake then
    local mistake = payload.mistake
    local diagnostic = { reason = "invalidJSON", message = "not valid JSON: " .. mistake.message }
    local at = math.max(1, math.min(mistake.at, #payload.text))
    table.insert(all, to_vim_diagnostic(payload, at, at, vim.diagnostic.severity.ERROR, diagnostic))
  end
  for _, diagnostic in ipairs(diagnostics) do
    local from, to = place(payload, diagnostic.path)
    if from then
      local severity = diagnostic.severity or vim.diagnostic.severity.WARN
      table.insert(all, to_vim_diagnostic(payload, from, to, severity, diagnostic))
    end
  end
  vim.diagnostic.set(M.namespace, payload.buffer, all)
end

return M
