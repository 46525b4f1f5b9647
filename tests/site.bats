# The site of make html.

setup() {
	load helpers
	common_setup
}

check_links() { python3 "$ROOT/tests/site.py" "$1"; }

@test "site: every link of every page leads to a page and a place in it" {
	if sanitized; then skip "none of the programs that are tested runs here"; fi
	exits 0 make -s -C "$ROOT" html BUILD="$T/build"
	quiet
	check_links "$T/build/html" >links
	n=$(ls "$ROOT"/man/*.[1-9] | wc -l)
	has -E "^$((n + 1)) pages, [0-9]{4,} links\$" links
	[ "$(wc -l <links)" -eq 1 ] || fail "$(cat links)"
	cd "$T/build/html"
	# each is in the index, knows its neighbours, and is marked in its own list
	[ "$(grep -c '^<dt><a href="[^"]*">[a-z-]*([1-9])</a><dd>.' index.html)" -eq "$n" ]
	[ "$(cat ./*.html | grep -c 'rel="prev"')" -eq $((n - 1)) ]
	[ "$(cat ./*.html | grep -c 'rel="next"')" -eq $((n - 1)) ]
	grep -o 'aria-current="page" href="[^"]*"' ./*.html >current
	awk -F '[:/"]' '$2 != $6 { exit 1 }' current
	[ "$(wc -l <current)" -eq "$n" ]
	# a reference to another page, to a section here and there, to a page of others
	has -qF '<a class="Xr" href="ctx-stream.5.html">ctx-stream(5)</a>' ctx-show.1.html
	has -qF '<li class="l1"><a href="#EXIT_STATUS">EXIT STATUS</a>' ctx-show.1.html
	has -qF '<a class="Sx" href="ctx-stream.5.html#Shards">' ctx-clean.1.html
	has -qF '<span class="Xr">curl(1)</span>' ctx-tutorial.7.html
	# pictures are in the page that is about them
	for p in bar treemap plot; do
		has -qF "<img src=\"$p.svg\"" ctx-show.1.html
		same "$p.svg" "$ROOT/man/pictures/$p.svg"
	done
}

@test "site: a link that leads nowhere is found" {
	mkdir site
	cat >site/a.html <<-'END'
		<a href="b.html#here">1</a><a href="b.html#there">2</a><a href="#x">3</a>
		<a href="c.html">4</a><img src="d.svg"><a id="y" href="">5</a><p id="y">
	END
	echo '<p id="here"><a href="a.html#y">' >site/b.html
	check_links site >got
	cat >want <<-'END'
		a.html: a picture without a description
		a.html: a link without an address
		a.html: id twice: y
		a.html: leads nowhere: b.html#there
		a.html: leads nowhere: #x
		a.html: leads nowhere: c.html
		a.html: leads nowhere: d.svg
		2 pages, 7 links
	END
	same got want
}

@test "site: a page that the index does not name is refused" {
	mkdir -p man/site man/pictures
	cp "$ROOT"/man/site/* man/site
	cp "$ROOT"/man/pictures/*.svg man/pictures
	cp "$ROOT"/man/*.[1-9] man
	cp man/ctx.7 man/other.7
	exits 1 man/site/build html
	said 'man/site/purposes does not name each page of man once'
}
