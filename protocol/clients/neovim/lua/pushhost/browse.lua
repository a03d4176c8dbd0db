--- Payloads in the browser: a process `pushhost preview` for each file, which ends with Neovim.
local config = require("pushhost.config")
local host = require("pushhost.host")
local lines = require("pushhost.lines")

local M = {}

---@class pushhost.Page
---@field job integer
---@field url? string nil until the process has told it
---@field stopped? boolean whether it was asked to end

--- The running processes by the file of the payload.
---@type table<string, pushhost.Page>
local pages = {}

--- Opens a URL in the user's browser.
local function open(url)
  host.notify("the browser shows " .. url)
  if vim.ui.open then
    local _, problem = vim.ui.open(url)
    return problem and host.notify(problem, vim.log.levels.WARN)
  end
  -- Before Neovim 0.10.
  local opener = vim.fn.has("mac") == 1 and "open" or "xdg-open"
  if vim.fn.executable(opener) == 1 then
    vim.fn.jobstart({ opener, url }, { detach = true })
  end
end

local function ended(file, page, code, tail)
  if pages[file] == page then
    pages[file] = nil
  end
  if not page.stopped and vim.v.exiting == vim.NIL then
    host.notify("the preview ended with code " .. code .. lines.said(tail), vim.log.levels.ERROR)
  end
end

local function start(file)
  local page = {}
  local tail, collect = lines.tail()
  local command = config.command("preview", file)
  local ok, job = pcall(vim.fn.jobstart, command, {
    on_stdout = lines.reader(function(line)
      local url = line:match("http://%S+")
      if url and not page.url then
        page.url = url
        open(url)
      end
    end),
    on_stderr = collect,
    on_exit = function(_, code)
      ended(file, page, code, tail)
    end,
  })
  if not ok or job <= 0 then
    return host.notify(lines.cannot_start(command[1]), vim.log.levels.ERROR)
  end
  page.job = job
  pages[file] = page
end

--- Shows the payload in a buffer's file in the browser; a file that is shown already keeps its page.
---@param buffer integer
function M.show(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  if vim.fn.filereadable(file) == 0 then
    return host.notify("write this payload to a file first: the browser shows the file", vim.log.levels.WARN)
  end
  if vim.bo[buffer].modified then
    host.notify("the browser shows the changes of this buffer once it is written", vim.log.levels.WARN)
  end
  local page = pages[file]
  if not page then
    start(file)
  elseif page.url then
    open(page.url)
  end
end

--- Ends all of them; returns whether there were any.
function M.stop()
  local found = next(pages) ~= nil
  for _, page in pairs(pages) do
    page.stopped = true
    pcall(vim.fn.jobstop, page.job)
  end
  pages = {}
  return found
end

--- The ids of the processes.
function M.pids()
  return vim.tbl_map(function(page)
    return vim.fn.jobpid(page.job)
  end, vim.tbl_values(pages))
end

return M
