# Uses an installed pushhost on a system that has no toolchain and no checkout.

expect() { grep -qF -- "$1" || { echo "expected: $1" >&2; exit 1; }; }

pushhost --version | expect "pushhost "
plugins=/usr/local/libexec/pushhost/plugins

# A bundle in Swift draws a view, and an event is delivered to a file.
pushhost push "$plugins/match-game/payload.apns" --seed 7 --press card-0 > /tmp/board
expect "Find the pairs" < /tmp/board
expect "card-1" < /tmp/board
pushhost save event Opened --user external_id=ada | expect "Saved"
pushhost flush --to file --deliver-file /tmp/delivered.jsonl | expect "1 delivered"
expect '"Opened"' < /tmp/delivered.jsonl

# A saved event of an extension gets there too.
pushhost push "$plugins/session-progress/payload.apns" --data /tmp/suites > /tmp/progress
pushhost pending --data /tmp/suites --json | expect '"name"'

# Every bundle in Swift starts, which needs all of its libraries; the others need interpreters.
for bundle in "$plugins"/*/; do
    name=$(basename "$bundle")
    # Of the bundle's own executable, not of a script.
    head -c 4 "$bundle/$name" 2> /tmp/none | expect ELF 2> /tmp/none || continue
    pushhost extensions check "$bundle" --only stop > /tmp/report || { cat /tmp/report >&2; exit 1; }
    echo "$name works"
done > /tmp/works
expect match-game < /tmp/works
expect braze < /tmp/works
cat /tmp/works
