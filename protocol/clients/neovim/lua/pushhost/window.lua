--- The buffers in which this plugin draws, and their windows.
local config = require("pushhost.config")

local M = {}

--- The callbacks of buffers that Neovim unloaded and that were not restored or deleted yet.
local unloaded = {}

local function prepare(buffer, fill)
  local options = vim.bo[buffer]
  options.buftype, options.bufhidden, options.swapfile, options.modifiable = "nofile", "hide", false, false
  fill(buffer)
end

--- Creates a read-only buffer.
---
--- When Neovim unloads a buffer, it removes the options and the keys too. `:edit` loads the buffer again, which is then
--- filled again. After `:bdelete` or `:bunload` the buffer is useless and is wiped out.
---@param name string
---@param fill fun(buffer: integer) sets the keys of the buffer, and its text if there is one
---@param gone fun() called when the buffer was wiped out
function M.buffer(name, fill, gone)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, name)
  prepare(buffer, fill)
  vim.api.nvim_create_autocmd("BufUnload", {
    buffer = buffer,
    callback = function()
      -- Neovim unloads all buffers when it exits.
      if vim.v.exiting == vim.NIL then
        unloaded[buffer] = { fill = fill, gone = gone }
        vim.schedule(function()
          M.restore_or_delete(buffer)
        end)
      end
    end,
  })
  return buffer
end

--- Fills a buffer again that Neovim unloaded and loaded, or wipes it out if it was not loaded again.
function M.restore_or_delete(buffer)
  local calls = unloaded[buffer]
  unloaded[buffer] = nil
  if not calls then
    return
  elseif vim.api.nvim_buf_is_loaded(buffer) then
    return prepare(buffer, calls.fill)
  elseif vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_delete(buffer, { force = true })
  end
  calls.gone()
end

--- Opens a window for a buffer with the user's command, unless the tab page has one.
function M.open(buffer, focus)
  if vim.fn.getcmdwintype() ~= "" then
    -- No window can be opened while the command-line window is open.
    vim.api.nvim_create_autocmd("CmdwinLeave", {
      once = true,
      callback = function()
        vim.schedule(function()
          if vim.api.nvim_buf_is_loaded(buffer) then
            M.open(buffer, focus)
          end
        end)
      end,
    })
    return
  end
  for _, id in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(id) == buffer then
      return
    end
  end
  local before, mode = vim.api.nvim_get_current_win(), vim.api.nvim_get_mode().mode
  vim.cmd(config.split)
  vim.api.nvim_win_set_buf(0, buffer)
  vim.cmd("setlocal nonumber norelativenumber nolist wrap linebreak")
  -- If the user is typing or selecting, the cursor stays, so that the text does not go into the split.
  if not focus or mode ~= "n" then
    vim.api.nvim_set_current_win(before)
    -- Newer versions of Neovim end a selection when the window changes.
    if mode:find("^[vV\22]") and vim.api.nvim_get_mode().mode == "n" then
      vim.cmd("normal! gv")
    end
  end
end

--- A text as one line: line breaks, tabs and control characters are replaced.
function M.inline(text)
  text = text:gsub("\r\n?", "\n"):gsub("\226\128[\168\169]", "\n"):gsub("\n", "↵"):gsub("\t", " ")
  return (text:gsub("%c", vim.fn.strtrans))
end

--- The lines of a text, each of one span.
---@param role? string as in the spans of `render`, or "error"
---@return table[][] lines
function M.text(text, role)
  text = text:gsub("\r\n?", "\n"):gsub("\226\128[\168\169]", "\n")
  return vim.tbl_map(function(line)
    return { { text = M.inline(line), role = role } }
  end, vim.split(text, "\n", { plain = true }))
end

--- The columns that a drawing in a buffer may have: those of its narrowest window, or nil if it has no window.
function M.columns(buffer)
  local least
  for _, id in ipairs(vim.fn.win_findbuf(buffer)) do
    local info = vim.fn.getwininfo(id)[1]
    local columns = math.max(1, math.min(1000, info.width - (info.textoff or 0)))
    least = math.min(least or columns, columns)
  end
  return least
end

--- Replaces what a buffer shows.
---@param lines table[][] the spans of each line, as `render` returns them: text, role? and target?
---@return table[] regions row, from, to and target of each stretch that has a target
function M.paint(buffer, namespace, lines)
  local texts, marks, regions = {}, {}, {}
  for row, spans in ipairs(lines) do
    local text = ""
    for _, span in ipairs(spans) do
      local stretch = { row = row - 1, from = #text, to = #text + #span.text, target = span.target }
      text = text .. span.text
      if span.role then
        stretch.group = "Pushhost" .. span.role:gsub("^%l", string.upper)
        table.insert(marks, stretch)
      end
      if span.target then
        table.insert(regions, stretch)
      end
    end
    texts[row] = text
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, texts)
  vim.bo[buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  for _, mark in ipairs(marks) do
    vim.api.nvim_buf_set_extmark(buffer, namespace, mark.row, mark.from, { end_col = mark.to, hl_group = mark.group })
  end
  return regions
end

return M
