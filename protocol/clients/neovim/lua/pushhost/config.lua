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
}

local types = { cmd = { "string", "table" }, args = "table", split = "string", focus = "boolean" }

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

--- The user's command, with more words.
local function command(...)
  return vim.list_extend(type(M.cmd) == "table" and vim.deepcopy(M.cmd) or { M.cmd }, { ... })
end

--- The command line of the host, with the user's options. The suites are in a temporary folder unless an option
--- says where they are: a preview must not touch real analytics.
---@return string[]
function M.host_command()
  local words = vim.list_extend(command(), M.args)
  return names_suites(words) and words or vim.list_extend(words, { "--ephemeral" })
end

--- The options of the host that other commands have too.
local SHARED = {
  lsp = { ["--plugins"] = true },
  preview = { ["--plugins"] = true, ["--data"] = true, ["--locale"] = true, ["--clock"] = true },
}

--- The command line of another command, with those of the user's options that it has. Like the host, it keeps the
--- suites in a temporary folder unless an option says where they are.
---@param name string
---@return string[]
function M.command(name, ...)
  local words = command(name, ...)
  for index, word in ipairs(M.args) do
    if SHARED[name][word:match("^%-%-%a+")] then
      table.insert(words, word)
      if not word:find("=", 1, true) then
        table.insert(words, M.args[index + 1])
      end
    end
  end
  return words
end

return M
