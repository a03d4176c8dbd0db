--- The default highlights of the drawn parts; a colour scheme or the user may change them.
local links = {
  Action = "Function",
  Body = "Normal",
  Button = "Function",
  Caption = "Comment",
  Destructive = "ErrorMsg",
  Ended = "WarningMsg",
  Error = "ErrorMsg",
  FaceDown = "Comment",
  FaceUp = "Special",
  Field = "String",
  Heading = "Title",
  Hidden = "Comment",
  Image = "Underlined",
  Matched = "String",
  Note = "Comment",
  Page = "Function",
  Placeholder = "Comment",
  Progress = "Number",
  Subtitle = "Title",
  Text = "Normal",
  Title = "Title",
  Warning = "WarningMsg",
}

for name, group in pairs(links) do
  vim.cmd(string.format("highlight default link Pushhost%s %s", name, group))
end
