# SPDX-License-Identifier: MIT
"""Quality of summaries at one budget, with peers.

Reads sets of cases, one case a line: {"budget", "messages", "reference", "facts"}.
Prints for each set ROUGE-1 F1 against the reference and the percentage of the facts
that a summary contains, for the offline engine and for three peers that pick
sentences: the first and the last ones, TextRank and LexRank.  And for sets with calls:
the percentage of those that changed something that a summary names with their id;
the percentage of references that are names of members; and the percentage of the facts
that are left after many folds with chatter of another set.
"""
import json
import math
import re
import subprocess
from collections import Counter

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD = re.compile(f"[a-z0-9]+|[{HAN}]")
PIECE = re.compile(f"[A-Za-z]+|[0-9]+|[{HAN}]|[^\\sA-Za-z0-9]")
SENTENCE = re.compile("(?<=[.!?])\\s+(?=[A-Z0-9\"'(])|(?<=[。！？；])|\n")
CHANGES = re.compile("book|cancel|update|send|transfer|modify|return|exchange")
MOST = 400  # sentences that TextRank and LexRank, which are quadratic, get


def cost(text):
    """Approximate tokens, the same for all."""
    return sum(-(-len(p) // 6) if p.isascii() and p.isalpha() else
               -(-len(p) // 3) if p.isdigit() else 1
               for p in PIECE.findall(text))


def cut(text, budget):
    """The beginning of a text that is worth the budget."""
    for m in PIECE.finditer(text):
        budget -= cost(m.group())
        if budget < 0:
            return text[:m.start()]
    return text


def words(text):
    return WORD.findall(text.lower())


def rouge(text, references):
    best, have = 0.0, Counter(words(text))
    for r in references:
        want = Counter(words(r))
        n = sum((have & want).values())
        best = max(best, 2 * n / (have.total() + want.total()) if n else 0)
    return best


def plain(text):
    return re.sub(r"\s+", " ", text.lower())


def contains(text, fact):
    """12 is not in 2012."""
    edge = "[a-z0-9]"
    f = plain(fact)
    begin = f"(?<!{edge})" if re.match(edge, f[0]) else ""
    end = f"(?!{edge})" if re.match(edge, f[-1]) else ""
    return re.search(begin + re.escape(f) + end, text) is not None


def calls(case):
    for m in case["messages"]:
        for c in m.get("tool_calls") or []:
            yield c["function"]["name"], c["function"]["arguments"]


def named(case, text):
    """Of the calls that changed something: how many there are, and named."""
    n = found = 0
    for name, args in calls(case):
        if not CHANGES.match(name):
            continue
        try:
            args = json.loads(args)
        except ValueError:
            continue
        ids = [args[k] for k in ("reservation_id", "order_id", "user_id")
               if args.get(k)]
        n += 1
        found += any(str(ids[0] if ids else "").lower() in line[i.end():]
                     for line in text.lower().split("\n")
                     for i in re.finditer(re.escape(name.lower()) + r"\(", line))
    return n, found


def sentences(case):
    out = []
    for m in case["messages"]:
        out += [s.strip() for s in SENTENCE.split(m.get("content") or "")]
        out += [f"{c['function']['name']}({c['function']['arguments']})"
                for c in m.get("tool_calls") or []]
    return [s for s in out if s]


def fill(case, order, sent):
    """Take sentences in this order, and print them in their own."""
    left, taken = case["budget"], set()
    for i in order:
        n = cost(sent[i])
        if n <= left:
            left -= n
            taken.add(i)
    return "\n".join(sent[i] for i in sorted(taken))


def ends(case):
    sent = sentences(case)
    n = len(sent)
    order = [i for k in range((n + 1) // 2) for i in (k, n - 1 - k)]
    return fill(case, dict.fromkeys(order), sent)


def power(sim, n):
    """The stationary weights of a graph, by 30 steps."""
    out = [sum(row) or 1 for row in sim]
    w = [1 / n] * n
    for _ in range(30):
        part = [w[j] / out[j] for j in range(n)]
        w = [0.15 / n + 0.85 * sum(map(float.__mul__, part, row))
             for row in sim]
    return w


def ranked(case, similar):
    sent = sentences(case)
    step = max(1, -(-len(sent) // MOST))
    sent = sent[::step]
    n, bags = len(sent), [Counter(words(s)) for s in sent]
    df = Counter(w for b in bags for w in b)
    sim = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            both = bags[i].keys() & bags[j].keys()
            if both:
                sim[i][j] = sim[j][i] = similar(bags[i], bags[j], both, df, n)
    w = power(sim, n)
    return fill(case, sorted(range(n), key=lambda i: -w[i]), sent)


def overlap(a, b, both, _df, _n):
    size = math.log(a.total() + 1) + math.log(b.total() + 1)
    return len(both) / size


def cosine(a, b, both, df, n):
    def norm(bag):
        return math.sqrt(sum((c * math.log(1 + n / df[w])) ** 2
                             for w, c in bag.items()))
    dot = sum(a[w] * b[w] * math.log(1 + n / df[w]) ** 2 for w in both)
    s = dot / (norm(a) * norm(b) or 1)
    return s if s > 0.1 else 0.0


def lines_of(messages):
    return "".join(json.dumps(m, ensure_ascii=False) + "\n" for m in messages)


def filtered(args, text):
    return subprocess.run(args, input=text.encode(), check=True,
                          stdout=subprocess.PIPE).stdout.decode()


def ours(program):
    return lambda case: filtered(
        [program, "--all", "--to", "text", "--max-tokens",
         str(case["budget"])], lines_of(case["messages"]))


def members(value):
    """The names in a value of JSON."""
    for v in value.values() if isinstance(value, dict) else value:
        if isinstance(v, (dict, list)):
            yield from members(v)
    if isinstance(value, dict):
        yield from (k.lower() for k in value)


def known(case):
    texts = [m["content"] for m in case["messages"] if m["role"] == "tool"]
    for t in texts + [args for _, args in calls(case)]:
        try:
            value = json.loads(t or "null")
        except ValueError:
            continue
        if isinstance(value, (dict, list)):
            yield from members(value)


def member_share(program, cases):
    n = bad = 0
    for case in cases:
        names = set(known(case))
        last = ours(program)(case).strip().split("\n")[-1]
        if last.startswith("Refs: "):
            refs = last[6:].lower().split(", ")
            n += len(refs)
            bad += sum(r in names for r in refs)
    return 100 * bad / n if n else 0


def after_folds(program, case, chatter, cap, folds=20):
    """The share of the facts after a number of folds."""
    stream = filtered([program, "--all", "--max-tokens", str(cap)],
                      lines_of(case["messages"]))
    for i in range(0, len(chatter) - 8, 8):
        new = stream + lines_of(chatter[i:i + 8])
        stream = filtered([program, "-q", "-t", "1000", "--max-tokens",
                           str(cap)], new)
        folds -= len(stream) < len(new)
        if folds == 1:
            break
    return sum(contains(plain(stream), f)
               for f in case["facts"]) / len(case["facts"])


def fold_table(program, tasks, talks):
    text = [m["content"] for c in talks for m in c["messages"] if m["content"]]
    chatter = [{"role": ("user", "assistant")[i % 2], "content": t}
               for i, t in enumerate(text[:4000])]
    some = tasks[::max(1, len(tasks) // 8)][:8]
    print(f"\nReferences that are names of members: "
          f"{member_share(program, tasks):.1f} %.")
    for cap in 256, 1024:
        kept = [after_folds(program, c, chatter, cap) for c in some]
        print(f"Facts after 20 folds into {cap} tokens: "
              f"{100 * sum(kept) / len(kept):.1f} %.", flush=True)


def row(cases, get):
    r1, gold, n, found = [], [], 0, 0
    for case in cases:
        text = cut(get(case), case["budget"])
        r1.append(rouge(text, case["reference"]))
        if case.get("facts"):
            gold.append(sum(contains(plain(text), f) for f in case["facts"]) /
                        len(case["facts"]))
        a, b = named(case, text)
        n, found = n + a, found + b

    def percent(part, whole):
        return f"{100 * part / whole:.1f}" if whole else "–"
    return [percent(sum(r1), len(r1)), percent(sum(gold), len(gold)),
            percent(found, n)]


def table(program, files):
    print("\n## Summaries at one budget\n")
    print("| set | method | ROUGE-1 | facts kept, % | calls named, % |")
    print("|---|---|---|---|---|")
    methods = [("ctx-summarize", ours(program)), ("first and last", ends),
               ("TextRank", lambda c: ranked(c, overlap)),
               ("LexRank", lambda c: ranked(c, cosine))]
    tasks, talks = [], []
    for path in files:
        with open(path, encoding="utf-8") as f:
            cases = [json.loads(line) for line in f]
        if any(True for c in cases for _ in calls(c)):
            tasks += [c for c in cases if c.get("facts")]
        elif cases[0]["lang"] == "en":
            talks += cases
        name = path.rsplit("/", 1)[-1].split(".", 1)[0]
        for method, get in methods:
            print(f"| {name} | {method} | {' | '.join(row(cases, get))} |",
                  flush=True)
    if tasks and talks:
        fold_table(program, tasks, talks)
