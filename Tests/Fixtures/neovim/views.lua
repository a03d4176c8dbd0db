-- Every kind of node and of notification, from an extension made for these cases.
local T = dofile(vim.env.PUSHHOST_ROOT .. "/Tests/Fixtures/neovim/harness.lua")

local function payload(members)
  local alert = '"alert":{"title":"A title","subtitle":"A subtitle","body":"A body"}'
  return ('{"aps":{%s,"category":"editor"%s}'):format(alert, members or "}")
end

local function visible()
  return T.call("notifications").notifications
end

--- A case in which a notification is shown.
local function shown(name, body)
  T.case(name, function()
    T.edit(payload())
    T.deliver()
    body()
  end)
end

shown("Every kind of node is drawn, with the content and the actions", function()
  local text = T.text()
  for _, wanted in ipairs({
    "│ A title ",
    "│ A subtitle ",
    "│ A body ",
    "╭─ A title ─",
    "│ two ",
    "│ lines ",
    " a.png ",
    "░ 3/12 │",
    "│  🌈 rainbow   │ │ ░░░░░░░░░░░░░ │",
    "│    star ✓     │",
    "│ A note ",
    "│ Change │",
    "│ The media is paused.",
    "│  1  Reply  foreground, asks for a text ",
    "│  2  Delete  destructive ",
  }) do
    T.has(text, wanted)
  end
  local namespace = vim.api.nvim_get_namespaces()["pushhost-preview"]
  local groups = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
    groups[mark[4].hl_group] = true
  end
  local names = vim.tbl_keys(groups)
  table.sort(names)
  T.equal(names, { "PushhostButton", "PushhostDestructive", "PushhostDim", "PushhostDone", "PushhostTitle" }, "groups")
end)

T.case("Every value comes to the extension with the type that was written", function()
  local values = '[1,1.0,true,null,[],{},"",9007199254740993,-0.5,"\\u00e9"]'
  T.edit(payload('}, "echo":\n' .. values:gsub(",", ",\n  ")))
  T.deliver()
  T.has(T.text(), values)
end)

T.case("A view that changes unasked is drawn, an end unasked is told", function()
  T.edit(payload())
  local first = T.deliver()
  T.edit(payload())
  local second = T.deliver()
  T.go("Change")
  T.keys("<CR>")
  T.shows("changed unasked", first)
  T.lacks(T.text(first), "two")
  T.has(T.text(second), "two")
  T.go("End")
  T.keys("<CR>")
  T.shows("not shown any more: dismissed by the extension", first)
  T.lacks(T.text(second), "not shown")
end)

shown("An action asks for its text; one that forwards says with what the app was opened", function()
  T.answer("well done")
  T.keys("1")
  T.shows("You wrote well done")
  T.equal(T.asked, { prompt = "Your reply: " }, "the question")
  T.keys("2")
  T.shows("not shown any more: dismissAndForward after DELETE; the app was opened with https://example.com/deleted")
end)

shown("A tap opens the app, and a swipe takes the notification away", function()
  T.keys("o")
  T.shows("; the app was opened")
  vim.cmd("PushDeliver")
  T.hides("not shown any more")
  T.keys("x")
  T.shows("not shown any more: dismiss")
end)

shown("Media are played and paused", function()
  T.keys("m")
  T.shows("The media plays.")
  T.keys("m")
  T.shows("The media is paused.")
  T.go("The media")
  T.keys("<CR>")
  T.shows("The media plays.")
end)

shown("A refusal and a crash are told where the view is", function()
  T.go("Refuse")
  T.keys("<CR>")
  T.shows("not this one")
  T.go("A note")
  T.answer("x")
  T.keys("<CR>")
  T.shows("You noted x")
  T.lacks(T.text(), "not this one")
  vim.cmd("PushDeliver")
  T.shows("Crash")
  T.go("Crash")
  T.keys("<CR>")
  T.shows("not shown any more: com.example.editor")
  T.shows("the last words")
end)

T.case("What the extension prints is shown below the view until the next call", function()
  T.edit(payload('}, "print":"hello from didReceive"'))
  T.deliver()
  T.shows("hello from didReceive")
  T.go("A note")
  T.answer("x")
  T.keys("<CR>")
  T.shows("You noted x")
  T.lacks(T.text(), "hello from didReceive")
end)

