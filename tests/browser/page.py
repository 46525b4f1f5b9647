#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a page of ctx-show does in a browser.

	page.py CASE BUILD DATA [PICTURES]

Ends with 0 if all is as it must be; else says what is not.  PICTURES is a folder for
screenshots, to be looked at.
"""
import base64
import json
import os
import subprocess
import sys
import tempfile

from devtools import Browser

BAD = "document.title='ran'"
MARKUP = ("<script>%s;alert(1)</script><img src=x onerror=\"%s\">"
          "<svg onload=\"%s\"></svg><a href=\"javascript:%s\">x</a>"
          "</pre></template></title></style><iframe src=https://example.com>"
          % (BAD, BAD, BAD, BAD))


def page_of(lines, *options):
    """A page of these messages; returns its path."""
    path = tempfile.mkstemp(suffix=".html", dir=TOP)[1]
    text = "".join(json.dumps(x) + "\n" for x in lines)
    subprocess.run([BUILD + "/ctx-show", "-q", "-e", "chars", "--html", path,
                    *options], input=text.encode(), check=True, timeout=120)
    return path


def log_of(name, *options):
    path = os.path.join(TOP, "page.html")
    subprocess.run([BUILD + "/ctx-show", "-q", "-m", "claude-opus-4-1", "--html",
                    path, *options, "%s/logs/%s" % (DATA, name)], check=True,
                   timeout=120)
    return path


def kept_of(name):
    """What filters leave of a log: some of it shortened, and a note."""
    path = os.path.join(TOP, "kept")
    with open(path, "wb") as f:
        clean = subprocess.run([BUILD + "/ctx-clean", "-q", "--max-result", "300",
                                "%s/logs/%s" % (DATA, name)], check=True,
                               stdout=subprocess.PIPE, timeout=120)
        subprocess.run([BUILD + "/ctx-truncate", "-q", "--note", "-t", "5000"],
                       input=clean.stdout, stdout=f, check=True, timeout=120)
    return path


def diff_of(old, new):
    path = os.path.join(TOP, "diff.html")
    run = subprocess.run([BUILD + "/ctx-diff", "-q", "-e", "chars", "--html", path,
                          old, new], timeout=120)
    check(run.returncode == 1, "ctx-diff exits", run.returncode)
    return path


def check(is_so, *words):
    if not is_so:
        sys.exit("page.py: " + " ".join(map(str, words)))


def ran(b):
    """What of a history ran or was loaded."""
    return [e for e in b.happened("Page.javascriptDialogOpening",
                                  "Runtime.exceptionThrown")] + [
        e["request"]["url"] for e in b.happened("Network.requestWillBeSent")
        if not e["request"]["url"].startswith(("file:", "data:"))] + [
        e["request"]["url"] for e in b.happened("Network.requestWillBeSent")
        if e["request"]["url"].endswith("/x")] + (
        ["title"] if b.ask("document.title") == "ran" else [])


def quiet(b, path):
    """Nothing of a page runs, whatever is opened and clicked."""
    b.open(path)
    b.key("u")
    b.ask("for (const x of document.querySelectorAll('details')) x.open = true;"
          "for (const x of document.querySelectorAll('a, button')) x.dispatchEvent("
          "new MouseEvent('click', { bubbles: true, cancelable: true }));"
          "new Promise((done) => setTimeout(done, 300))")
    check(not ran(b), "a history ran:", ran(b))


def hostile(b):
    svg = base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg' onload=\"" +
                           BAD.encode() + b"\"/>").decode()
    lines = [
        {"role": "system", "content": MARKUP},
        {"role": "user", "name": MARKUP, "content": [
            {"type": "text", "text": MARKUP},
            {"type": "image_url", "image_url": {"url": "data:image/svg+xml;base64," + svg}},
            {"type": "image_url", "image_url": {"url": "https://example.com/" + MARKUP}},
            {"type": "image_url", "image_url": {"url": "javascript:" + BAD}}]},
        {"role": "assistant", "content": MARKUP, "tool_calls": [
            {"id": MARKUP, "type": "function", "function": {
                "name": MARKUP, "arguments": json.dumps({MARKUP: MARKUP, "path": MARKUP})}}]},
        {"role": "tool", "tool_call_id": MARKUP, "content": MARKUP}]
    path = page_of(lines)
    quiet(b, path)
    for name, text in ("old", MARKUP), ("new", MARKUP + " and more" + MARKUP):
        with open(os.path.join(TOP, name), "w", encoding="utf-8") as f:
            f.writelines(json.dumps(x).replace(json.dumps(MARKUP), json.dumps(
                text)) + "\n" for x in lines[:-1])
    quiet(b, diff_of(os.path.join(TOP, "old"), os.path.join(TOP, "new")))
    # would it have been seen?  Without a policy, yes; with it even markup does nothing
    with open(path, encoding="utf-8") as f:
        text = f.read()
    loose = text.replace("</main>", MARKUP[:MARKUP.index("</pre>")] + "</main>")
    policy = text[text.index("<meta http-equiv"):text.index("<meta name=\"referrer")]
    for kept, name in (True, "with"), (False, "without"):
        with open(path, "w", encoding="utf-8") as f:
            f.write(loose if kept else loose.replace(policy, ""))
        b.open(path)
        b.ask("new Promise((done) => setTimeout(done, 300))")
        check((b.ask("document.title") == "ran") != kept, name, "the policy:",
              b.ask("document.title"))


def keys(b):
    b.size(1280, 900)
    b.open(log_of("audit.claude-code.jsonl"))
    active = "document.activeElement.id"
    seen = []
    for key in "j", "j", "k", "]", "]", "[":
        b.key(key)
        seen.append(b.ask(active))
    # turn 3 begins with a message of the user
    turn = [b.ask("document.querySelector('#t%d + article').id" % n) for n in (2, 3)]
    check(seen == ["m1", "m2", "m1", turn[0], turn[1], turn[0]], "keys lead to", seen)
    check(b.ask("Math.abs(document.activeElement.getBoundingClientRect().top - 58) < 30"),
          "the message is not at the top")
    b.key("/")
    check(b.ask(active) == "q", "/ does not lead to the search")
    b.call("Input.insertText", text="ORDERS")
    b.ask("new Promise((done) => setTimeout(done, 400))")
    count = int(b.ask("document.getElementById('found').textContent"))
    # as many as there are in the texts, whether they are folded or not
    want = b.ask("document.getElementById('transcript').textContent.toLowerCase()"
                 ".split('orders').length - 1")
    check(count > 3 and count == want, "found", count, "of", want)
    b.key("Enter")
    b.key("Escape")
    b.key("n")
    check(b.ask("document.getElementById('found').textContent") == "2 of %d" % count,
          "the second match is", b.ask("document.getElementById('found').textContent"))
    box = b.ask("(() => { const r = [...CSS.highlights.get('now')][0]"
                ".getBoundingClientRect(); return [r.top, r.bottom, r.width] })()")
    check(50 <= box[0] and box[1] <= 900 and box[2] > 0, "the match is not seen:", box)
    b.key("p")
    b.key("p")
    check(b.ask("document.getElementById('found').textContent") ==
          "%d of %d" % (count, count), "before the first is not the last")
    b.ask("navigator.clipboard.writeText = (t) => { window.copied = t;"
          "return Promise.resolve(); }")
    b.ask("document.getElementById('m3').focus()")
    b.key("c")
    got = b.ask("window.copied")
    check(json.loads(got)["role"] == "assistant", "copied:", got)
    check(b.ask("document.getElementById('say').textContent") == "Copied", "not said")
    dark = b.ask("getComputedStyle(document.body).backgroundColor")
    b.key("d")
    check(b.ask("getComputedStyle(document.body).backgroundColor") != dark,
          "d changes no colour")
    b.key("u")
    check(not b.ask("document.querySelectorAll('main details:not([open])').length"),
          "u leaves something folded")
    b.key("?")
    check(b.ask("document.getElementById('help').open"), "? shows no keys")
    b.key("Escape")
    check(not b.ask("document.getElementById('help').open"), "Escape closes no keys")
    box = b.ask("(() => { scrollTo(0, 0); const a = [...document.querySelectorAll("
                "'.bar a')].find((x) => x.getBoundingClientRect().width > 9);"
                "const r = a.getBoundingClientRect();"
                "return [r.x + r.width / 2, r.y + 10, a.getAttribute('href')] })()")
    b.click(box[0], box[1])
    check(b.ask("location.hash") == box[2], "a click in the bar leads to",
          b.ask("location.hash"))
    check(not ran(b), "what ran:", ran(b))


def changes(b):
    """A page of ctx-diff: keys, folds and links."""
    log = DATA + "/logs/mend.anthropic.jsonl"
    b.size(1280, 900)
    b.open(diff_of(log, kept_of("mend.anthropic.jsonl")))
    check(b.ask("document.querySelectorAll('article').length") > 140 and
          b.ask("document.querySelectorAll('.words del, .words ins').length") > 3 and
          b.ask("document.querySelectorAll('article.dropped').length") > 50,
          "there are too few changes")
    # j goes over what is folded, ] over what is the same
    seen = []
    for _ in range(200):
        b.key("j")
        at = b.ask("document.activeElement.id")
        if at in seen:
            break
        seen.append(at)
    open_ = b.ask("[...document.querySelectorAll('article')].filter((x) =>"
                  "!x.closest('.run')).map((x) => x.id)")
    check(seen == open_, "j leads to", seen, "not to", open_)
    b.open(diff_of(log, kept_of("mend.anthropic.jsonl")))
    seen = []
    for key in "]", "]", "[":
        b.key(key)
        seen.append(b.ask("document.activeElement.id"))
    want = b.ask("[...document.querySelectorAll('.stop')].slice(0, 2).map((x) => x.id)")
    check(seen == want + want[:1], "] and [ lead to", seen)
    b.key("u")
    check(not b.ask("document.querySelectorAll('main details:not([open])').length"),
          "u leaves something folded")
    links(b)
    check(not ran(b), "what ran:", ran(b))


def links(b):
    """Links lead somewhere, and each name is given once."""
    for code in ("[...document.querySelectorAll('a')].filter((x) =>"
                 "!document.getElementById(x.getAttribute('href').slice(1))).length",
                 "(() => { const all = [...document.querySelectorAll('[id]')]"
                 ".map((x) => x.id); return all.length - new Set(all).size })()"):
        check(b.ask(code) == 0, code, "is", b.ask(code))


# Text whose contrast with what is behind it is below 4.5, in this colour scheme.
FAINT = """(() => {
	const light = (c) => {
		const v = c.match(/[0-9.]+/g).map(Number).slice(0, 3).map((x) =>
		    (x /= 255) <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
		return .2126 * v[0] + .7152 * v[1] + .0722 * v[2];
	};
	const ground = (el) => {
		for (; el; el = el.parentElement) {
			const c = getComputedStyle(el).backgroundColor;
			if (!/, 0\\)$/.test(c))
				return c;
		}
		return "rgb(255, 255, 255)";
	};
	const faint = [];
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) {
		const el = walk.currentNode.parentElement;
		if (!walk.currentNode.data.trim() || el.closest("script, title"))
			continue;
		const inside = el.matches(".in, .head");
		const style = getComputedStyle(el);
		const a = light(el.closest("svg") ? style.fill === "currentcolor" ?
		    style.color : style.fill : style.color);
		const b = light(inside ? getComputedStyle(el.previousElementSibling)
		    .fill : ground(el));
		const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (ratio < 4.5)
			faint.push(el.className + " " + el.tagName + " " +
			    ratio.toFixed(2));
	}
	return [...new Set(faint.map(String))].slice(0, 10);
})()"""


def looks(b):
    log = "mend.anthropic.jsonl"
    for name, page in (("mend", lambda: log_of("mend.claude-code.jsonl")),
                       ("zh", lambda: log_of("zh.openai.jsonl")),
                       ("kept", lambda: log_of(log, "--kept", kept_of(log))),
                       ("diff", lambda: diff_of("%s/logs/%s" % (DATA, log),
                                                kept_of(log)))):
        path = page()
        for scheme in "light", "dark":
            b.prefer(scheme)
            for width in 400, 1280, 2560:
                b.size(width, 900)
                b.open(path)
                b.ask("for (const x of document.querySelectorAll("
                      "'.pictures details, nav details, .words details'))"
                      "x.open = true")
                wide = b.ask("[...document.body.querySelectorAll('*')].filter((x) =>"
                             "x.getBoundingClientRect().right > innerWidth + 1 &&"
                             "!x.closest('svg, .u, .skip, nav, pre, summary'))"
                             ".slice(0, 5).map((x) => x.outerHTML.slice(0, 99))")
                check(b.ask("document.documentElement.scrollWidth") <= width,
                      name, "is wider than", width, wide)
                faint = b.ask(FAINT)
                check(not faint, scheme, "is too faint:", faint)
                if PICTURES:
                    shot = b.call("Page.captureScreenshot")["data"]
                    with open("%s/%s-%s-%d.png" % (PICTURES, name, scheme,
                                                   width), "wb") as f:
                        f.write(base64.b64decode(shot))


# how many of two pictures' pixels differ so that people would see it
DIFFER = """(async (all) => {
	const pixels = async (png) => {
		const data = await fetch("data:image/png;base64," + png);
		const map = await createImageBitmap(await data.blob());
		const to = new OffscreenCanvas(map.width, map.height).getContext("2d");
		to.drawImage(map, 0, 0);
		return to.getImageData(0, 0, map.width, map.height);
	};
	const [a, b] = await Promise.all(all.map(pixels));
	if (a.width !== b.width || a.height !== b.height)
		return 1;
	let n = 0;
	for (let i = 0; i < a.data.length; i += 4)
		n += [0, 1, 2].some((k) => Math.abs(a.data[i + k] - b.data[i + k]) > 12);
	return n * 4 / a.data.length;
})"""
ALIKE = 0.02
# other fonts divide lines elsewhere
FONTS = """(() => {
	const to = document.createElement("canvas").getContext("2d");
	return ["body", ".result pre"].map((x) => document.querySelector(x)).map((el) => {
		to.font = "100px " + getComputedStyle(el).fontFamily;
		return Math.round(to.measureText("The five boxing wizards 0123").width);
	}).join(" ");
})()"""


def small(b, path, scheme, width):
    """A picture of the beginning of a page, as a small PNG in Base64."""
    b.prefer(scheme)
    b.size(width, 900)
    b.open(path)
    return b.call("Page.captureScreenshot", clip={
        "x": 0, "y": 0, "width": width, "height": 900,
        "scale": 0.125 if width > 2000 else 0.25})["data"]


def kept_picture(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "pictures", name)


def pictures(b):
    """Pages look as they did when tests/browser/pictures were looked at.  With KEEP=1
    those are written anew, to be looked at again."""
    os.environ["CTX_REDACT_KEY"] = "the same key for each of the runs"
    log, shots = "mend.anthropic.jsonl", {}
    for name, page in (("history", lambda: log_of(log, "--kept", kept_of(log))),
                       ("changes", lambda: diff_of("%s/logs/%s" % (DATA, log),
                                                   kept_of(log)))):
        path = page()
        for scheme, width in (("light", 400), ("light", 1280), ("light", 2560),
                              ("dark", 1280)):
            shots["%s-%s-%d.png" % (name, scheme, width)] = small(b, path, scheme,
                                                                  width)
    fonts = b.ask(FONTS)
    if os.environ.get("KEEP"):
        for name, png in [("fonts", base64.b64encode(fonts.encode()))] + list(
                shots.items()):
            with open(kept_picture(name), "wb") as f:
                f.write(base64.b64decode(png))
    with open(kept_picture("fonts"), encoding="utf-8") as f:
        if f.read() != fonts:
            print("other fonts")
            return
    b.call("Page.navigate", url="about:blank")
    for name, png in shots.items():
        with open(kept_picture(name), "rb") as f:
            kept = base64.b64encode(f.read()).decode()
        differ = b.ask("%s(%s)" % (DIFFER, json.dumps([kept, png])))
        check(differ < ALIKE, name, "differs from what was kept:", differ)
    light, dark = shots["history-light-1280.png"], shots["history-dark-1280.png"]
    check(b.ask("%s(%s)" % (DIFFER, json.dumps([light, dark]))) > 0.5,
          "light and dark are taken to be alike")


def manuals(b):
    """The pages of make html: none is wider than the window, or has faint text."""
    site = os.path.join(TOP, "site")
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run([here + "/../../man/site/build", site], check=True)
    pages = sorted(x for x in os.listdir(site) if x.endswith(".html"))
    check(len(pages) > 30, pages)
    for scheme in "light", "dark":
        b.prefer(scheme)
        for width in 400, 1280:
            b.size(width, 900)
            for name in pages:
                b.open(os.path.join(site, name))
                check(b.ask("document.documentElement.scrollWidth") <= width,
                      name, "is wider than", width)
                faint = b.ask(FAINT)
                check(not faint, name, scheme, "is too faint:", faint)
    check(not ran(b), "what was loaded:", ran(b))


def parts(b):
    """Headings, landmarks, names, and links that lead somewhere."""
    b.open(log_of("mend.anthropic.jsonl"))
    for code, want in (
            ("document.querySelectorAll('h1').length", 1),
            ("document.querySelectorAll('main, nav, header.top, form[role=search]')"
             ".length", 4),
            ("[...document.querySelectorAll('button')].filter((x) =>"
             "!x.textContent.trim()).length", 0),
            ("[...document.querySelectorAll('input')].filter((x) =>"
             "!x.labels.length).length", 0),
            ("[...document.querySelectorAll('svg.picture, img')].filter((x) =>"
             "!(x.getAttribute('aria-label') || x.alt)).length", 0)):
        check(b.ask(code) == want, code, "is", b.ask(code))
    links(b)
    # without a mouse: what has the focus shows it
    b.key("Tab")
    check(b.ask("document.activeElement.className") == "skip" and
          b.ask("getComputedStyle(document.activeElement).outlineStyle") != "none",
          "the first Tab leads to", b.ask("document.activeElement.outerHTML"))


def speed(b):
    """10,000 messages: when are they seen, and how long does a step of scrolling take?"""
    lines = [{"role": "user", "content": "Look at everything."}]
    for i in range(3333):
        call = {"id": "c%d" % i, "type": "function", "function": {
            "name": "read", "arguments": json.dumps({"path": "src/%d.c" % (i % 90)})}}
        lines += [{"role": "assistant", "content": "File %d." % i, "tool_calls": [call]},
                  {"role": "tool", "tool_call_id": "c%d" % i, "content":
                   "".join("%d\tint f%d(int a);\n" % (n, n) for n in range(i % 60))},
                  {"role": "user", "content": "Go on with %d." % i}]
    path = page_of(lines)
    b.size(1280, 900)
    b.open(path)
    paint = b.ask("new Promise((done) => { const look = () => { const at = performance"
                  ".getEntriesByName('first-contentful-paint')[0];"
                  "at ? done(at.startTime) : setTimeout(look, 5); }; look(); })")
    load = b.ask("performance.getEntriesByType('navigation')[0].loadEventEnd")
    steps = b.ask("""new Promise((done) => {
	const times = [];
	let last = performance.now(), n = 0;
	const step = () => {
		const now = performance.now();
		times.push(now - last);
		last = now;
		scrollBy(0, 400);
		if (++n < 120)
			requestAnimationFrame(step);
		else
			done(times.slice(1).sort((a, b) => a - b));
	};
	requestAnimationFrame(step);
})""")
    find = b.ask("(() => { const q = document.getElementById('q'); q.value = 'f59';"
                 "const t = performance.now(); q.dispatchEvent(new Event('input'));"
                 "document.getElementById('next').click();"
                 "return performance.now() - t })()")
    print("%d messages, %.1f MB: first paint %.0f ms, loaded %.0f ms; a step of scrolling "
          "%.0f ms (median), %.0f (95 %%); search %.0f ms" % (
              len(lines), os.path.getsize(path) / 1e6, paint, load,
              steps[len(steps) // 2], steps[len(steps) * 95 // 100], find))
    check(len(lines) == 10000, len(lines))


CASE, BUILD, DATA = sys.argv[1:4]
PICTURES = sys.argv[4] if len(sys.argv) > 4 else None
with tempfile.TemporaryDirectory() as TOP, Browser() as browser:
    globals()[CASE](browser)
