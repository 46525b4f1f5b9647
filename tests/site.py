#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check the links of the pages in a folder.

	site.py FOLDER

Every link must lead to a file of the folder and, with "#", to an element of it that
has this id; ids must be unique, and pictures described.  Prints what is not so, and
the number of pages and links that were looked at.
"""
import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.faults = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        for name in "href", "src":
            # of the documents of others only links are allowed
            if name in attrs and not (
                    tag == "a" and attrs[name].startswith("https://")):
                self.links.append(attrs[name])
        if tag == "a" and not attrs.get("href"):
            self.faults.append("a link without an address")
        if tag == "img" and not attrs.get("alt"):
            self.faults.append("a picture without a description")


def main(folder):
    names = sorted(os.listdir(folder))
    pages = {}
    for name in names:
        if name.endswith(".html"):
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                pages[name] = Page(f.read())
    faults = []
    for name, page in pages.items():
        faults += [(name, x) for x in page.faults]
        faults += [(name, "id twice: " + x) for x in set(page.ids)
                   if page.ids.count(x) > 1]
        for link in page.links:
            to, _, part = link.partition("#")
            to = urllib.parse.unquote(to) or name
            part = urllib.parse.unquote(part)
            if to not in names or part and part not in pages[to].ids:
                faults.append((name, "leads nowhere: " + link))
    for fault in faults:
        print("%s: %s" % fault)
    print(len(pages), "pages,", sum(len(x.links) for x in pages.values()), "links")


main(sys.argv[1])
