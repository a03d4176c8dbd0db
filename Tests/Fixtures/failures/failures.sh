#!/bin/bash
# failures.sh NAME: does what the entry NAME of the page "If something fails" is about, and prints what a person sees.
#
# It runs in an empty folder. REPOSITORY is this checkout. What fails may end with any exit code: the test compares the
# text. A function has the name of its entry's anchor.
here=$(cd "$(dirname "$0")" && pwd)
shown=910a2dec-8902-4cc1-beeb-8da1658eec67 # the first notification with the seed 1

# host OPTIONS… -- LINES…: sends lines to a host, and prints the message of each error that it answers.
host() {
    local options=()
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    printf '%s\n' "$@" | pushhost --ephemeral --plugins "$here" --plugins "$REPOSITORY/plugins" \
        --clock 2026-01-01T00:00:00Z --seed 1 "${options[@]}" 2> /dev/null |
        jq -r 'if type == "array" then .[] else . end | .error // empty | "\(.data.reason) \(.message)"'
}
call() { printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}' "$1" "$2"; }
deliver() { call didReceive "{\"payload\":{\"aps\":{\"alert\":\"A\",\"category\":\"$1\"}}}"; }
interact() { call interact "{\"notification\":\"$shown\",\"element\":\"$1\"}"; }
fault() { host "${@:2}" -- "$(deliver faults)" "$(interact "$1")"; }
event() { call saveCustomEvent '{"name":"Opened"}'; }
coupon() { pushhost extensions new --language python coupon > /dev/null; }
# service STATEMENT: shows a notification with --phone, for which a service extension executes a statement of Python.
service() {
    mkdir -p service
    sed 's/content-extension/service/; s/faults/service/' "$here/faults/Info.plist" > service/Info.plist
    cat > service/service.py << EOF
#!/usr/bin/env python3
import json, sys
for message in map(json.loads, sys.stdin):
    if message["method"] == "didReceive": $1
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"version": "1.0"}}), flush=True)
EOF
    chmod +x service/service.py
    echo '{"aps":{"alert":"A","mutable-content":1}}' | pushhost push - --plugins service --phone --json
}
payload() { echo "{\"aps\":{\"alert\":\"A\",\"category\":\"$1\"}}" > payload.apns; }
letters() { head -c "$1" /dev/zero | tr '\0' a; }

