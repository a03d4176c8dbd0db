--- The splits that show notifications.
local config = require("pushhost.config")
local cursor = require("pushhost.cursor")
local host = require("pushhost.host")
local window = require("pushhost.window")

local namespace = vim.api.nvim_create_namespace("pushhost-preview")

---@class pushhost.Preview
---@field source integer the buffer of the payload
---@field buffer integer
---@field host pushhost.Process the host that shows the notification; another host may use the same ids
---@field notification string the id in calls
---@field presentation string the id in the host's notifications
---@field shown table the members of the replies
---@field lines table[][] the drawing of it, as `render` returns it
---@field columns? integer the columns that were asked for
---@field before table<string, true> earlier presentations, which the notification may have joined
---@field deferred table[] updates of these presentations, until it is known which one it joined
---@field regions table[] row, from, to and target of each target
---@field opened? string a text that says that it opened the app, and the URL
---@field ended? string why it is not shown any more
---@field status? string the last error
---@field printed string[] what the extension wrote on its stderr since the last call
local Preview = {}
Preview.__index = Preview

local M = {}

--- At most so many lines of stderr are shown.
local PRINTED = 20
--- The columns of a drawing that no window shows yet.
local WIDEST = 72

--- What each extension wrote on its stderr since the last delivery, by its bundle identifier.
---@type table<string, string[]>
local printed = {}

---@type table<integer, pushhost.Preview> by the buffer of the payload
local previews = {}

--- The preview that a buffer shows, or that shows the payload in the buffer.
---@return pushhost.Preview?
function M.of(buffer)
  for source, preview in pairs(previews) do
    if source == buffer or preview.buffer == buffer then
      return preview
    end
  end
end

local function for_each_preview(running, presentation, act)
  for _, preview in pairs(previews) do
    if preview.host ~= running then
      -- The same id of another host is another presentation.
    elseif preview.presentation == presentation then
      act(preview)
    elseif preview.before[presentation] then
      -- Whether the new notification joined that one is not known yet.
      table.insert(preview.deferred, { presentation = presentation, act = act })
    end
  end
end

local function create(source)
  local preview = setmetatable({ source = source, lines = {}, regions = {} }, Preview)
  preview.before, preview.deferred, preview.printed = {}, {}, {}
  previews[source] = preview
  local name = string.format("pushhost://%d/%s", source, vim.fn.fnamemodify(vim.api.nvim_buf_get_name(source), ":t"))
  window.buffer(name, function(buffer)
    preview.buffer = buffer
    vim.bo[buffer].filetype = "pushhost"
    require("pushhost.keys").map(preview)
    if preview.shown then
      preview:draw()
    end
  end, function()
    previews[source] = nil
    if not preview.ended then
      M.drop(preview.host, preview.notification)
    end
  end)
  return preview
end

--- Dismisses a notification that is not visible any more, unless another preview shows the presentation that it joined.
---@param running pushhost.Process
---@param notification string
function M.drop(running, notification)
  running:request("notifications", nil, function(problem, result)
    for _, presentation in ipairs(problem and {} or result.notifications) do
      local is_part = vim.tbl_contains(presentation.notifications, notification)
      if is_part and not M.shows(running, presentation.notification) then
        running:request("dismiss", { notification = presentation.notification }, function() end)
      end
    end
  end)
end

--- Shows the result of `didReceive`.
---@param source integer
---@param running pushhost.Process the host that answered
---@param result table
function M.show(source, running, result)
  if previews[source] then
    window.restore_or_delete(previews[source].buffer)
  end
  local preview = previews[source] or create(source)
  if preview.host ~= running then
    preview.before, preview.deferred = {}, {}
  elseif not preview.ended then
    preview.before[preview.presentation] = true
  end
  preview.host = running
  preview.notification, preview.presentation = result.notification, result.notification
  preview.shown, preview.ended, preview.status, preview.opened = result, nil, nil, nil
  preview.printed = printed[result.extension] or {}
  printed = {}
  window.open(preview.buffer, config.focus)
  preview:render()
  preview:resolve_thread()
  return preview
end

--- Finds out whether the notification joined an earlier presentation, and dismisses the earlier ones if it did not.
function Preview:resolve_thread()
  local running, notification = self.host, self.notification
  running:request("notifications", nil, function(problem, result)
    -- If there is a newer notification, its own call does this.
    if problem or not self:is_about(running, notification) then
      return
    end
    local visible = {}
    for _, presentation in ipairs(result.notifications) do
      visible[presentation.notification] = true
      if vim.tbl_contains(presentation.notifications, notification) then
        self.presentation = presentation.notification
      end
    end
    local before, deferred = self.before, self.deferred
    self.before, self.deferred = {}, {}
    for _, update in ipairs(deferred) do
      if update.presentation == self.presentation then
        update.act(self)
      end
    end
    for presentation in pairs(before) do
      if visible[presentation] and not M.shows(running, presentation) then
        running:request("dismiss", { notification = presentation }, function() end)
      end
    end
  end)
end

--- Whether the preview still shows the notification that an answered call was about.
function Preview:is_about(running, notification)
  return self.host == running and self.notification == notification
end

--- Whether any preview shows a presentation of a host.
function M.shows(running, presentation)
  for _, preview in pairs(previews) do
    if preview.host == running and preview.presentation == presentation then
      return true
    end
  end
  return false
