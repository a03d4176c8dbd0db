--- Draws a notification as text. It does not depend on a window: the same input gives the same lines.
local block = require("pushhost.block")

local M = {}

local PROGRESS_WIDTH = 20
local FIELD_WIDTH = 24

--- A value of any type as text, because the host does not check all members of a node.
local function to_text(value)
  if type(value) == "string" then
    return value
  end
  return (value == nil or value == vim.NIL) and "" or vim.json.encode(value)
end

local function number(value)
  return type(value) == "number" and value == value and value or 0
end

local function list(value)
  return type(value) == "table" and (vim.islist or vim.tbl_islist)(value) and value or {}
end

local drawers = {}

--- A node as a block. A node with an id is a target; Tab stops at targets that are made to be touched.
local function draw(node)
  local target = type(node.id) == "string" and { node = node } or nil
  local drawer = drawers[node.type]
  if drawer then
    return drawer(node, target)
  end
  -- A later version of the contract may have more types.
  local label = block.text("(" .. block.inline(to_text(node.type)) .. ")", "PushhostNote", target)
  return block.below({ label, drawers.stack(node) })
end

function drawers.stack(node)
  return block.below(vim.tbl_map(draw, list(node.children)))
end

function drawers.row(node)
  return block.beside(vim.tbl_map(draw, list(node.children)))
end

--- The visible page, and below it a line with its number, on which keys turn the page.
function drawers.carousel(node, target)
  if target then
    target.stop = true
  end
  local pages = list(node.children)
  local page = number(node.page)
  local label = pages[page + 1] and string.format("page %d of %d", page + 1, #pages) or "no pages"
  return block.below({ pages[page + 1] and draw(pages[page + 1]) or {}, block.text(label, "PushhostPage", target) })
end

function drawers.grid(node)
  local columns = math.max(1, math.floor(number(node.columns)))
  local cells = vim.tbl_map(draw, list(node.children))
  local widths, rows = {}, {}
  for index, cell in ipairs(cells) do
    local row, column = math.floor((index - 1) / columns) + 1, (index - 1) % columns + 1
    widths[column] = math.max(widths[column] or 0, block.width(cell))
    rows[row] = rows[row] or {}
    rows[row][column] = cell
  end
  return block.below(vim.tbl_map(function(row)
    return block.beside(row, widths)
  end, rows))
end

function drawers.text(node, target)
  local groups = { title = "PushhostHeading", caption = "PushhostCaption" }
  return block.text(to_text(node.text), groups[node.style] or "PushhostText", target)
end

function drawers.image(node, target)
  local alt = to_text(node.alt)
  return block.text("[image " .. block.inline(alt ~= "" and alt or to_text(node.url)) .. "]", "PushhostImage", target)
end

function drawers.card(node, target)
  if target then
    target.stop = true
  end
  -- The face of a card that lies face down is not drawn, even if the extension sent it by mistake.
  if node.faceUp ~= true then
    return block.text("[ ? ]", "PushhostFaceDown", target)
  end
  local face = block.inline(to_text(node.face))
  if node.matched == true then
    return block.text("[✓ " .. face .. "]", "PushhostMatched", target)
  end
  return block.text("[" .. face .. "]", "PushhostFaceUp", target)
end

function drawers.button(node, target)
  if target then
    target.stop = true
  end
  return block.text("< " .. block.inline(to_text(node.title)) .. " >", "PushhostButton", target)
end

function drawers.field(node, target)
  if target then
    target.stop = true
  end
  local value = block.inline(to_text(node.value))
  local text = value == "" and block.inline(to_text(node.placeholder)) or value
  local padding = math.max(0, FIELD_WIDTH - block.columns(text))
  local group = value == "" and "PushhostPlaceholder" or "PushhostField"
  return block.text("|" .. text .. (" "):rep(padding) .. "|", group, target)
end

function drawers.progress(node, target)
  local value, total = number(node.value), number(node.total)
  local share = total > 0 and math.min(1, math.max(0, value / total)) or 0
  local full = math.floor(share * PROGRESS_WIDTH)
  local bar = ("█"):rep(full) .. ("░"):rep(PROGRESS_WIDTH - full)
  local label = string.format("%s %s/%s", bar, to_text(node.value), to_text(node.total))
  return block.text(label, "PushhostProgress", target)
end

--- The content that the system shows beside the view; it is dimmed if the plist hides it.
local function content(shown)
  local parts, given = {}, shown.content or {}
  -- If no extension shows the notification, the view already has the content.
  if not shown.layout then
    return parts
  end
  local hidden = shown.layout.defaultContentHidden
  local function add(text, group)
    if text ~= "" then
      table.insert(parts, block.text(text, hidden and "PushhostHidden" or group))
    end
  end
  add(to_text(shown.title or given.title), "PushhostTitle")
  add(to_text(given.subtitle), "PushhostSubtitle")
  add(to_text(given.body), "PushhostBody")
  for _, attachment in ipairs(list(given.attachments)) do
    add("[attachment " .. to_text(attachment.url) .. "]", "PushhostImage")
  end
  return parts
end

local option_notes = { authenticationRequired = "unlocks", foreground = "opens the app" }

local function action(index, given)
  local parts = { given.textInput and "asks for a text" }
  for _, option in ipairs(list(given.options)) do
    parts[#parts + 1] = option_notes[option]
  end
  local destructive = vim.tbl_contains(list(given.options), "destructive")
  local group = destructive and "PushhostDestructive" or "PushhostAction"
  local label = string.format("%d  %s", index, block.inline(to_text(given.title)))
  local drawn = block.text(label, group, { action = given, stop = true })
  if #parts == 0 then
    return drawn
  end
  return block.beside({ drawn, block.text("(" .. table.concat(parts, ", ") .. ")", "PushhostNote") })
end

local function media(given)
  if type(given) ~= "table" or given.button == nil or given.button == "none" then
    return {}
  end
  return { block.text(given.playing and "❚❚ pause (m)" or "▶ play (m)", "PushhostButton") }
end

--- Draws a notification.
---@param shown table the members of the replies: content, layout, view, actions, title, media, diagnostics
---@param status? table text and group of the last line
---@return pushhost.Block
function M.notification(shown, status)
  local sections = { content(shown), { draw(shown.view or {}) }, media(shown.media), {}, {} }
  for index, given in ipairs(list(shown.actions)) do
    table.insert(sections[4], action(index, given))
  end
  for _, diagnostic in ipairs(list(shown.diagnostics)) do
    table.insert(sections[5], block.text("! " .. to_text(diagnostic.message), "PushhostWarning"))
  end
  if status then
    table.insert(sections[5], block.text(status.text, status.group))
  end
  local all = {}
  for _, section in ipairs(sections) do
    local part = block.below(section)
    if #part > 0 then
      if #all > 0 then
        table.insert(all, block.text(""))
      end
      table.insert(all, part)
    end
  end
  return block.below(all)
end

return M
