#!/usr/bin/env python3
"""A conversation that reads files, as document 003 counts it.

    gen_reads.py ROUNDS FILES TOKENS

prints an OpenAI chat history with ROUNDS rounds and about TOKENS tokens.  FILES
of the rounds read one file each; the others only talk.  The files consist of
plain functions, so that a digest has something to list.
"""
import json
import sys

rounds, files, tokens = (int(a) for a in sys.argv[1:4])
# a function below has 62 o200k_base tokens, a round of talk about 60
functions = max(1, (tokens - rounds * 60) // files // 62)
verbs = "load clean parse merge filter group count plot save check".split()
nouns = "sales orders users prices regions dates totals charts pages rows".split()


def source(seed):
    out = []
    for i in range(functions):
        verb, noun = verbs[(seed + i) % 10], nouns[(seed * 3 + i // 10) % 10]
        out.append(
            f"def {verb}_{noun}_{i}(table, key='{noun}', limit={i * 7 + seed}):\n"
            f"    rows = [row for row in table if row[key] > limit]\n"
            f"    total = sum(row['amount'] for row in rows)\n"
            f"    return {{'rows': rows, 'total': total, 'mean': total / len(rows)}}\n\n"
        )
    return "".join(out)


def say(**message):
    print(json.dumps(message, ensure_ascii=False, separators=(",", ":")))


say(role="system", content="You are a careful analyst of business data.")
for r in range(rounds):
    say(role="user", content=f"Round {r + 1}: what do the numbers of this step tell us?")
    if r < files:
        path = f"src/{nouns[r]}_analysis.py"
        call = f"call_read_file_{r}"
        say(role="assistant", content=None, tool_calls=[{
            "id": call, "type": "function",
            "function": {"name": "read_file", "arguments": json.dumps({"path": path})}}])
        say(role="tool", tool_call_id=call, content=source(r))
    say(role="assistant", content="They grow where the filter lets large orders pass, and fall elsewhere.")
