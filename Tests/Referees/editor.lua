-- Does the steps of editor-steps.json in Neovim with the plugin: see editors.py.
--
--     nvim --headless --clean -c "luafile Tests/Referees/editor.lua"

vim.opt.runtimepath:prepend(vim.fn.getcwd() .. "/protocol/clients/neovim")
vim.cmd("runtime plugin/pushhost.lua")
require("pushhost").setup({ cmd = vim.env.PUSHHOST })
vim.cmd("cd " .. vim.env.FOLDER)

-- Newer versions of Neovim say which calls will go.
local deprecated = {}
vim.deprecate = function(name)
  table.insert(deprecated, name)
end

local edits = vim.lsp.util
local items = {}
local get_clients = vim.lsp.get_clients or vim.lsp.get_active_clients

local function encoding()
  return get_clients()[1].offset_encoding
end

local function text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, true), "\n") .. "\n"
end

-- Puts the cursor into the text that a step names, or behind it.
local function go(step)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  local found = vim.fn.searchpos("\\V" .. vim.fn.escape(step.at or step.after, "\\"), step.after and "cWe" or "cW")
  assert(found[1] > 0, "it is not in the text")
  -- Behind the text, as the cursor of insert mode stands.
  return { line = found[1] - 1, byte = found[2] - (step.after and 0 or 1) + (step.at and 1 or 0) }
end

local function position(place)
  if encoding() == "utf-8" then
    return { line = place.line, character = place.byte }
  end
  local line = vim.api.nvim_buf_get_lines(0, place.line, place.line + 1, true)[1]
  return { line = place.line, character = select(2, vim.str_utfindex(line:sub(1, place.byte))) }
end

-- The result of a request about the buffer, and about the place of a step that names one.
local function ask(method, step, more)
  local params = vim.tbl_extend("force", { textDocument = edits.make_text_document_params() }, more or {})
  if step.at or step.after then
    params.position = position(go(step))
  end
  for _, reply in pairs(vim.lsp.buf_request_sync(0, method, params, 60000) or {}) do
    return reply.result or error(vim.inspect(reply.error))
  end
end

local function map(list, what)
  return vim.tbl_map(what, list)
end

