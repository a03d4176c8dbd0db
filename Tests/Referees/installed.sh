# Uses a pushhost in PATH on a system that has no toolchain and no checkout. PLUGINS is the folder of its bundles.

expect() { grep -qF -- "$1" || { echo "expected: $1" >&2; exit 1; }; }

cd "$HOME"
pushhost --version | expect "pushhost "

# A bundle in Swift, one in Python and one in Node draw their views.
pushhost push "$PLUGINS/match-game/payload.apns" --seed 7 --press card-0 > board
expect "Find the pairs" < board
expect "card-1" < board
pushhost push "$PLUGINS/feedback/payload.apns" | expect "FEEDBACK"
pushhost push "$PLUGINS/like/payload.apns" --press like | expect "Liked"

# A new extension passes its check, and its session is the same again.
for language in python node; do
    pushhost extensions new --language "$language" "coupon-$language" > created
    pushhost check "coupon-$language/payload.apns" --plugins "coupon-$language"
    pushhost extensions check "coupon-$language" | expect ": 0 errors, 0 warnings"
    pushhost replay "coupon-$language/session.jsonl" | expect "same "
done

# An event is delivered to a file, and one that an extension saves gets into the outbox.
pushhost save event Opened --user external_id=ada | expect "Saved"
pushhost flush --to file --deliver-file delivered.jsonl | expect "1 delivered"
expect '"Opened"' < delivered.jsonl
pushhost push "$PLUGINS/session-progress/payload.apns" --data suites > progress
pushhost pending --data suites --json | expect '"name"'

# Every bundle in Swift starts, which needs all of its libraries.
for bundle in "$PLUGINS"/*/; do
    name=$(basename "$bundle")
    grep -q pushhost-extensions "$bundle/$name" 2> none || continue
    # Those for NATS need a library that not every system has.
    case $name in nats-*) continue ;; esac
    pushhost extensions check "$bundle" --only stop > report || { cat report >&2; exit 1; }
    echo "$name works"
done > works
expect match-game < works
expect braze < works
cat works

# A copy must be allowed to read the program that they share. It also works through a link, or in a folder with a space
# in its name, but not without that program.
mkdir -p "a copy/plugins"
cp -r "$PLUGINS/match-game" "a copy/plugins"
ln -s "a copy/plugins/match-game" linked
pushhost extensions check linked 2>&1 | expect "which you have not allowed"
pushhost extensions check linked --allow com.example.pushhost.match-game 2>&1 | expect "use the original"
ln -s "$PLUGINS/../pushhost-extensions" "a copy"
pushhost extensions check linked --allow com.example.pushhost.match-game | expect ": 0 errors, 0 warnings"
