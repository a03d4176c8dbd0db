--- What processes say: the lines of their output, and why they did not start or have ended.
local M = {}

--- How many lines are kept for the message about its end.
local TAIL = 20

--- Splits the output of a channel into lines; see `:help channel-lines` for its format.
---@param each fun(line: string) gets each line that is not empty
function M.reader(each)
  local parts = {}
  local function finish()
    local line = table.concat(parts)
    parts = {}
    if line ~= "" then
      each(line)
    end
  end
  return function(_, data)
    for index, part in ipairs(data) do
      if index > 1 then
        finish()
      end
      parts[#parts + 1] = part
    end
    if #data == 1 and data[1] == "" then
      finish()
    end
  end
end

--- A list that keeps the last lines of the output.
---@return string[] tail
---@return fun(...) reader
function M.tail()
  local tail = {}
  return tail,
    M.reader(function(line)
      table.insert(tail, line)
      if #tail > TAIL then
        table.remove(tail, 1)
      end
    end)
end

--- Why a program could not be started.
function M.cannot_start(program)
  local hint = "set cmd in require('pushhost').setup{}"
  return string.format("cannot start %s: it is not executable; %s", program, hint)
end

--- What the output of an ended process says in a message.
---@param tail string[]
function M.said(tail)
  return #tail > 0 and "; its stderr ends with:\n" .. table.concat(tail, "\n") or " and wrote nothing to stderr"
end

return M