# Commands
no-such-file() { pushhost push none.apns; }
not-json() { printf '{\n' > payload.apns; pushhost push payload.apns; }
no-command() { pushhost pusj payload.apns; }
unknown-option() { pushhost push --colour payload.apns; }
no-category() { payload coupons; pushhost check payload.apns; }
no-plugins() { payload none; pushhost push payload.apns --plugins none; }
no-value() {
    payload none
    sed -i 's/"A"/"{{api_trigger_properties.${code}}}!"/' payload.apns
    echo '{}' > profile.json
    pushhost push payload.apns --profile profile.json --plugins "$REPOSITORY/plugins" --json
}
no-suite() { pushhost save event Opened --data data > /dev/null; pushhost pending --suite nope --data data; }
no-data-folder() { pushhost pending --data none; }
no-user() { pushhost save event Opened --plugins "$REPOSITORY/plugins" --data data; }
output-lost() { pushhost check "$REPOSITORY/plugins/register/payload.apns" > /dev/full; }
exists() { coupon; pushhost extensions new --language python coupon; }
world-writable() { coupon; chmod o+w coupon/Info.plist; pushhost extensions list --plugins coupon; }
not-executable() { coupon; chmod -x coupon/coupon.py; pushhost extensions list --plugins coupon; }
no-interpreter() { coupon; sed -i 1s/python3/python9/ coupon/coupon.py; pushhost extensions list --plugins coupon; }
differs() { coupon; sed -i 's/Coupon Used/Coupon Taken/' coupon/coupon.py; pushhost replay coupon/session.jsonl; }
no-replies() { event > session.jsonl; pushhost replay session.jsonl; }
# bind_port METHOD…: keeps a free port, sets number to it, and calls these methods of its socket.
bind_port() {
    exec 3< <(exec python3 -u -c 'import socket, sys
s = socket.socket(); s.bind(("127.0.0.1", 0))
for name in sys.argv[1:]: getattr(s, name)()
print(s.getsockname()[1]); sys.stdin.read()' "$@" < <(sleep 60))
    read -r number <&3
}
port() {
    bind_port listen
    pushhost preview "$REPOSITORY/plugins/register" --port "$number"
    kill $!
}
unknown-key() { pushhost save event Opened --user email=ada --data data; }
braze-endpoint() { event_to_braze; }
braze-cluster() { BRAZE_REST_ENDPOINT=nowhere BRAZE_API_KEY=$braze_key event_to_braze; }
braze-twice() { with_braze_file 600; BRAZE_API_KEY=$braze_key event_to_braze; }
braze-file-mode() { with_braze_file 644; event_to_braze; }
braze-file-path() { BRAZE_CREDENTIALS=braze event_to_braze; }
braze_key=01234567-89ab-cdef-0123-456789abcdef
with_braze_file() {
    printf '%s\n' BRAZE_REST_ENDPOINT=fra-01 "BRAZE_API_KEY=$braze_key" > braze
    chmod "$1" braze
    export BRAZE_CREDENTIALS=$PWD/braze
}
backup-exists() { pushhost save event Opened --data data > /dev/null; pushhost backup data --data data; }
no-source() { pushhost relay --from nats --to file --plugins "$REPOSITORY/plugins"; }
event_to_braze() {
    pushhost save event Opened --user external_id=ada --data data
    pushhost flush --to braze --plugins "$REPOSITORY/plugins" --data data
}

# Lines and params
parseError() { host -- '{"jsonrpc":"2.0","id":1,"method":"ping"'; }
headerFraming() { host -- "$(call ping {})" 'Content-Length: 40'; }
emptyBatch() { host -- '[]'; }
version() { host -- '{"id":1,"method":"ping"}'; }
lineTooLong() { host --line-limit 1000 -- "$(call ping "{\"a\":\"$(letters 2000)\"}")"; }
methodNotFound() { host -- "$(call saveEvent '{}')"; }
missingParam() { host -- "$(call saveCustomEvent '{}')"; }
unknownParam() { host -- "$(call saveCustomEvent '{"event":"Opened"}')"; }
mistypedParam() { host -- "$(call saveCustomEvent '{"name":1}')"; }

# Notifications
payloadTooLarge() { host -- "$(call didReceive "{\"payload\":{\"aps\":{\"alert\":\"$(letters 5000)\"}}}")"; }
invalidPayload() { host -- "$(call didReceive '{"payload":{"alert":"A"}}')"; }
noPersonalization() {
    call didReceive '{"payload":{"aps":{"alert":"{{ name }}"}},"profile":{}}' |
        pushhost --ephemeral --plugins "$here" | jq -r '.error | "\(.data.reason) \(.message)"'
}
messageAborted() {
    host -- "$(call didReceive '{"payload":{"aps":{"alert":"{% abort_message(\"no name\") %}"}},"profile":{}}')"
}
unknownNotification() { host -- "$(call dismiss '{"notification":"game-1"}')"; }
noPresentation() {
    host -- "$(deliver faults)" "$(call dismiss "{\"notification\":\"$shown\"}")" "$(interact refuse)"
}
unknownAction() {
    host -- "$(deliver faults)" "$(call didReceiveResponse "{\"notification\":\"$shown\",\"actionIdentifier\":\"BUY\"}")"
}
interactionDisabled() { host -- "$(deliver none)" "$(interact buy)"; }
unknownElement() { fault buy; }
noMediaButton() { host -- "$(deliver faults)" "$(call mediaPlay "{\"notification\":\"$shown\"}")"; }
clockNotFixed() {
    { deliver faults; echo; call advanceClock "{\"notification\":\"$shown\",\"milliseconds\":1000}"; } |
        pushhost --ephemeral --plugins "$here" --seed 1 | jq -r '.error // empty | "\(.data.reason) \(.message)"'
}

# Extensions
cannotStart() { cp -r "$here/faults" .; chmod -x faults/faults.py; host_of_faults; }
host_of_faults() {
    deliver faults | pushhost --ephemeral --plugins faults 2> /dev/null | jq -r '.error | "\(.data.reason) \(.message)"'
}
extensionExited() { fault exit; }
not-allowed() {
    coupon
    sed -i 's|^</dict>|<key>PushhostPermissions</key><dict><key>Write</key><array><string>/tmp</string></array></dict>&|' \
        coupon/Info.plist
    rm -r state # who makes a bundle has allowed it
    pushhost push coupon/payload.apns --plugins coupon
}
sandbox-file() { echo a > notes.txt; coupon; beginning_with "open('$PWD/notes.txt')"; }
sandbox-network() { coupon; beginning_with 'import urllib.request as r; r.urlopen("http://127.0.0.1:9")'; }
beginning_with() { sed -i "1a $1" coupon/coupon.py; pushhost push coupon/payload.apns --plugins coupon; }
locked-device() {
    local group=$HOME/.local/share/pushhost/groups/group.com.example.app
    mkdir -p "$group"
    echo a > "$group/notes"
    mkdir service
    cat > service/service.entitlements << EOF
<plist version="1.0"><dict>
  <key>com.apple.developer.default-data-protection</key><string>NSFileProtectionComplete</string>
  <key>com.apple.security.application-groups</key><array><string>group.com.example.app</string></array>
</dict></plist>
EOF
    service "open('$group/notes')"
}
extensionTimedOut() { fault hang --call-deadline 200; }
extensionRefused() { fault refuse; }
badExtensionReply() { fault bad; }
extensionMisbehaved() { fault close; }
memory() { fault hang --extension-memory 1000000; } # it is measured ten times a second, so the call must last
phone-memory() { service 'kept = bytearray(b"x") * (40 << 20)'; }
extensionUnavailable() { host --restart-budget 0 -- "$(deliver faults)" "$(interact exit)" "$(deliver faults)"; }
notEntitled() { fault save; }

# Records and suites
invalidSuiteName() { host -- "$(call pending '{"suite":"../x"}')"; }
invalidRecord() { host -- "$(call saveCustomEvent "{\"name\":\"$(letters 300)\"}")"; }
idempotencyKeyReused() {
    host -- "$(call saveCustomEvent '{"name":"Opened","idempotencyKey":"k"}')" \
        "$(call saveCustomEvent '{"name":"Closed","idempotencyKey":"k"}')"
}
suiteFull() { host --suite-records 1 -- "$(event)" "$(event)"; }
suiteNameTaken() {
    host -- "$(call saveCustomEvent '{"suite":"Game","name":"Opened"}')" \
        "$(call saveCustomEvent '{"suite":"game","name":"Opened"}')"
}
suiteUnreadable() {
    pushhost save event Opened --data data > /dev/null
    letters 8192 > data/standard.sqlite
    pushhost save event Opened --data data
}
notStored() { (ulimit -f 0; trap '' XFSZ; pushhost save event Opened --data data); }
reservedKey() { host -- "$(event)" "$(call store '{"key":"pending_custom_events","value":[]}')"; }
leaseExpired() { host -- "$(call acknowledge '{"lease":"f893a2ee-fb32-455e-b1c1-8690ee42c90b"}')"; }
fileUnreadable() { host -- "$(call importSuite '{"path":"none.plist"}')"; }
fileUnwritable() { host -- "$(event)" "$(call exportSuite '{"path":"none/group.plist"}')"; }

# Deliveries
unknownDestination() { host -- "$(event)" "$(call flushPending '{"to":"braz"}')"; }
destination-pauses() {
    bind_port # without listening, so a connection is refused
    pushhost save event Opened --user external_id=ada --data data
    BRAZE_REST_ENDPOINT=http://127.0.0.1:$number BRAZE_API_KEY=$braze_key \
        pushhost flush --plugins "$REPOSITORY/plugins" --data data --retry-patience 0
    kill $!
}
destinationStopped() { host -- "$(event)" "$(call flushPending '{"to":"braze"}')"; }

"$1" < /dev/null 2>&1
exit 0
