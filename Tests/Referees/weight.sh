#!/usr/bin/env bash
# Prints the size of each program of a release build without its symbols, and fails if one is too large, or if one that
# can do without it has the data of all languages (ICU) in it.
#
# Usage: weight.sh FOLDER, the folder of a release build with --static-swift-stdlib.
set -euo pipefail

build=${1:?"name the folder of the release build"}
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
failed=0

# check PROGRAM LIMIT [icu]: the limit is in MiB; "icu" allows the data.
check() {
    local bytes
    strip -o "$stripped" "$build/$1"
    bytes=$(stat -c %s "$stripped")
    printf '%-18s %5d.%d MB\n' "$1" $((bytes / 1000000)) $((bytes / 100000 % 10))
    if [ "$bytes" -gt $(($2 << 20)) ]; then
        echo "$1 is larger than $2 MiB; see what is new in it with -Xlinker -Map=FILE" >&2
        failed=1
    fi
    if [ "${3-}" != icu ] && grep -aq 'icudt[0-9]' "$stripped"; then
        echo "$1 links ICU; a file of it, or of a dependency, imports Foundation and not FoundationEssentials" >&2
        failed=1
    fi
}

for bundle in achievements braze match-game push-story register rich-push session-progress; do
    check "$bundle" 15
done
# GRDB and FlyingFox bring all of Foundation into these, and CLocaleData leaves out its data of all languages.
check pushhost 38 icu
check pushhost-preview 30 icu
exit $failed
