# The container file, built by buildah without a registry: the image that it begins
# with is made of a bare root.

setup_file() {
	load kit
	kit
	bare_root 3>&- || return 1
	[ -z "$(can_root)" ] && command -v buildah >/dev/null || return 0
	export STORE=$T/storage
	image >"$T/log" 2>&1 3>&- || { tail -n 20 "$T/log"; return 1; }
}

teardown_file() {
	[ -z "${STORE:-}" ] || rm -rf "$STORE"
}

setup() {
	load kit
	kit
	need_root
	command -v buildah >/dev/null || skip "buildah is not there"
	buildah_there
}

# buildah_there: set ${BUILDAH[@]} to buildah with a storage of the test's own, in
# plain folders, which any kernel can.
buildah_there() {
	BUILDAH=(buildah --root "$STORE" --runroot "$STORE/run"
	    --storage-driver vfs)
}

# image: build it, from the committed source.
image() {
	local from

	buildah_there
	from=$("${BUILDAH[@]}" from scratch)
	"${BUILDAH[@]}" add -q "$from" "$BARE" /
	"${BUILDAH[@]}" commit -q --rm "$from" bare
	git -C "$ROOT" archive --format=tar --prefix=src/ HEAD | tar -xf - -C "$T"
	cp -R "$RECIPES/." "$T/src/tests/packages"
	"${BUILDAH[@]}" build --isolation chroot --pull=never \
	    --build-arg BASE=localhost/bare \
	    -f "$T/src/tests/packages/Containerfile" -t ctx "$T/src"
}

# within COMMAND...: run it in a container of the image.
within() {
	local c rc=0

	c=$("${BUILDAH[@]}" from --pull=never localhost/ctx)
	"${BUILDAH[@]}" run --isolation chroot "$c" -- "$@" || rc=$?
	"${BUILDAH[@]}" rm "$c" >/dev/null
	return "$rc"
}

@test "container: a user who is not root checks, cuts and counts" {
	exits 0 within sh -c 'id -u && pwd && echo "
	{\"role\":\"user\",\"content\":\"hello world\"}" >log.jsonl &&
	ctx-clean log.jsonl | ctx-truncate -m gpt-4o | ctx-count -m gpt-4o'
	[ "$(sed -n 1p out)" = 1000 ]
	[ "$(sed -n 2p out)" = /work ]
	has -qE '^ +[0-9]+ +1 ' out
}

@test "container: nothing of the build is in it, and it adds less than 120 MB" {
	exits 0 within sh -c '! command -v gcc && ! command -v dpkg-buildpackage &&
	    [ ! -e /src ] && [ ! -e /debs ] && ls /usr/share/ctx'
	printf '%s.ctxv\n' cl100k_base o200k_base p50k_base r50k_base >want
	same out want
	within du -sk --exclude=/proc --exclude=/sys --exclude=/dev / >out 2>err || :
	base=$(du -sk "$BARE" | cut -f 1)
	[ "$(cut -f 1 out)" -lt $((base + 120000)) ] ||
	    fail "$(cut -f 1 out) KB, of which $base are Debian's"
}
