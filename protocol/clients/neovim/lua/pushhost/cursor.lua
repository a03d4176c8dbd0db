--- Finds the target under the cursor, and keeps the cursor on it when the buffer is redrawn.
local M = {}

--- A name by which a target is found again after redrawing.
local function name(target)
  return target.node and "node " .. target.node.id or "action " .. target.action.identifier
end

--- The target under the cursor of the current window, or the only one in its line.
---@param regions table[] row, from, to and target
function M.target(regions)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local inline = {}
  for _, region in ipairs(regions) do
    if region.row == row - 1 then
      if region.from <= column and column < region.to then
        return region.target
      end
      table.insert(inline, region.target)
    end
  end
  return #inline == 1 and inline[1] or nil
end

--- For each window of a buffer, the position of its cursor and the name of the target there.
function M.places(buffer, regions)
  local places = {}
  for _, id in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.api.nvim_win_call(id, function()
      local target = M.target(regions)
      places[id] = { name = target and name(target), cursor = vim.api.nvim_win_get_cursor(id) }
    end)
  end
  return places
end

--- Moves each cursor to the target that it was on, or to its old position if the target does not exist any more.
function M.restore(places, buffer, regions)
  for id, place in pairs(places) do
    local row = math.min(place.cursor[1], vim.api.nvim_buf_line_count(buffer))
    local cursor = { row, place.cursor[2] }
    for _, region in ipairs(regions) do
      if name(region.target) == place.name then
        cursor = { region.row + 1, region.from }
        break
      end
    end
    vim.api.nvim_win_set_cursor(id, cursor)
  end
end

return M
