-- Edits a payload in Neovim with the language server, and compares what the editor then knows.
--
--     nvim --headless --clean -c "luafile editor.lua"   (PUSHHOST and PLUGINS name the program and a folder of bundles)

local function fail(text)
  io.stderr:write(text .. "\n")
  vim.cmd("cquit 1")
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 10) then
    fail("waited in vain for " .. what .. ": " .. vim.inspect(vim.diagnostic.get(0)))
  end
end

local function codes()
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    local code = each.code or (each.user_data and each.user_data.lsp and each.user_data.lsp.code)
    table.insert(found, ("%s %d:%d"):format(code, each.lnum, each.col))
  end
  table.sort(found)
  return table.concat(found, ", ")
end

--- The first result of a request about a place.
local function ask(method, line, character, more)
  local params = vim.tbl_extend("force", {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = line, character = character },
  }, more or {})
  local replies = vim.lsp.buf_request_sync(0, method, params, 60000)
  for _, reply in pairs(replies or {}) do
    return reply.result
  end
end

vim.cmd("edit " .. vim.fn.tempname() .. ".apns")
vim.api.nvim_buf_set_lines(0, 0, -1, false, { '{"aps": {"alert": "😀", "category": "lab_registr", "sond": "a"},, "x": "y"}' })
vim.lsp[vim.lsp.start and "start" or "start_client"]({
  name = "pushhost",
  cmd = { vim.env.PUSHHOST, "lsp", "--plugins", vim.env.PLUGINS },
  root_dir = vim.fn.getcwd(),
  on_init = function(client)
    vim.lsp.buf_attach_client(0, client.id)
  end,
})
wait("the mistakes", function()
  return codes() == "invalidJSON 0:66, misspeltKey 0:53, noExtension 0:38"
end)

-- An edit in the middle of the line, after a character of two UTF-16 units.
vim.api.nvim_buf_set_text(0, 0, 66, 0, 67, { "" })
wait("the comma's end", function()
  return codes() == "misspeltKey 0:53, noExtension 0:38"
end)
vim.api.nvim_buf_set_text(0, 0, 54, 0, 58, { "sound" })
wait("the key's end", function()
  return codes() == "noExtension 0:38"
end)

local hover = ask("textDocument/hover", 0, 30)
if not hover.contents.value:find("decides which extension shows") then
  fail(vim.inspect(hover))
end
local labels = vim.tbl_map(function(item)
  return item.label
end, ask("textDocument/completion", 0, 40))
if not vim.tbl_contains(labels, "lab_register") then
  fail(vim.inspect(labels))
end
local place = { start = { line = 0, character = 40 }, ["end"] = { line = 0, character = 40 } }
local fixes = ask("textDocument/codeAction", 0, 40, { range = place, context = { diagnostics = {} } })
local encoding = (vim.lsp.get_clients or vim.lsp.get_active_clients)()[1].offset_encoding
vim.lsp.util.apply_workspace_edit(fixes[1].edit, encoding)
wait("the category's end", function()
  return not codes():find("noExtension")
end)
local edits = ask("textDocument/formatting", 0, 0, { options = { tabSize = 2, insertSpaces = true } })
vim.lsp.util.apply_text_edits(edits, vim.api.nvim_get_current_buf(), encoding)
if vim.api.nvim_buf_get_lines(0, 0, 3, false)[3] ~= '    "alert": "😀",' then
  fail(vim.inspect(vim.api.nvim_buf_get_lines(0, 0, -1, false)))
end
if #ask("textDocument/documentSymbol", 0, 0) ~= 2 or #ask("textDocument/foldingRange", 0, 0) ~= 2 then
  fail("the outline or the folds are wrong")
end
io.stdout:write(("neovim %d.%d: every step\n"):format(vim.version().major, vim.version().minor))
vim.cmd("qall!")
