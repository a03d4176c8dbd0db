--- The keys of a preview.
local cursor = require("pushhost.cursor")

local M = {}

local DEFAULT = "com.apple.UNNotificationDefaultActionIdentifier"
local DISMISS = "com.apple.UNNotificationDismissActionIdentifier"

local function string_or(value, other)
  return type(value) == "string" and value ~= "" and value or other
end

--- Responds with an action; if the action has a text input, asks for the text first.
local function respond(preview, action)
  local function send(text)
    local params = { actionIdentifier = action.identifier, userText = text }
    preview:call("didReceiveResponse", params, function(result)
      if result.option ~= "doNotDismiss" then
        preview:finish(result.option .. " after " .. action.identifier)
      end
    end)
  end
  if not action.textInput then
    return send(nil)
  end
  local prompt = string_or(action.textInput.placeholder, string_or(action.textInput.buttonTitle, action.title))
  vim.ui.input({ prompt = prompt .. ": " }, function(text)
    if text then
      send(text)
    end
  end)
end

--- Swipes a carousel to the next or the previous page; it stops at its ends, as on a phone.
local function swipe(preview, node, direction)
  local page = node.page + direction
  if page < 0 or page >= #(node.children or {}) then
    return preview:show_error(direction > 0 and "this is the last page" or "this is the first page")
  end
  preview:call("interact", { element = node.id, value = page })
end

--- The carousels of a view that can be swiped, except those on hidden pages.
local function carousels(node, found)
  local children = type(node.children) == "table" and node.children or {}
  if node.type == "carousel" then
    found[#found + 1] = type(node.id) == "string" and node or nil
    children = { children[node.page + 1] }
  end
  for _, child in ipairs(children) do
    carousels(child, found)
  end
  return found
end

--- A node of a view by its id.
local function find(node, id)
  if node.id == id then
    return node
  end
  for _, child in ipairs(type(node.children) == "table" and node.children or {}) do
    local found = find(child, id)
    if found then
      return found
    end
  end
end

--- The node or the action that a target means; nil if the target is another, or what it meant is gone.
local function meant(preview, target)
  if target.element then
    return find(preview.shown.view or {}, target.element)
  end
  for _, action in ipairs(target.action and preview.shown.actions or {}) do
    if action.identifier == target.action then
      return action
    end
  end
end

--- The target under the cursor, and the node or the action that it means.
local function pointed(preview)
  local target = cursor.target(preview.regions) or {}
  return target, meant(preview, target)
end

--- Swipes the carousel under the cursor, or the only one of the view.
local function turn(preview, direction)
  local _, node = pointed(preview)
  if node and node.type == "carousel" then
    return swipe(preview, node, direction)
  end
  local found = carousels(preview.shown.view or {}, {})
  if #found == 1 then
    return swipe(preview, found[1], direction)
  end
  preview:show_error(#found == 0 and "there are no pages" or "put the cursor on the pages to turn")
end

--- Touches an element; a field asks for its text, a carousel goes to its next page.
local function touch(preview, node)
  if node.type == "carousel" then
    return swipe(preview, node, 1)
  end
  if node.type ~= "field" then
    return preview:call("interact", { element = node.id })
  end
  local prompt = string_or(node.placeholder, node.id) .. ": "
  vim.ui.input({ prompt = prompt, default = string_or(node.value, "") }, function(text)
    if text then
      preview:call("interact", { element = node.id, value = text })
    end
  end)
end

local function enter(preview)
  local target, found = pointed(preview)
  if target.media then
    preview:call(target.media, {})
  elseif found then
    (target.element and touch or respond)(preview, found)
  end
end

--- Clears a field. It has its own key, because an input prompt may treat an empty text as cancelled.
local function clear(preview)
  local _, node = pointed(preview)
  if node and node.type == "field" then
    preview:call("interact", { element = node.id, value = "" })
  end
end

--- Moves the cursor to the next touchable element in that direction, and wraps around at the end.
local function step(preview, direction)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local here = (row - 1) * 1e6 + column
  local best, wrapped
  for _, stop in ipairs(cursor.stops(preview.regions)) do
    local distance = (stop.row * 1e6 + stop.from - here) * direction
    if distance > 0 and (not best or distance < best.distance) then
      best = { distance = distance, stop = stop }
    elseif not wrapped or distance < wrapped.distance then
      wrapped = { distance = distance, stop = stop }
    end
  end
  local found = best or wrapped
  if found then
    vim.api.nvim_win_set_cursor(0, { found.stop.row + 1, found.stop.from })
  end
end

local function number(preview, index)
  local action = (preview.shown.actions or {})[index]
  if action then
    respond(preview, action)
  else
    preview:show_error("there is no action " .. index)
  end
end

local function play(preview)
  local media = preview.shown.media
  preview:call(media and media.playing and "mediaPause" or "mediaPlay", {})
end

local keys = {
  { "<CR>", "touch the element under the cursor", enter },
  { "<Tab>", "go to the next element", function(preview)
    step(preview, 1)
  end },
  { "<S-Tab>", "go to the previous element", function(preview)
    step(preview, -1)
  end },
  { "<BS>", "clear the field", clear },
  { "<lt>", "turn to the previous page", function(preview)
    turn(preview, -1)
  end },
  { ">", "turn to the next page", function(preview)
    turn(preview, 1)
  end },
  { "o", "tap the notification: the app opens", function(preview)
    respond(preview, { identifier = DEFAULT })
  end },
  { "x", "swipe the notification away", function(preview)
    respond(preview, { identifier = DISMISS })
  end },
  { "m", "play or pause", play },
  { "q", "close the window", function()
    pcall(vim.cmd, "close")
  end },
  { "g?", "list these keys", function()
    M.help()
  end },
}

--- Lists the keys.
function M.help()
  local lines = { "1 to 9    respond with that action" }
  for _, key in ipairs(keys) do
    table.insert(lines, string.format("%-8s  %s", key[1], key[2]))
  end
  vim.api.nvim_echo({ { table.concat(lines, "\n") } }, false, {})
end

--- Maps the keys in a preview's buffer.
function M.map(preview)
  local function set(key, description, act)
    local options = { buffer = preview.buffer, nowait = true, silent = true, desc = "pushhost: " .. description }
    vim.keymap.set("n", key, function()
      act(preview)
    end, options)
  end
  for _, key in ipairs(keys) do
    set(unpack(key))
  end
  for index = 1, 9 do
    set(tostring(index), "respond with action " .. index, function()
      number(preview, index)
    end)
  end
end

return M