shown("A notification in place of another takes that away; one of its thread joins it", function()
  local first = visible()[1].notification
  vim.cmd("PushDeliver")
  T.wait("the second one alone", function()
    local now = visible()
    return #now == 1 and now[1].notification ~= first
  end)
  vim.cmd("PushDeliver | PushDeliver | PushDeliver")
  T.wait("the last one alone", function()
    return #visible() == 1
  end)
  local alone = vim.api.nvim_get_current_buf()
  T.edit(payload(',"thread-id":"t"}'))
  local joined = T.deliver()
  vim.cmd("PushDeliver")
  T.wait("two notifications in one presentation", function()
    return #visible() == 2 and #visible()[2].notifications == 2
  end)
  -- The notification names the first of the two.
  vim.cmd("buffer " .. alone)
  T.go("Change")
  T.keys("<CR>")
  T.shows("changed unasked", joined)
end)

T.case("PushDismiss takes away what was delivered, in either window; so does wiping the split", function()
  local source = T.edit(payload())
  local split = T.deliver()
  vim.cmd("PushDismiss")
  T.shows("not shown any more: dismissed by the client")
  T.equal(visible(), {}, "visible")
  vim.cmd("PushDeliver")
  T.hides("not shown any more")
  vim.api.nvim_set_current_buf(source)
  vim.cmd("PushDismiss")
  T.shows("dismissed by the client", split)
  vim.cmd("PushDeliver")
  T.hides("not shown any more", split)
  vim.cmd("bwipeout! " .. split)
  T.wait("an empty list", function()
    return #visible() == 0
  end)
  vim.cmd("enew! | PushDismiss")
  T.equal(T.notes, { "pushhost: nothing was delivered from this buffer" }, "notes")
end)

