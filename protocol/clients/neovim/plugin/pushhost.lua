-- The commands; the first one that is used loads the modules.
if vim.g.loaded_pushhost then
  return
end
vim.g.loaded_pushhost = true

if vim.fn.has("nvim-0.7") == 0 then
  vim.api.nvim_err_writeln("pushhost needs Neovim 0.7")
  return
end

-- `options.arguments` names the arguments that the command accepts.
local function command(name, description, options, act)
  local arguments = options.arguments or {}
  options.desc, options.bar, options.arguments = description, true, nil
  vim.api.nvim_create_user_command(name, function(given)
    -- Not fargs: in Neovim 0.7 they contain an empty text if there is no argument.
    local words = vim.split(given.args, "%s+", { trimempty = true })
    if #words > #arguments then
      local text = string.format("%s accepts no more than %s", name, table.concat(arguments, " and "))
      return require("pushhost.host").notify(text, vim.log.levels.ERROR)
    end
    act(require("pushhost"), words, given.bang)
  end, options)
end

command("PushDeliver", "Deliver this payload and show what its extension shows", {}, function(pushhost)
  pushhost.deliver()
end)

command("PushCheck", "Mark mistakes in this payload from now on", {}, function(pushhost)
  pushhost.check()
end)

command("PushBrowse", "Show the file of this payload in the browser", {}, function(pushhost)
  pushhost.browse()
end)

command("PushDismiss", "Dismiss the notification of this payload", {}, function(pushhost)
  pushhost.dismiss()
end)

local pending = { nargs = "*", arguments = { "a suite" } }
command("PushPending", "List the pending records of one suite or of all suites", pending, function(pushhost, words)
  pushhost.pending(words[1])
end)

local flush = { nargs = "*", arguments = { "a destination", "a suite" } }
function flush.complete()
  return { "caller", "file", "braze" }
end
command("PushFlush", "Flush one suite or all suites to a destination, or into a window", flush, function(pushhost, words)
  pushhost.flush(words[1], words[2])
end)

command("PushReload", "Load changed extensions again; with ! all", { bang = true }, function(pushhost, _, bang)
  pushhost.reload(bang)
end)

command("PushStop", "Stop the host after its requests, and previews; with ! at once", { bang = true }, function(pushhost, _, bang)
  pushhost.stop(bang)
end)

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  group = vim.api.nvim_create_augroup("pushhost", {}),
  pattern = { "*.apns", "*.apns.json", "Info.plist", "*.entitlements", "*.lproj/*.strings" },
  desc = "Mark mistakes in a payload, or in a file of a bundle",
  callback = function(event)
    require("pushhost").check(event.buf)
  end,
})
