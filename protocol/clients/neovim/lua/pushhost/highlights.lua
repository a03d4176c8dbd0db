--- The default highlights of the roles that parts of a drawing have; a colour scheme or the user may change them.
local links = {
  Button = "Function",
  Destructive = "ErrorMsg",
  Dim = "Comment",
  Done = "String",
  Error = "ErrorMsg",
  Title = "Title",
  Warning = "WarningMsg",
}

for name, group in pairs(links) do
  vim.cmd(string.format("highlight default link Pushhost%s %s", name, group))
end