end

--- Calls a method for the notification and shows the result.
function Preview:call(method, params, done)
  if self.ended then
    return self:show_error("the notification is not shown any more; :PushDeliver shows it again")
  end
  local running, notification = self.host, self.notification
  params.notification = notification
  self.printed = {}
  running:request(method, params, function(problem, result)
    if not self:is_about(running, notification) then
      return
    elseif problem then
      local data = problem.data or {}
      if data.reason == "noPresentation" then
        return self:finish(data.ended)
      end
      -- The error has the end of stderr.
      self.printed = data.stderr and {} or self.printed
      return self:show_error(host.describe(problem))
    end
    if result.view then
      self:update(result)
    end
    if done then
      done(result)
    end
  end)
end

--- Updates the view, the actions, the title and the media button from a reply or a notification of the host.
function Preview:update(display)
  for _, name in ipairs({ "view", "actions", "title", "media", "diagnostics" }) do
    self.shown[name] = display[name]
  end
  self.status = nil
  self:render()
end

--- Shows an error until the next reply.
function Preview:show_error(text)
  self.status = text
  self:draw()
end

--- Shows that the notification has ended; only the first reason is kept.
function Preview:finish(reason)
  self.ended = self.ended or reason
  self.status = nil
  self:draw()
end

--- Gets the drawing of what is shown now from the host, and draws it.
function Preview:render()
  local running, notification = self.host, self.notification
  self.columns = window.columns(self.buffer) or WIDEST
  local params = { notification = notification, format = "lines", width = self.columns }
  running:request("render", params, function(problem, result)
    if not self:is_about(running, notification) then
      return
    end
    local reason = problem and (problem.data or {}).reason
    -- The end of a notification or of its host is told elsewhere, and the last drawing stays.
    if problem and reason ~= "noPresentation" and reason ~= "hostEnded" then
      self.status = host.describe(problem)
    end
    self.lines = result and result.lines or self.lines
    self:draw()
  end)
end

--- Gets another drawing if the windows have other widths.
function Preview:fit()
  local columns = window.columns(self.buffer)
  if columns and self.columns and columns ~= self.columns and not self.ended then
    self:render()
  end
end

--- What is below the drawing: the diagnostics of the last reply, and why a call failed or nothing is shown any more.
local function remarks(preview)
  local lines = {}
  local function add(text, role)
    vim.list_extend(lines, window.text(text, role))
  end
  for _, diagnostic in ipairs(preview.shown.diagnostics or {}) do
    add("! " .. diagnostic.message, "warning")
  end
  if preview.ended then
    add("not shown any more: " .. preview.ended .. (preview.opened or ""), "warning")
  end
  if preview.status then
    add(preview.status, "error")
  end
  for _, line in ipairs(preview.printed) do
    add(line, "dim")
  end
  return #lines > 0 and vim.list_extend({ {} }, lines) or {}
end

--- Draws the buffer again; the cursors stay on their targets.
function Preview:draw()
  if not vim.api.nvim_buf_is_valid(self.buffer) then
    return
  end
  local lines = vim.list_extend(vim.list_slice(self.lines), remarks(self))
  local places = cursor.places(self.buffer, self.regions)
  self.regions = window.paint(self.buffer, namespace, lines)
  cursor.restore(places, self.buffer, self.regions)
end

--- Dismisses the notification.
function Preview:dismiss()
  self:call("dismiss", {}, function()
    self:finish("dismissed by the client")
  end)
end

host.on("viewDidChange", function(params, running)
  for_each_preview(running, params.notification, function(preview)
    preview:update(params)
  end)
end)

host.on("didDismiss", function(params, running)
  for_each_preview(running, params.notification, function(preview)
    preview:finish(params.reason)
  end)
end)

host.on("$/stderr", function(params, running)
  local lines = printed[params.extension] or {}
  printed[params.extension] = lines
  local lists = { lines }
  for _, preview in pairs(previews) do
    if preview.host == running and preview.shown.extension == params.extension then
      table.insert(lists, preview.printed)
    end
  end
  for _, list in ipairs(lists) do
    table.insert(list, params.line)
    if #list > PRINTED then
      table.remove(list, 1)
    end
  end
  for _, preview in pairs(previews) do
    if preview.host == running and preview.shown.extension == params.extension then
      preview:draw()
    end
  end
end)

host.on("openApplication", function(params, running)
  for _, preview in pairs(previews) do
    local is_part = preview.notification == params.notification or preview.presentation == params.notification
    if preview.host == running and is_part then
      preview.opened = "; the app was opened" .. (params.url and " with " .. params.url or "")
      preview:draw()
    end
  end
end)

host.on("ended", function(text, running)
  for _, preview in pairs(previews) do
    if preview.host == running then
      preview:finish(text)
    end
  end
end)

-- Neovim before 0.9 does not tell that a single window was resized.
local resized = vim.fn.exists("##WinResized") == 1 and { "WinResized" } or {}
vim.api.nvim_create_autocmd(vim.list_extend({ "BufWinEnter", "VimResized" }, resized), {
  group = vim.api.nvim_create_augroup("pushhost-preview", {}),
  desc = "Draw notifications for the widths of their windows",
  callback = function()
    for _, preview in pairs(previews) do
      preview:fit()
    end
  end,
})

return M
