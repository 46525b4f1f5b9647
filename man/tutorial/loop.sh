#!/bin/sh
# loop.sh THREAD QUESTION: ask MODEL, a command that reads a request and
# prints an answer, and run the tools that it calls until it calls none.
set -eu
thread=$1
printf '%s\n' "$2" | ctx-convert --from text --role user --to openai |
    ctx-store append "$thread"
for round in 1 2 3 4 5 6 7 8 9; do
    ctx-store load "$thread" | ctx-clean | ctx-truncate -m gpt-4o |
        ctx-convert -q --to openai --request -m gpt-4o >request.json
    $MODEL <request.json | ctx-convert --from response >answer.jsonl
    ctx-store append "$thread" answer.jsonl
    ctx-convert --to calls answer.jsonl >calls.jsonl || break
    while IFS= read -r call; do
        id=${call#'{"id":"'} id=${id%%'"'*}
        case $call in
        *'"name":"days"'*) echo 'monday wednesday' ;;
        *) echo 'There is no such tool.' ;;
        esac | ctx-convert --from text --role tool --call "$id"
    done <calls.jsonl | ctx-store append --checked "$thread"
done
ctx-convert --to text answer.jsonl
