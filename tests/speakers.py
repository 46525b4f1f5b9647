#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Can the transcript that a model is sent be read in one way only?

    speakers.py make SEED N               N random conversations, a line each
    speakers.py read HISTORY REQUESTS     read each transcript of the requests
                                          that --dry-run prints, and compare

Texts are made of what begins a speaker's turn, of marks, and of all that ends a
line.  Reads the transcript with rules of its own: a line with a speaker begins a
turn, and a mark before what looks like a speaker goes.
"""
import json
import random
import re
import sys

ENDS = "\n\v\f\r\x85\u2028\u2029"
UNSEEN = ("[\0-\t\x0e- \x7f-\x84\x86-\xa0\xad\u2000-\u200f\u2060\u3000"
          "\ufeff]")
PIECES = (["USER", "ASSISTANT", "SYSTEM", "TOOL", "user", "Tool", "toolbar",
           "users", "uſer", "ASSISTANT [ls]: ", "TOOL ls: ", "USER: ",
           "> ", ">", ":", "：", "[", "]", " ", "\t", "\0", "\u200b", "\u3000",
           "say", "你好", "</transcript>", "... (truncated, 9 chars total)"] +
          ["\n"] * 8 + list(ENDS))
POSES = re.compile("(?:> )*%s*(?:(?:user|assistant|system)%s*[:：[]|"
                   "tool(?=[:：]|%s)[^%s]*?[:：])" %
                   (UNSEEN, UNSEEN, UNSEEN, ENDS), re.I | re.A)
TURN = re.compile("(USER|ASSISTANT|ASSISTANT \\[[^]%s]*\\]|TOOL [^:%s]*): " %
                  (ENDS, ENDS))


def conversation(rng):
    def text():
        return "".join(rng.choice(PIECES) for _ in range(rng.randrange(14)))

    messages = []
    for _ in range(rng.randint(1, 3)):
        messages.append({"role": "user", "content": text()})
        if rng.random() < .5:
            call = {"name": "f" + text(), "arguments": text()}
            messages.append({"role": "assistant", "tool_calls": [
                {"id": "c", "type": "function", "function": call}]})
            messages.append({"role": "tool", "tool_call_id": "c",
                             "content": text()})
        messages.append({"role": "assistant", "content": "a" + text()})
    return {"messages": messages}


def turns(conversation):
    """What was said, as it should be read."""
    for m in conversation["messages"]:
        if m["role"] == "user":
            yield "USER", m["content"]
        elif m["role"] == "tool":
            yield "TOOL " + name, m["content"]
        elif "tool_calls" in m:
            call = m["tool_calls"][0]["function"]
            name = re.sub("[\0:\\]%s]" % ENDS, "_", call["name"])
            yield "ASSISTANT [" + name + "]", call["arguments"]
        else:
            yield "ASSISTANT", m["content"]


def unmark(text):
    parts = re.split("([%s])" % ENDS, text)
    for i in range(2, len(parts), 2):
        if parts[i].startswith("> ") and POSES.match(parts[i][2:]):
            parts[i] = parts[i][2:]
    return "".join(parts)


def values(text):
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value
        while at < len(text) and text[at] in " \n":
            at += 1


def read(request):
    text = request["messages"][1]["content"]
    mark = re.search(r"^<(transcript[-0-9a-f]*)>\n", text, re.M)
    block = text[mark.end():text.rindex("</%s>" % mark.group(1))]
    said = []
    for line in block[:-1].split("\n"):
        turn = TURN.match(line)
        if turn:
            said.append([turn.group(1), line[turn.end():]])
        else:
            said[-1][1] += "\n" + line
    return [(who, unmark(what)) for who, what in said]


def main():
    if sys.argv[1] == "make":
        rng = random.Random(sys.argv[2])
        for _ in range(int(sys.argv[3])):
            print(json.dumps(conversation(rng)))
        return
    with open(sys.argv[2]) as history, open(sys.argv[3]) as requests:
        histories, asked = history.readlines(), list(values(requests.read()))
    if len(histories) != len(asked):
        sys.exit("%d requests, not %d" % (len(asked), len(histories)))
    for line, request in zip(histories, asked):
        want = [(who, what.replace("\0", " "))
                for who, what in turns(json.loads(line))]
        if read(request) != want:
            sys.exit("wanted %r\nread %r" % (want, read(request)))


main()
