--- Buffers that are drawn, and their windows.
local config = require("pushhost.config")

local M = {}

--- Makes a buffer that nobody writes in.
function M.buffer(name)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, name)
  vim.bo[buffer].bufhidden = "hide"
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].modifiable = false
  return buffer
end

--- Opens a window for a buffer with the user's command, unless there is one.
function M.open(buffer, focus)
  if #vim.fn.win_findbuf(buffer) > 0 then
    return
  end
  local before = vim.api.nvim_get_current_win()
  vim.cmd(config.split)
  vim.api.nvim_win_set_buf(0, buffer)
  vim.cmd("setlocal nonumber norelativenumber nolist wrap linebreak")
  if not focus then
    vim.api.nvim_set_current_win(before)
  end
end

--- Replaces what a buffer shows.
---@param block pushhost.Block
---@return table[] regions row, from, to and target of each stretch that has a target
function M.paint(buffer, namespace, block)
  local texts = vim.tbl_map(function(line)
    return line.text
  end, block)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, texts)
  vim.bo[buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  local regions = {}
  for row, line in ipairs(block) do
    for _, span in ipairs(line.spans) do
      if span.group and span.to > span.from then
        local options = { end_col = span.to, hl_group = span.group }
        vim.api.nvim_buf_set_extmark(buffer, namespace, row - 1, span.from, options)
      end
      if span.target then
        table.insert(regions, { row = row - 1, from = span.from, to = span.to, target = span.target })
      end
    end
  end
  return regions
end

return M
