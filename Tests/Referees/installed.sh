# Uses a pushhost that is installed below $PREFIX on a system that has no toolchain and no checkout.

expect() { grep -qF -- "$1" || { echo "expected: $1" >&2; exit 1; }; }

pushhost --version | expect "pushhost "
plugins=$PREFIX/libexec/pushhost/plugins

# A bundle in Swift draws a view, and an event is delivered to a file.
pushhost push "$plugins/match-game/payload.apns" --seed 7 --press card-0 > "$HOME"/board
expect "Find the pairs" < "$HOME"/board
expect "card-1" < "$HOME"/board
pushhost save event Opened --user external_id=ada | expect "Saved"
pushhost flush --to file --deliver-file "$HOME"/delivered.jsonl | expect "1 delivered"
expect '"Opened"' < "$HOME"/delivered.jsonl

# A saved event of an extension gets there too.
pushhost push "$plugins/session-progress/payload.apns" --data "$HOME"/suites > "$HOME"/progress
pushhost pending --data "$HOME"/suites --json | expect '"name"'

# Every bundle in Swift starts, which needs all of its libraries; the others need interpreters.
for bundle in "$plugins"/*/; do
    name=$(basename "$bundle")
    # Of the bundle's own executable, not of a script.
    head -c 4 "$bundle/$name" 2> "$HOME"/none | expect ELF 2> "$HOME"/none || continue
    pushhost extensions check "$bundle" --only stop > "$HOME"/report || { cat "$HOME"/report >&2; exit 1; }
    echo "$name works"
done > "$HOME"/works
expect match-game < "$HOME"/works
expect braze < "$HOME"/works
cat "$HOME"/works
