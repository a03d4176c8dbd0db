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
    vim.validate({ [name] = { value, wanted } })
    M[name] = value
  end
end

--- The command line of the host, with the user's options unless `args` has others.
---@return string[]
function M.command()
  local command = type(M.cmd) == "table" and vim.deepcopy(M.cmd) or { M.cmd }
  return vim.list_extend(command, M.args)
end

return M