shown("The window is closed by a key and opened again by the next delivery", function()
  T.keys("q")
  T.equal(#vim.api.nvim_list_wins(), 1, "windows")
  T.deliver()
  T.equal(#vim.api.nvim_list_wins(), 2, "windows")
end)

T.case("A split whose buffer was deleted is created again, with its keys; its old notification is dismissed", function()
  T.edit(payload())
  for _, command in ipairs({ "bdelete", "bunload", "bwipeout" }) do
    local split = T.deliver()
    vim.cmd(command)
    T.wait("nothing visible after " .. command, function()
      return #visible() == 0
    end)
    T.equal(vim.api.nvim_buf_is_valid(split), false, "the buffer after " .. command)
    vim.cmd("silent only")
  end
  local split = T.deliver()
  -- The reply may arrive before the plugin notices the deleted buffer.
  vim.cmd("bdelete | PushDeliver")
  T.wait("another split", function()
    local now = vim.api.nvim_get_current_buf()
    return now ~= split and vim.api.nvim_buf_get_name(0):find("^pushhost://%d")
  end)
  T.equal(#vim.api.nvim_buf_get_keymap(0, "n"), 20, "keys")
  T.equal({ vim.bo.buftype, vim.bo.filetype, vim.bo.bufhidden }, { "nofile", "pushhost", "hide" }, "options")
  T.equal({ vim.bo.modifiable, vim.bo.modified, vim.bo.swapfile }, { false, false, false }, "options")
  T.shows("A note")
  T.go("A note")
  T.answer("x")
  T.keys("<CR>")
  T.shows("You noted x")
  T.equal(#visible(), 1, "visible")
end)

shown("A split that is read again by :edit is as it was", function()
  local text = T.text()
  vim.cmd("silent edit")
  T.shows(text)
  T.equal(#vim.api.nvim_buf_get_keymap(0, "n"), 20, "keys")
  T.equal({ vim.bo.buftype, vim.bo.modifiable, vim.bo.modified }, { "nofile", false, false }, "options")
  T.go("A note")
  T.answer("x")
  T.keys("<CR>")
  T.shows("You noted x")
end)

T.case("A delivery whose payload's buffer is wiped before the reply leaves nothing shown", function()
  local gate = T.gate()
  T.edit(payload((',"thread-id":"t"},"gate":"%s"'):format(gate.path)))
  vim.cmd("PushDeliver | bwipeout!")
  gate.open()
  -- The extension answers in order: once this one is shown, the reply to the other has arrived.
  T.edit(payload())
  T.deliver()
  T.wait("one notification", function()
    return #visible() == 1
  end)
  T.lacks(T.text(), "not shown any more")
  T.equal(T.notes, {}, "notes")
end)

T.case("A delivery that joined what another buffer shows leaves that alone when its own buffer is wiped", function()
  local thread = payload(',"thread-id":"t"}')
  T.edit(thread)
  local split = T.deliver()
  local gate = T.gate()
  T.edit(payload((',"thread-id":"t"},"gate":"%s"'):format(gate.path)))
  vim.cmd("PushDeliver | bwipeout!")
  gate.open()
  T.edit(payload())
  T.deliver()
  -- The plugin queries what is visible before it removes anything, as this case does; then it sends no more queries.
  visible()
  T.equal(#visible(), 2, "visible")
  T.lacks(T.text(split), "not shown any more")
  T.equal(T.notes, {}, "notes")
end)

T.case("A split that stands in another tab page is opened in this one too", function()
  local source = T.edit(payload())
  local split = T.deliver()
  vim.cmd("tabnew | buffer " .. source)
  T.equal(T.deliver(), split, "the buffer")
  T.equal(#vim.fn.win_findbuf(split), 2, "windows of the split")
  vim.cmd("tabclose")
end)

T.case("A reply that comes while the command-line window is open is shown once that is closed", function()
  local gate = T.gate()
  local source = T.edit(payload(('},"gate":"%s"'):format(gate.path)))
  vim.cmd("PushDeliver")
  function T.reply()
    T.equal(vim.fn.getcmdwintype(), ":", "the command-line window")
    gate.open()
    T.wait("the reply", function()
      return vim.fn.bufnr("^pushhost://" .. source .. "/") > 0
    end)
    T.reply = nil
  end
  _G.cases = T
  T.keys("q:<Cmd>lua cases.reply()<CR>:quit<CR>")
  T.equal(T.reply, nil, "the reply came in the command-line window")
  T.wait("the split", function()
    return vim.api.nvim_buf_get_name(0):find("^pushhost://%d")
  end)
  T.equal(#visible(), 1, "visible")
end)

T.case("A split whose payload's buffer is gone says so", function()
  for index, command in ipairs({ "bdelete! ", "bwipeout! " }) do
    local source = T.edit(payload())
    T.deliver()
    vim.cmd(command .. source)
    vim.cmd("PushDeliver")
    vim.cmd("PushCheck")
    local told = "pushhost: the payload's buffer is not loaded any more"
    T.equal(vim.list_slice(T.notes, 2 * index - 1), { told, told }, "notes after " .. command)
  end
end)

T.case("Whoever types on while a delivery is under way keeps the cursor, and types nothing into the split", function()
  local gate = T.gate()
  local text = payload(('},"gate":"%s"'):format(gate.path))
  _G.cases = T
  for keys, wanted in pairs({
    ["A<Cmd>lua cases.reply()<CR> <Esc>"] = text .. " ",
    ["R<Cmd>lua cases.reply()<CR> <Esc>"] = " " .. text:sub(2),
    ["v$<Cmd>lua cases.reply()<CR>r <Esc>"] = (" "):rep(#text),
    [":call setline(1, 'x')<Cmd>lua cases.reply()<CR><CR>"] = "x",
  }) do
    local source = T.edit(text)
    vim.cmd("PushDeliver")
    function T.reply()
      gate.open()
      T.wait("the split's window", function()
        return #vim.api.nvim_list_wins() == 2
      end)
      T.reply = nil
    end
    T.keys(keys)
    T.equal(T.reply, nil, "the reply came after " .. keys)
    T.equal(vim.api.nvim_get_current_buf(), source, "the current buffer after " .. keys)
    T.equal(T.text(source), wanted, "the payload after " .. keys)
  end
end)

T.case("A drawing is as wide as its window", function()
  require("pushhost").setup({ split = "rightbelow 40vsplit" })
  T.edit(payload())
  T.deliver()
  local function widest()
    local widths = vim.tbl_map(vim.api.nvim_strwidth, vim.api.nvim_buf_get_lines(0, 0, -1, false))
    return math.max(unpack(widths))
  end
  T.equal(widest(), 40, "the columns")
  vim.cmd("vertical resize 30")
  vim.api.nvim_exec_autocmds("VimResized", {})
  T.wait("a narrower drawing", function()
    return widest() == 30
  end)
  require("pushhost").setup({ split = "rightbelow vsplit" })
end)

T.case("Pages are turned by keys, and not beyond the ends", function()
  T.edit(payload('},"pages":["one","two","three"]'))
  T.deliver()
  T.shows("● ○ ○")
  T.has(T.text(), "one")
  T.keys("<")
  T.shows("this is the first page")
  T.keys(">")
  T.shows("○ ● ○")
  T.has(T.text(), "two")
  T.lacks(T.text(), "this is the first page")
  T.go("‹ ○ ●")
  T.keys("<CR>")
  T.shows("○ ○ ●")
  T.has(T.text(), "three")
  T.keys("<CR>")
  T.shows("this is the last page")
  T.keys("<")
  T.shows("○ ● ○")
  vim.cmd("enew! | only!")
  T.edit(payload())
  T.deliver()
  T.keys(">")
  T.shows("there are no pages")
end)

T.run()
