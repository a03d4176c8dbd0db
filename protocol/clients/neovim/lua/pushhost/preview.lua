--- The split that shows a notification, and what became of it.
local config = require("pushhost.config")
local cursor = require("pushhost.cursor")
local draw = require("pushhost.draw")
local host = require("pushhost.host")
local window = require("pushhost.window")

local namespace = vim.api.nvim_create_namespace("pushhost-preview")

---@class pushhost.Preview
---@field source integer the buffer of the payload
---@field buffer integer
---@field host pushhost.Process that shows the notification; another one may give the same ids
---@field notification string what calls name
---@field presentation string what the host's news name
---@field shown table what the replies told
---@field before table<string, true> what was shown before, and may have been joined
---@field held table[] news of these, until that is known
---@field regions table[] row, from, to and target of what keys are about
---@field opened? string that it opened the app, and with what
---@field ended? string why it is not shown any more
---@field status? table text and group of what went wrong last
local Preview = {}
Preview.__index = Preview

local M = {}

---@type table<integer, pushhost.Preview> by the buffer of the payload
local previews = {}

--- The preview that a buffer shows, or was delivered to.
---@return pushhost.Preview?
function M.of(buffer)
  for source, preview in pairs(previews) do
    if source == buffer or preview.buffer == buffer then
      return preview
    end
  end
end

local function each(running, presentation, act)
  for _, preview in pairs(previews) do
    if preview.host ~= running then
      -- An id of another host says nothing here.
    elseif preview.presentation == presentation then
      act(preview)
    elseif preview.before[presentation] then
      -- Whether the new notification joined that one is not known yet.
      table.insert(preview.held, { presentation = presentation, act = act })
    end
  end
end

local function make(source)
  local preview = setmetatable({ source = source, regions = {}, before = {}, held = {} }, Preview)
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

--- Takes a notification away that nobody sees any more; what it joined stays where somebody sees that.
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

--- Shows what `didReceive` answered to a payload.
---@param source integer
---@param running pushhost.Process who answered
---@param result table
function M.show(source, running, result)
  if previews[source] then
    window.settle(previews[source].buffer)
  end
  local preview = previews[source] or make(source)
  if preview.host ~= running then
    preview.before, preview.held = {}, {}
  elseif not preview.ended then
    preview.before[preview.presentation] = true
  end
  preview.host = running
  preview.notification, preview.presentation = result.notification, result.notification
  preview.shown, preview.ended, preview.status, preview.opened = result, nil, nil, nil
  preview:draw()
  window.open(preview.buffer, config.focus)
  preview:settle()
  return preview
end

--- Finds out whether the notification joined what was shown before, which goes otherwise.
function Preview:settle()
  local running, notification = self.host, self.notification
  running:request("notifications", nil, function(problem, result)
    -- A newer notification settles all.
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
    local before, held = self.before, self.held
    self.before, self.held = {}, {}
    for _, news in ipairs(held) do
      if news.presentation == self.presentation then
        news.act(self)
      end
    end
    for presentation in pairs(before) do
      if visible[presentation] and not M.shows(running, presentation) then
        running:request("dismiss", { notification = presentation }, function() end)
      end
    end
  end)
end

--- Whether it still shows the notification of a call that was answered.
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

--- Calls a method about the notification and shows what came of it.
function Preview:call(method, params, done)
  if self.ended then
    return self:say("it is not shown any more; :PushDeliver shows it anew")
  end
  local running, notification = self.host, self.notification
  params.notification = notification
  running:request(method, params, function(problem, result)
    if not self:is_about(running, notification) then
      return
    elseif problem then
      local data = problem.data or {}
      if data.reason == "noPresentation" then
        return self:finish(data.ended)
      end
      return self:say(host.describe(problem))
    end
    if result.view then
      self:update(result)
    end
    if done then
      done(result)
    end
  end)
end

--- Takes the view, the actions, the title and the media button of a reply, or of the host's news.
function Preview:update(display)
  for _, name in ipairs({ "view", "actions", "title", "media", "diagnostics" }) do
    self.shown[name] = display[name]
  end
  self.status = nil
  self:draw()
end

--- Shows what went wrong until the next reply.
function Preview:say(text)
  self.status = { text = text, group = "PushhostError" }
  self:draw()
end

--- Shows that the notification is gone; the first reason counts.
function Preview:finish(reason)
  self.ended = self.ended or reason
  self.status = nil
  self:draw()
end

--- Draws anew; a cursor stays on what it was on.
function Preview:draw()
  if not vim.api.nvim_buf_is_valid(self.buffer) then
    return
  end
  local status = self.status
  if self.ended then
    local text = "not shown any more: " .. self.ended .. (self.opened or "")
    status = { text = status and text .. "\n" .. status.text or text, group = "PushhostEnded" }
  end
  local places = cursor.places(self.buffer, self.regions)
  self.regions = window.paint(self.buffer, namespace, draw.notification(self.shown, status))
  cursor.restore(places, self.buffer, self.regions)
end

--- Takes away what a preview shows.
function Preview:dismiss()
  self:call("dismiss", {}, function()
    self:finish("dismissed by the client")
  end)
end

host.on("viewDidChange", function(params, running)
  each(running, params.notification, function(preview)
    preview:update(params)
  end)
end)

host.on("didDismiss", function(params, running)
  each(running, params.notification, function(preview)
    preview:finish(params.reason)
  end)
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

return M
