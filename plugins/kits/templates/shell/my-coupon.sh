#!/bin/sh
# Shows a coupon with a button; a touch saves a custom event.
#
# There is no kit: jq reads the lines of the host and writes the answers. Its state has the code of each notification
# and, while an event is being saved, the touch that is to be answered afterwards.
exec jq --null-input --compact-output --unbuffered '
  def answer($call; $result): { jsonrpc: "2.0", id: $call.id, result: $result };
  def refuse($call; $code; $message): { jsonrpc: "2.0", id: $call.id, error: { code: $code, message: $message } };

  foreach inputs as $message ({ codes: {}, touch: null };
    $message.params as $params
    | .codes[$params.notification? // ""] as $code
    | .output = null
    | if $message.method == "activate" then
        .output = answer($message; { version: "1.0" })

      elif $message.method == "didReceive" then
        $params.request.content.userInfo.coupon_code as $new
        | if $new | type == "string" then
            .codes[$params.notification] = $new
            | .output = answer($message; { view: { type: "stack", children: [
                { type: "text", text: $new }, { type: "button", id: "use", title: "Use the coupon" }] } })
          else
            .output = refuse($message; 1; "the key-value pair coupon_code must be a string")
          end

      elif $message.method == "interact" and $code then
        .touch = $message
        | .output = { jsonrpc: "2.0", id: "save", method: "saveCustomEvent", params: {
            notification: $params.notification, name: "Coupon Used", properties: { Code: $code } } }

      elif $message.id == "save" and $message.method == null then
        .codes[.touch.params.notification] as $used
        | .output = if $message.error then refuse(.touch; 1; $message.error.message)
          else answer(.touch; { view: { type: "text", text: "\($used) is used." } }) end

      elif $message.method == "didDismiss" then
        del(.codes[$params.notification])

      elif $message | has("method") and has("id") then
        .output = refuse($message; -32601; "there is no handler for \($message.method)")

      else . end;
    .output // empty)
'
