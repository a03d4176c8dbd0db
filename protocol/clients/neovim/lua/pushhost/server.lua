--- The language server, which marks mistakes, completes and explains as you type.
local config = require("pushhost.config")
local host = require("pushhost.host")
local lines = require("pushhost.lines")

local M = {}

--- The marks of what an extension refused, beside the server's own.
local namespace = vim.api.nvim_create_namespace("pushhost-refusals")

--- The path of the payload in the request that an extension gets.
local PAYLOAD = "/params/request/content/userInfo"

--- The servers that run, by their command and folder; only for Neovim 0.7, which does not look for one itself.
local started = {}

--- Draws the lenses of a buffer, and draws them again when it changes.
local function show_lenses(buffer)
  if vim.lsp.codelens.enable then
    return vim.lsp.codelens.enable(true, { bufnr = buffer })
  end
  local function refresh()
    if vim.api.nvim_get_current_buf() == buffer then
      vim.lsp.codelens.refresh()
    end
  end
  vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "TextChanged" }, { buffer = buffer, callback = refresh })
  refresh()
end

--- Whether the server knows a file by its name; any other one that it gets is a payload.
local function is_known(name)
  for _, pattern in ipairs({ "/Info%.plist$", "%.entitlements$", "%.strings$", "%.jsonl$" }) do
    if name:find(pattern) then
      return true
    end
  end
  return false
end

local function configuration(buffer)
  return {
    name = "pushhost",
    cmd = config.command("lsp"),
    root_dir = vim.fs and vim.fs.root and vim.fs.root(buffer, ".git") or vim.fn.getcwd(),
    get_language_id = function(attached, filetype)
      return is_known(vim.api.nvim_buf_get_name(attached)) and filetype or "apns"
    end,
    on_attach = function(client, attached)
      if client.server_capabilities.codeLensProvider then
        show_lenses(attached)
      end
    end,
  }
end

--- Attaches the server to a buffer, and starts it if it does not run.
---@param buffer integer
function M.attach(buffer)
  if vim.api.nvim_buf_get_name(buffer) == "" then
    return host.notify("name this buffer first, such as with :file payload.apns", vim.log.levels.WARN)
  end
  local options = configuration(buffer)
  if vim.fn.executable(options.cmd[1]) == 0 then
    return host.notify(lines.cannot_start(options.cmd[1]), vim.log.levels.ERROR)
  end
  if vim.lsp.start then
    return vim.lsp.start(options, {
      bufnr = buffer,
      reuse_client = function(client, other)
        return vim.deep_equal(client.config.cmd, other.cmd) and client.config.root_dir == other.root_dir
      end,
    })
  end
  local key = table.concat(options.cmd, "\0") .. "\0" .. options.root_dir
  if not vim.lsp.get_client_by_id(started[key] or -1) then
    started[key] = vim.lsp.start_client(options)
  end
  vim.lsp.buf_attach_client(buffer, started[key])
end

--- The symbol that a JSON Pointer leads to, or the last one on its way.
local function find(symbols, pointer)
  local found
  for token in pointer:gmatch("/([^/]*)") do
    token = token:gsub("~1", "/"):gsub("~0", "~")
    local inner = vim.tbl_filter(function(symbol)
      return symbol.name == token
    end, symbols)[1]
    if not inner then
      break
    end
    found, symbols = inner, inner.children or {}
  end
  return found
end

--- The byte of its line at which a position is.
local function column(buffer, position, encoding)
  if encoding == "utf-8" then
    return position.character
  end
  local line = vim.api.nvim_buf_get_lines(buffer, position.line, position.line + 1, true)[1]
  if vim.fn.has("nvim-0.11") == 1 then
    return vim.str_byteindex(line, encoding, position.character)
  end
  return vim.str_byteindex(line, position.character, true)
end

--- Marks the key-value pair that an extension refused, until the buffer changes.
---@param buffer integer
---@param problem table the error object of `didReceive`
function M.mark(buffer, problem)
  local cause = (problem.data or {}).cause
  local path = type(cause) == "table" and type(cause.data) == "table" and cause.data.path
  if type(path) ~= "string" or not vim.startswith(path, PAYLOAD .. "/") then
    return
  end
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
  vim.lsp.buf_request(buffer, "textDocument/documentSymbol", params, function(_, symbols, context)
    local symbol = type(symbols) == "table" and find(symbols, path:sub(#PAYLOAD + 1))
    if not symbol or not vim.api.nvim_buf_is_valid(buffer) or vim.api.nvim_buf_get_changedtick(buffer) ~= tick then
      return
    end
    local from, to = symbol.selectionRange.start, symbol.selectionRange["end"]
    local diagnostic = { severity = vim.diagnostic.severity.ERROR, source = "pushhost", message = cause.message }
    diagnostic.code, diagnostic.lnum, diagnostic.end_lnum = cause.data.reason, from.line, to.line
    local encoding = vim.lsp.get_client_by_id(context.client_id).offset_encoding
    diagnostic.col, diagnostic.end_col = column(buffer, from, encoding), column(buffer, to, encoding)
    vim.diagnostic.set(namespace, buffer, { diagnostic })
    local function unmark()
      vim.diagnostic.reset(namespace, buffer)
    end
    vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI" }, { buffer = buffer, once = true, callback = unmark })
  end)
end

return M
