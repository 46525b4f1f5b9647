# The pages of ctx-show and ctx-diff in a real browser (tests/setup --browser).  Screenshots for people
# are left in $PICTURES, if that is set.

setup() {
	load ../helpers
	BATS_TEST_DIRNAME=${BATS_TEST_DIRNAME%/browser}
	common_setup
	python3 -c 'import sys; sys.path[0] = sys.argv[1]; import devtools
sys.exit(devtools.program() is None)' "$ROOT/tests/browser" ||
		skip "there is no Chromium"
}

in_browser() {
	timeout "$DEADLINE" python3 "$ROOT/tests/browser/page.py" "$1" "$BUILD" "$DATA" \
	    ${PICTURES:+"$PICTURES"} >out || { cat out; fail "$1"; }
}

@test "browser: a hostile history runs nothing and loads nothing" {
	in_browser hostile
}

@test "browser: keys, search, copying, colours, and a click in the bar" {
	in_browser keys
}

@test "browser: changes: keys, folds and links" {
	in_browser changes
}

@test "browser: headings, landmarks, names, and links that lead somewhere" {
	in_browser parts
}

@test "browser: light and dark at 400, 1280 and 2560 pixels: no text is faint or cut" {
	in_browser looks
}

@test "browser: pages look as they did when their pictures were kept" {
	in_browser pictures
	if grep -qx 'other fonts' out; then
		skip "the fonts here are not those of the pictures"
	fi
}

@test "browser: the manuals of make html fit a narrow window, in both colour schemes" {
	in_browser manuals
}

@test "browser: 10,000 messages" {
	in_browser speed
	sed 's/^/# /' out >&3
}