local function files(places)
  local found = {}
  for _, place in ipairs(places) do
    found[vim.uri_to_fname(place.uri):sub(#vim.env.FOLDER + 2)] = true
  end
  local names = vim.tbl_keys(found)
  table.sort(names)
  return names
end

local steps = {}

function steps.open(step)
  vim.cmd("edit " .. vim.env.FOLDER .. "/" .. step.file)
  -- Neovim 0.7 sends requests before the server has answered the first one.
  assert(vim.wait(60000, function()
    return get_clients()[1] and get_clients()[1].initialized
  end, 10))
end

function steps.marks()
  local found = map(vim.diagnostic.get(0), function(each)
    local code = each.code or each.user_data.lsp.code
    local marked = vim.api.nvim_buf_get_text(0, each.lnum, each.col, each.end_lnum, each.end_col, {})
    return code .. ": " .. table.concat(marked, "\n")
  end)
  table.sort(found)
  return found
end

steps["replace"] = function(step)
  local place = go({ at = step.text })
  local from = place.byte - 1
  vim.api.nvim_buf_set_text(0, place.line, from, place.line, from + #step.text, { step.with })
end

function steps.hover(step)
  return ask("textDocument/hover", step).contents.value
end

function steps.complete(step)
  items = ask("textDocument/completion", step)
  return map(items.items or items, function(item)
    return item.label
  end)
end

function steps.accept(step)
  steps.complete(step)
  local item = vim.tbl_filter(function(each)
    return each.label == step.label
  end, items.items or items)[1]
  if item.insertTextFormat ~= 2 then
    return edits.apply_text_edits({ item.textEdit }, vim.api.nvim_get_current_buf(), encoding())
  end
  -- Neovim expands snippets since 0.10: at the cursor, after what is replaced is gone.
  edits.apply_text_edits({ { range = item.textEdit.range, newText = "" } }, vim.api.nvim_get_current_buf(), encoding())
  local start = item.textEdit.range.start
  vim.api.nvim_win_set_cursor(0, { start.line + 1, start.character })
  vim.snippet.expand(item.textEdit.newText)
  vim.snippet.stop()
  vim.cmd("stopinsert")
end

function steps.fix(step)
  local place = position(go(step))
  local range = { start = place, ["end"] = place }
  local fixes = ask("textDocument/codeAction", {}, { range = range, context = { diagnostics = {} } })
  for _, fix in ipairs(fixes) do
    if fix.title == step.title then
      return edits.apply_workspace_edit(fix.edit, encoding())
    end
  end
  error(vim.inspect(fixes))
end

function steps.text(step)
  return text(step.file and vim.fn.bufnr(vim.env.FOLDER .. "/" .. step.file))
end

function steps.undo()
  vim.cmd("silent undo")
end

function steps.lenses()
  return map(ask("textDocument/codeLens", {}), function(lens)
    return lens.command.title
  end)
end

function steps.execute(step)
  local arguments = { vim.uri_from_bufnr(0), { show = false } }
  local result = ask("workspace/executeCommand", {}, { command = step.command, arguments = arguments })
  local value = result[step.member]
  return type(value) == "string" and value or vim.json.encode(value)
end

function steps.hints()
  local everything = { start = { line = 0, character = 0 }, ["end"] = { line = 1000, character = 0 } }
  return map(ask("textDocument/inlayHint", {}, { range = everything }), function(hint)
    return hint.label
  end)
end

function steps.definition(step)
  return files(ask("textDocument/definition", step))
end

function steps.references(step)
  return files(ask("textDocument/references", step, { context = { includeDeclaration = true } }))
end

function steps.rename(step)
  edits.apply_workspace_edit(ask("textDocument/rename", step, { newName = step.to }), encoding())
end

function steps.save()
  vim.cmd("silent wall")
end

steps["format"] = function()
  local options = { tabSize = 2, insertSpaces = true }
  local found = ask("textDocument/formatting", {}, { options = options })
  edits.apply_text_edits(found, vim.api.nvim_get_current_buf(), encoding())
end

function steps.outline()
  local names = {}
  local function add(symbols)
    for _, symbol in ipairs(symbols) do
      table.insert(names, symbol.name)
      add(symbol.children or {})
    end
  end
  add(ask("textDocument/documentSymbol", {}))
  return names
end

function steps.folds()
  return map(ask("textDocument/foldingRange", {}), function(fold)
    return fold.startLine .. "-" .. fold.endLine
  end)
end

function steps.close()
  vim.cmd("silent bdelete!")
end

-- Whether a value has what a step expects.
local function is_expected(step, value)
  if step.contains then
    return type(value) == "table" and vim.tbl_contains(value, step.contains)
      or type(value) == "string" and value:find(step.contains, 1, true) ~= nil
  end
  return step.expect == nil or vim.deep_equal(value, step.expect)
end

local list = vim.json.decode(table.concat(vim.fn.readfile(vim.env.STEPS), "\n"))
for number, step in ipairs(list) do
  local ok, value
  -- Marks come when the server has checked the text; every other value is in an answer.
  local is_done = vim.wait(step["do"] == "marks" and 30000 or 0, function()
    ok, value = pcall(steps[step["do"]], step)
    return ok and is_expected(step, value)
  end, 10)
  if not is_done then
    io.stdout:write(("step %d: %s has %s\n"):format(number, vim.inspect(step), vim.inspect(value)))
    vim.cmd("cquit 1")
  end
  io.stdout:write(("ok %d %s\n"):format(number, step["do"]))
  -- What a user does next is undone alone.
  vim.cmd("let &undolevels = &undolevels")
end
if #deprecated > 0 then
  io.stdout:write("deprecated calls: " .. table.concat(deprecated, ", ") .. "\n")
  vim.cmd("cquit 1")
end
vim.cmd("qall!")
