--- The split that shows a notification, and what became of it.
local config = require("pushhost.config")
local draw = require("pushhost.draw")
local host = require("pushhost.host")
local window = require("pushhost.window")

local namespace = vim.api.nvim_create_namespace("pushhost-preview")

---@class pushhost.Preview
---@field source integer the buffer of the payload
---@field buffer integer
---@field notification string what calls name
---@field presentation string what the host's news name
---@field shown table what the replies told
---@field before table<string, true> what was shown before, and may have been joined
---@field held table[] news of these, until that is known
---@field regions table[] row, from, to and target of what keys are about
---@field opened boolean whether it opened the app
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

local function each(presentation, act)
  for _, preview in pairs(previews) do
    if preview.presentation == presentation then
      act(preview)
    elseif preview.before[presentation] then
      -- Whether the new notification joined that one is not known yet.
      table.insert(preview.held, { presentation = presentation, act = act })
    end
  end
end

local function make(source)
  local preview = setmetatable({ source = source, regions = {}, before = {}, held = {} }, Preview)
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(source), ":t")
  local buffer = window.buffer(string.format("pushhost://%d/%s", source, name))
  preview.buffer = buffer
  previews[source] = preview
  vim.bo[buffer].filetype = "pushhost"
  require("pushhost.keys").map(preview)
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = buffer,
    callback = function()
      previews[source] = nil
      if not preview.ended and host.is_running() then
        host.request("dismiss", { notification = preview.notification }, function() end)
      end
    end,
  })
  return preview
end

--- Shows what `didReceive` answered to a payload.
function M.show(source, result)
  local preview = previews[source] or make(source)
  if preview.presentation and not preview.ended then
    preview.before[preview.presentation] = true
  end
  preview.notification, preview.presentation = result.notification, result.notification
  preview.shown, preview.ended, preview.status, preview.opened = result, nil, nil, false
  preview:draw()
  window.open(preview.buffer, config.focus)
  preview:settle()
  return preview
end

--- Finds out whether the notification joined what was shown before, which goes otherwise.
function Preview:settle()
  local notification = self.notification
  host.request("notifications", nil, function(problem, result)
    -- A newer notification settles all.
    if problem or self.notification ~= notification then
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
      if visible[presentation] and not M.shows(presentation) then
        host.request("dismiss", { notification = presentation }, function() end)
      end
    end
  end)
end

--- Whether any preview shows a presentation.
function M.shows(presentation)
  for _, preview in pairs(previews) do
    if preview.presentation == presentation then
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
  local notification = self.notification
  params.notification = notification
  host.request(method, params, function(problem, result)
    if self.notification ~= notification then
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

--- What names a target from one drawing to the next.
local function name(target)
  return target.node and "node " .. target.node.id or "action " .. target.action.identifier
end

--- The target under the cursor of the current window, or the only one in its line.
function Preview:target()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local inline = {}
  for _, region in ipairs(self.regions) do
    if region.row == row - 1 then
      if region.from <= column and column < region.to then
        return region.target
      end
      table.insert(inline, region.target)
    end
  end
  return #inline == 1 and inline[1] or nil
end

--- Draws anew; a cursor stays on what it was on.
function Preview:draw()
  if not vim.api.nvim_buf_is_valid(self.buffer) then
    return
  end
  local status = self.status
  if self.ended then
    local opened = self.opened and "; the app was opened" or ""
    local text = "not shown any more: " .. self.ended .. opened
    status = { text = status and text .. "\n" .. status.text or text, group = "PushhostEnded" }
  end
  local places = self:places()
  self.regions = window.paint(self.buffer, namespace, draw.notification(self.shown, status))
  self:restore(places)
end

--- Where each window's cursor is, and on what.
function Preview:places()
  local places = {}
  for _, id in ipairs(vim.fn.win_findbuf(self.buffer)) do
    vim.api.nvim_win_call(id, function()
      local target = self:target()
      places[id] = { name = target and name(target), cursor = vim.api.nvim_win_get_cursor(id) }
    end)
  end
  return places
end

function Preview:restore(places)
  for id, place in pairs(places) do
    local row = math.min(place.cursor[1], vim.api.nvim_buf_line_count(self.buffer))
    local cursor = { row, place.cursor[2] }
    for _, region in ipairs(self.regions) do
      if name(region.target) == place.name then
        cursor = { region.row + 1, region.from }
        break
      end
    end
    vim.api.nvim_win_set_cursor(id, cursor)
  end
end

--- Takes away what a preview shows.
function Preview:dismiss()
  self:call("dismiss", {}, function()
    self:finish("dismissed by the client")
  end)
end

host.on("viewDidChange", function(params)
  each(params.notification, function(preview)
    preview:update(params)
  end)
end)

host.on("didDismiss", function(params)
  each(params.notification, function(preview)
    preview:finish(params.reason)
  end)
end)

host.on("openApplication", function(params)
  for _, preview in pairs(previews) do
    if preview.notification == params.notification or preview.presentation == params.notification then
      preview.opened = true
      preview:draw()
    end
  end
end)

host.on("ended", function(text)
  for _, preview in pairs(previews) do
    -- The next host may give the same ids, as one with a fixed seed does.
    preview.notification, preview.presentation, preview.before = nil, nil, {}
    preview:finish(text)
  end
end)

return M
