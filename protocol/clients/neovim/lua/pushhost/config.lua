--- The user's options.
local M = {
  --- The host: a name in PATH, a path, or a command with its first arguments.
  ---@type string|string[]
  cmd = "pushhost",
  --- Its options, such as { "--plugins", "…" }.
  ---@type string[]
  args = {},
  --- The command that opens the window of the view.
  split = "rightbelow vsplit",
  --- Whether that window gets the cursor when it opens.
  focus = true,
  --- Whether a payload is checked when it is written.
  check_on_save = true,
}

local types = { cmd = { "string", "table" }, args = "table", split = "string" }
types.focus, types.check_on_save = "boolean", "boolean"

--- Sets options; options that are absent keep their values.
function M.set(choices)
  for name, value in pairs(choices or {}) do
    local wanted = types[name]
    if not wanted then
      error("pushhost: there is no option " .. tostring(name) .. "; see :help pushhost-setup", 0)
    end
    if not vim.tbl_contains(type(wanted) == "table" and wanted or { wanted }, type(value)) then
      local kinds = type(wanted) == "table" and table.concat(wanted, " or ") or wanted
      error(("%s: expected %s, got %s"):format(name, kinds, type(value)), 0)
    end
    M[name] = value
  end
end

--- Whether a command line says where the suites are.
local function names_suites(command)
  for _, word in ipairs(command) do
    if word == "--ephemeral" or word == "--data" or vim.startswith(word, "--data=") then
      return true
    end
  end
  return false
end

--- The command line of the host, with the user's options. The suites are in a temporary folder unless an option
--- says where they are: a preview must not touch real analytics.
---@return string[]
function M.command()
  local command = type(M.cmd) == "table" and vim.deepcopy(M.cmd) or { M.cmd }
  vim.list_extend(command, M.args)
  return names_suites(command) and command or vim.list_extend(command, { "--ephemeral" })
end

--- The options of the host that a preview has too.
local SHARED = { ["--plugins"] = true, ["--data"] = true, ["--locale"] = true, ["--clock"] = true }

--- The command line of a preview of a file, with those of the user's options that it has. Like the host it keeps the
--- suites in a temporary folder unless an option says where they are.
---@param file string
---@return string[]
function M.preview_command(file)
  local command = type(M.cmd) == "table" and vim.deepcopy(M.cmd) or { M.cmd }
  vim.list_extend(command, { "preview", file })
  for index, word in ipairs(M.args) do
    if SHARED[word:match("^%-%-%a+")] then
      table.insert(command, word)
      if not word:find("=", 1, true) then
        table.insert(command, M.args[index + 1])
      end
    end
  end
  return command
end

return M
