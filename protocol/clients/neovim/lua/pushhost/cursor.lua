--- Finds the target under the cursor, and keeps the cursor on it when the buffer is drawn again.
local M = {}

--- A key for a target: it has one member, which says what a press on it means.
---@param target table element, action or media, as in the spans of `render`
function M.key(target)
  local kind, value = next(target)
  return kind .. " " .. value
end

--- The target under the cursor of the current window, or the only one in its line.
---@param regions table[] row, from, to and target
function M.target(regions)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local keys, only = {}, nil
  for _, region in ipairs(regions) do
    if region.row == row - 1 then
      if region.from <= column and column < region.to then
        return region.target
      end
      keys[M.key(region.target)] = true
      only = region.target
    end
  end
  return vim.tbl_count(keys) == 1 and only or nil
end

--- Where the cursor goes for each target: to the beginning of the middle one of its lines, from top to bottom.
---@return table[] row, from and target
function M.stops(regions)
  local lines, order = {}, {}
  for _, region in ipairs(regions) do
    local key = M.key(region.target)
    if not lines[key] then
      lines[key] = {}
      table.insert(order, key)
    end
    local last = lines[key][#lines[key]]
    if not last or last.row < region.row then
      table.insert(lines[key], region)
    end
  end
  return vim.tbl_map(function(key)
    return lines[key][math.ceil(#lines[key] / 2)]
  end, order)
end

--- For each window of a buffer, the position of its cursor and the target there.
function M.places(buffer, regions)
  local places = {}
  for _, id in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.api.nvim_win_call(id, function()
      local target = M.target(regions)
      places[id] = { key = target and M.key(target), cursor = vim.api.nvim_win_get_cursor(id) }
    end)
  end
  return places
end

--- Moves each cursor to the target that it was on, or to its old position if the target does not exist any more.
function M.restore(places, buffer, regions)
  for id, place in pairs(places) do
    local row = math.min(place.cursor[1], vim.api.nvim_buf_line_count(buffer))
    local cursor = { row, place.cursor[2] }
    for _, stop in ipairs(M.stops(regions)) do
      if M.key(stop.target) == place.key then
        cursor = { stop.row + 1, stop.from }
        break
      end
    end
    vim.api.nvim_win_set_cursor(id, cursor)
  end
end

return M
