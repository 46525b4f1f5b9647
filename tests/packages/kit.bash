# shellcheck shell=bash disable=SC1091,SC2034,SC2153,SC2154
# What the tests of the packages share.  Those that need a bare machine make one
# in a root of Debian 13; the folder of the roots is that of tests/fresh.

# kit: in setup_file and setup, what common_setup does.
kit() {
	BATS_TEST_DIRNAME=${BATS_TEST_DIRNAME%/packages}
	load "$BATS_TEST_DIRNAME/helpers"
	common_setup
	V=$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' "$ROOT/CHANGELOG.md" | head -n 1)
	RECIPES=$ROOT/tests/packages
	dir=${TMPDIR:-/tmp}/ctx-fresh
	BARE=$dir/debian-13
	# make must behave as if it were not run by another make
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
	# git must accept a checkout that belongs to another user
	export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory \
	    GIT_CONFIG_VALUE_0='*'
	source "$ROOT/tests/roots.bash"
}
say() { printf '%s\n' "$*" >&2; }

# can_root: say why no bare root can be made here, or nothing.
can_root() {
	local p

	[ "$(id -u)" -eq 0 ] || echo "not root, which chroot needs"
	for p in debootstrap unshare apt-get git; do
		command -v "$p" >/dev/null || echo "$p is not there"
	done
}

# need_root: skip the test if no bare root can be made.
need_root() {
	local why

	why=$(can_root)
	[ -z "$why" ] || skip "${why%%$'\n'*}"
	[ -e "$BARE.done" ] || fail "there is no bare root; see $BARE.log"
}

# bare_root: in setup_file, make the bare root, once.
bare_root() {
	[ -z "$(can_root)" ] || return 0
	mkdir -p "$dir"
	use_mirror "" && bare debian-13 debian trixie
}

# copy_root NAME: copy the bare root to $dir/NAME.
copy_root() {
	rm -rf "${dir:?}/$1"
	cp -a --reflink=auto "$BARE" "$dir/$1"
}

# apt ROOT WORDS...: run apt-get there.
apt() {
	local root=$1

	shift
	inside "$root" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
	    --no-install-recommends "$@"
}

# installed_files PREFIX LIBDIR ZSH: list what make install installs, sorted.
installed_files() {
	local c f each

	each=$(cd "$ROOT" && ls cmd/ctx-*.c)
	for c in $each; do
		c=$(basename "$c" .c)
		echo "$1/bin/$c"
		echo "$1/share/bash-completion/completions/$c"
		echo "$1/share/fish/vendor_completions.d/$c.fish"
	done
	for f in "$ROOT"/cmd/libexec/ctx-*.c; do
		echo "$1/libexec/ctx/$(basename "$f" .c)"
	done
	for f in "$ROOT"/man/*.[1-9]; do
		echo "$1/share/man/man${f##*.}/$(basename "$f")"
	done
	for f in "$ROOT"/lib/token/data/*.tiktoken; do
		echo "$1/share/ctx/$(basename "$f" .tiktoken).ctxv"
	done
	for f in "$ROOT"/man/tutorial/*; do
		echo "$1/share/ctx/tutorial/$(basename "$f")"
	done
	printf '%s\n' "$1/include/ctx.h" "$2/libctx.a" "$2/pkgconfig/ctx.pc" \
	    "$3/_ctx"
}
