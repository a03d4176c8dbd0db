-- The commands; the rest is loaded by the first of them.
if vim.g.loaded_pushhost then
  return
end
vim.g.loaded_pushhost = true

if vim.fn.has("nvim-0.7") == 0 then
  vim.api.nvim_err_writeln("pushhost needs Neovim 0.7")
  return
end

-- The words that a command takes are named in takes.
local function command(name, description, options, act)
  local takes = options.takes or {}
  options.desc, options.bar, options.takes = description, true, nil
  vim.api.nvim_create_user_command(name, function(given)
    -- Not fargs: Neovim 0.7 puts an empty text into them where there is no argument.
    local words = vim.split(given.args, "%s+", { trimempty = true })
    if #words > #takes then
      local text = string.format("%s takes no more than %s", name, table.concat(takes, " and "))
      return require("pushhost.host").tell(text, vim.log.levels.ERROR)
    end
    act(require("pushhost"), words, given.bang)
  end, options)
end

command("PushDeliver", "Deliver this payload and show what its extension shows", {}, function(pushhost)
  pushhost.deliver()
end)

command("PushCheck", "Check this payload without delivering it", {}, function(pushhost)
  pushhost.check()
end)

command("PushDismiss", "Take the notification of this payload away", {}, function(pushhost)
  pushhost.dismiss()
end)

local pending = { nargs = "*", takes = { "a suite" } }
command("PushPending", "List the pending records of a suite, or of all", pending, function(pushhost, words)
  pushhost.pending(words[1])
end)

local flush = { nargs = "*", takes = { "a destination", "a suite" } }
function flush.complete()
  return { "caller", "file", "braze" }
end
command("PushFlush", "Flush to a destination, or into a window; a suite, or all", flush, function(pushhost, words)
  pushhost.flush(words[1], words[2])
end)

command("PushReload", "Load changed extensions again; with ! all", { bang = true }, function(pushhost, _, bang)
  pushhost.reload(bang)
end)

command("PushStop", "End the host; with ! at once", { bang = true }, function(pushhost, _, bang)
  pushhost.stop(bang)
end)

vim.api.nvim_create_autocmd("BufWritePost", {
  group = vim.api.nvim_create_augroup("pushhost", {}),
  desc = "Check a payload that was written",
  callback = function(event)
    -- Any JSON file may be something else; it is a payload once it was delivered or checked.
    local is_payload = vim.b[event.buf].pushhost or event.match:find("%.apns$")
    if is_payload and require("pushhost.config").check_on_save then
      require("pushhost").check(event.buf)
    end
  end,
})
