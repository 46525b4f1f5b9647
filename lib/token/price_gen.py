#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print price_data.inc from the data of pydantic/genai-prices.

  price_gen.py DATA.json DATE    its prices/new_data/v2/data.json; DATE is that
                                 of the data, such as 2026-08-21

The makers' own prices are taken, of texts, for all hours of the day; names that
need a regular expression, and prices that hold for some hours only, are not.
Google's list has Claude too: of that, only the names that Vertex AI alone has, with
an @, are taken.
"""
import json
import sys

MAKERS = ["anthropic", "openai", "google", "mistral", "deepseek", "x-ai",
          "cohere", "moonshotai", "minimax", "zhipuai", "perplexity"]
KEYS = ["input_mtok", "cache_read_mtok", "cache_write_mtok",
        "cache_write_1h_mtok", "output_mtok"]


def patterns(match):
    """The names as words with a * at an end; None if they cannot be."""
    (how, what), = match.items()
    if how == "or":
        each = [patterns(m) for m in what]
        return None if None in each else [p for e in each for p in e]
    if how not in ("equals", "starts_with", "ends_with", "contains") or \
            set(what) & set(" *#\t"):
        return None
    return [("*" if how in ("ends_with", "contains") else "") + what +
            ("*" if how in ("starts_with", "contains") else "")]


def own(maker, names):
    """Those of the names that are the maker's own."""
    return [n for n in names if maker != "google" or "claude" not in n or
            "@" in n]


def number(n):
    return "-" if n is None else f"{n:.6f}".rstrip("0").rstrip(".")


def rows(prices):
    """(least input, its prices): one, and one for each longer input."""
    starts = {0}
    for key in KEYS:
        if isinstance(prices.get(key), dict):
            starts |= {t["start"] for t in prices[key]["tiers"]}
    for start in sorted(starts):
        row = []
        for key in KEYS:
            n = prices.get(key)
            if isinstance(n, dict):
                n = [n["base"]] + [t["price"] for t in n["tiers"]
                                   if t["start"] <= start]
                n = n[-1]
            row.append(number(n))
        yield start, row


def main():
    data = json.load(open(sys.argv[1], encoding="utf-8"))
    print("/* SPDX-License-Identifier: MIT */\n/*\n"
          " * Prices, in the format of price.h.  Printed by price_gen.py; the "
          "figures are\n * those of pydantic/genai-prices (MIT), "
          f"{sys.argv[2]}.\n */")
    for maker in data:
        if maker["id"] not in MAKERS:
            continue
        for model in maker["models"]:
            names = patterns(model["match"])
            of = model["prices"]
            of = of if isinstance(of, list) else [{"prices": of}]
            hours = [p for p in of if "start_time" in p.get("constraint", {})]
            if names is None or hours or "input_mtok" not in of[0]["prices"]:
                print(f"{model['id']}: left out", file=sys.stderr)
                continue
            for one in of:
                since = one.get("constraint", {}).get("start_date", "-")
                for start, row in rows(one["prices"]):
                    for name in own(maker["id"], names):
                        print(f'"{name} {since} {start} {" ".join(row)}\\n"')


main()
