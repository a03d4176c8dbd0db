--- Blocks: lines of text with highlighted spans, which can be placed below or beside each other.
local M = {}

---@class pushhost.Line
---@field text string
---@field spans table[] from and to (bytes from 0, end-exclusive), group?, target?

---@alias pushhost.Block pushhost.Line[]

--- The width of a text without tabs in columns. (The result of strdisplaywidth depends on the current window.)
M.columns = vim.api.nvim_strwidth

--- A text as one line: line breaks, tabs and control characters are replaced.
function M.inline(text)
  text = text:gsub("\r\n?", "\n"):gsub("\226\128[\168\169]", "\n"):gsub("\n", "↵"):gsub("\t", " ")
  return (text:gsub("%c", vim.fn.strtrans))
end

--- A highlighted block with the lines of a text. `target` is the node or the action that a key on the block affects.
---@return pushhost.Block
function M.text(text, group, target)
  text = text:gsub("\r\n?", "\n"):gsub("\226\128[\168\169]", "\n")
  local block = {}
  for _, line in ipairs(vim.split(text, "\n", { plain = true })) do
    line = M.inline(line)
    table.insert(block, { text = line, spans = { { from = 0, to = #line, group = group, target = target } } })
  end
  return block
end

--- Blocks from top to bottom.
---@param blocks pushhost.Block[]
---@return pushhost.Block
function M.below(blocks)
  local all = {}
  for _, block in ipairs(blocks) do
    vim.list_extend(all, block)
  end
  return all
end

--- The width of a block in columns.
function M.width(block)
  local most = 0
  for _, line in ipairs(block) do
    most = math.max(most, M.columns(line.text))
  end
  return most
end

--- Adds a line to the right end of another.
local function append(line, other)
  local offset = #line.text
  line.text = line.text .. other.text
  for _, span in ipairs(other.spans) do
    table.insert(
      line.spans,
      { from = span.from + offset, to = span.to + offset, group = span.group, target = span.target }
    )
  end
end

--- Blocks from left to right; each column is as wide as its block, or as `widths` says if that is wider.
---@param blocks pushhost.Block[]
---@param widths? integer[]
---@return pushhost.Block
function M.beside(blocks, widths)
  local all, left = {}, 0
  for index, block in ipairs(blocks) do
    for row, line in ipairs(block) do
      all[row] = all[row] or { text = "", spans = {} }
      all[row].text = all[row].text .. (" "):rep(left - M.columns(all[row].text))
      append(all[row], line)
    end
    left = left + math.max(M.width(block), widths and widths[index] or 0) + 1
  end
  return all
end

return M
