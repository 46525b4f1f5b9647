"use strict";
/* Search, folding and keys of a page of ctx-show; without it, it can be read. */
(function () {
	const by = (id) => document.getElementById(id);
	const main = by("transcript"), q = by("q"), found = by("found");
	const articles = Array.from(main.querySelectorAll("article"));
	const MOST = 5000;	/* matches */
	let here = -1, hits = [], now = -1, timer = 0;

	function say(text) {
		by("say").textContent = text;
		clearTimeout(timer);
		timer = setTimeout(() => { by("say").textContent = ""; }, 2000);
	}

	/* --- moving ------------------------------------------------------ */

	function isSeen(a) {
		const box = a.getBoundingClientRect();

		return box.bottom > 60 && box.top < innerHeight;
	}

	/* The message that was gone to, or the one before the first in sight. */
	function current() {
		const at = document.activeElement.closest("article");
		const i = at ? articles.indexOf(at) : here;

		if (i >= 0 && isSeen(articles[i]))
			return i;
		return articles.findIndex(isSeen) - 1;
	}

	/* Is it in something that is folded? */
	function isFolded(a) {
		return a && a.parentElement.closest("details:not([open])");
	}

	/* The message after i, or before it, that is not folded away. */
	function beside(i, step) {
		do
			i += step;
		while (isFolded(articles[i]));
		return i;
	}

	function go(i) {
		if (!articles[i])
			return;
		unfold(articles[i]);
		here = i;
		articles[i].focus({ preventScroll: true });
		articles[i].scrollIntoView({ block: "start" });
	}

	/* Back goes to the beginning of the turn first; or to what changed. */
	function turn(step) {
		const first = Array.from(main.querySelectorAll("h2, .stop"), (x) =>
		    articles.indexOf(x.matches(".stop") ? x :
		    x.nextElementSibling));
		const i = current();

		go(step > 0 ? first.find((f) => f > i) :
		    first.findLast((f) => f < i));
	}

	/* --- search ------------------------------------------------------ */

	function unmark() {
		if (window.CSS && CSS.highlights)
			CSS.highlights.clear();
	}

	function mark() {
		if (!window.CSS || !CSS.highlights)
			return;
		CSS.highlights.set("hit", new Highlight(...hits));
		CSS.highlights.set("now", new Highlight(hits[now]));
		CSS.highlights.get("now").priority = 1;
	}

	function search() {
		const word = q.value.toLowerCase();

		hits = [];
		now = -1;
		unmark();
		found.textContent = "";
		if (word === "")
			return;
		const walk = document.createTreeWalker(main,
		    NodeFilter.SHOW_TEXT);
		let node;
		while (hits.length < MOST && (node = walk.nextNode())) {
			const text = node.data.toLowerCase();
			/* a letter may have another length in lower case */
			if (text.length !== node.data.length)
				continue;
			for (let at = text.indexOf(word); at >= 0 &&
			    hits.length < MOST;
			    at = text.indexOf(word, at + word.length)) {
				const range = document.createRange();
				range.setStart(node, at);
				range.setEnd(node, at + word.length);
				hits.push(range);
			}
		}
		found.textContent = hits.length === 0 ? "no match" :
		    hits.length === MOST ? MOST + " or more" :
		    String(hits.length);
	}

	/* Does the line that opens it say this? */
	function unfold(el) {
		for (; el && el !== main; el = el.parentElement)
			if (el.tagName === "DETAILS")
				el.open = true;
	}

	function match(step) {
		if (hits.length === 0)
			search();
		if (hits.length === 0)
			return;
		now = (now + step + hits.length + (now < 0 && step < 0)) %
		    hits.length;
		const el = hits[now].startContainer.parentElement;
		unfold(el);
		here = articles.indexOf(el.closest("article"));
		el.scrollIntoView({ block: "nearest" });
		const box = hits[now].getBoundingClientRect();
		if (box.top < 70 || box.bottom > innerHeight)
			scrollBy(0, box.top - innerHeight / 3);
		mark();
		found.textContent = (now + 1) + " of " + hits.length;
	}

	/* --- folding, colours, copying ----------------------------------- */

	function foldAll() {
		const all = main.querySelectorAll("details");
		const open = by("unfold").textContent === "Unfold all";

		for (const d of all)
			d.open = open;
		by("unfold").textContent = open ? "Fold all" : "Unfold all";
	}

	function fold() {
		const a = articles[current()];
		const all = a ? Array.from(a.querySelectorAll("details")) : [];
		const open = all.some((d) => !d.open);

		for (const d of all)
			d.open = open;
	}

	function isDark() {
		const set = document.documentElement.style.colorScheme;

		return set ? set === "dark" :
		    matchMedia("(prefers-color-scheme: dark)").matches;
	}

	function theme() {
		document.documentElement.style.colorScheme =
		    isDark() ? "light" : "dark";
		by("theme").textContent = isDark() ? "Light" : "Dark";
	}

	function copyOld(text) {
		const area = document.createElement("textarea");

		area.value = text;
		document.body.append(area);
		area.select();
		const ok = document.execCommand("copy");
		area.remove();
		return ok;
	}

	function copy(a) {
		if (!a)
			return;
		const text = a.querySelector("template").content.textContent;
		const tell = (ok) => say(ok ? "Copied" : "Cannot copy");

		if (navigator.clipboard)
			navigator.clipboard.writeText(text).then(() =>
			    tell(true), () => tell(copyOld(text)));
		else
			tell(copyOld(text));
	}

	/* --- keys -------------------------------------------------------- */

	const keys = {
		j: () => go(beside(current(), 1)),
		k: () => go(beside(current(), -1)),
		"]": () => turn(1),
		"[": () => turn(-1),
		n: () => match(1),
		p: () => match(-1),
		"/": () => { q.focus(); q.select(); },
		o: fold,
		u: foldAll,
		c: () => copy(articles[current()]),
		d: theme,
		"?": () => by("help").showModal()
	};

	document.addEventListener("keydown", (e) => {
		if (e.ctrlKey || e.metaKey || e.altKey || by("help").open)
			return;
		if (e.target === q) {
			if (e.key === "Escape")
				q.blur();
			return;
		}
		if (Object.hasOwn(keys, e.key)) {
			e.preventDefault();
			keys[e.key]();
		}
	});
	by("search").addEventListener("submit", (e) => {
		e.preventDefault();
		match(1);
	});
	let wait = 0;
	q.addEventListener("input", () => {
		clearTimeout(wait);
		hits = [];
		wait = setTimeout(search, 150);
	});
	by("next").addEventListener("click", () => match(1));
	by("prev").addEventListener("click", () => match(-1));
	by("unfold").addEventListener("click", foldAll);
	by("theme").addEventListener("click", theme);
	by("keys").addEventListener("click", keys["?"]);
	main.addEventListener("click", (e) => {
		if (e.target.classList.contains("copy"))
			copy(e.target.closest("article"));
	});
	/* what a link leads to may be folded */
	function target() {
		const el = location.hash.length > 1 &&
		    by(location.hash.slice(1));

		if (el && main.contains(el)) {
			unfold(el);
			here = articles.indexOf(el.closest("article"));
		}
	}
	addEventListener("hashchange", target);

	document.documentElement.classList.add("js");
	by("theme").textContent = isDark() ? "Light" : "Dark";
	by("tools").hidden = false;
	target();
}());
