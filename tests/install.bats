# make install, make uninstall and make dist

setup() {
	load helpers
	common_setup
}

# make does not accept a path with a space in BUILD, but its own folder may have
# one.
into() {
	make -s -C "$ROOT" BUILD="${BUILD#"$ROOT"/}" DESTDIR="$T/dest" \
	    PREFIX=/usr "$@"
}

@test "install: every file is installed where it is looked for, and no others are" {
	into install
	cd dest
	{
		each=$(commands)
		for c in $each; do
			echo "./usr/bin/$c"
			echo "./usr/share/bash-completion/completions/$c"
			echo "./usr/share/fish/vendor_completions.d/$c.fish"
		done
		echo ./usr/share/zsh/site-functions/_ctx
		echo ./usr/include/ctx.h
		echo ./usr/lib/libctx.a
		echo ./usr/lib/pkgconfig/ctx.pc
		for p in "$ROOT"/man/*.[1-9]; do
			echo "./usr/share/man/man${p##*.}/$(basename "$p")"
		done
		for f in "$ROOT"/man/tutorial/*; do
			echo "./usr/share/ctx/tutorial/$(basename "$f")"
		done
		for v in "$BUILD"/share/ctx/*.ctxv; do
			echo "./usr/share/ctx/$(basename "$v")"
		done
		for h in "$BUILD"/libexec/*; do
			echo "./usr/libexec/ctx/$(basename "$h")"
		done
	} | sort >../want
	find . -type f | sort >../got
	same ../got ../want
}

@test "install: the installed commands find their tables" {
	into install
	printf '{"role":"user","content":"hello world"}\n' >in
	exits 0 dest/usr/bin/ctx-count in
	wrote '       6        1         40 in'
}

@test "install: the installed commands find their helpers" {
	into install
	export CTX_DB=$T/db
	dest/usr/bin/ctx-store append S <<<'{"role":"user","content":"hello"}'
	exits 5 dest/usr/bin/ctx-store embed --url http://127.0.0.1:1 --tries 1
	says "ctx-embed: Could*n*t connect to server"
}

@test "install: uninstall leaves no file" {
	into install
	touch dest/usr/bin/other
	into uninstall
	find dest -type f >left
	echo dest/usr/bin/other >want
	same left want
}

@test "install: folders with spaces work, and nothing is written elsewhere" {
	into install DESTDIR="$T/a b" PREFIX="/my own/it's"
	[ "$(ls)" = "$(printf '%s\n' "a b" home)" ]
	[ "$(ls "a b")" = "my own" ]
	[ "$(ls "a b/my own/it's")" = "$(printf '%s\n' bin include lib libexec share)" ]
	find "a b" -type f | wc -l | tr -d ' ' >got
	into install
	find dest -type f | wc -l | tr -d ' ' >want
	same got want
	into uninstall DESTDIR="$T/a b" PREFIX="/my own/it's"
	find "a b" -type f >left
	same left /dev/null
}

@test "install: uninstalling twice, or what was never installed, succeeds" {
	into install
	exits 0 into uninstall
	exits 0 into uninstall
	silent
	exits 0 into uninstall DESTDIR="$T/never"
	silent
	[ ! -e never ]
}

# Unpack the tarball under a path with a space and a dot.
unpack() {
	[ -e "$ROOT/.git" ] || skip "not a checkout: there is no git to pack it"
	# git must accept a checkout that belongs to another user
	export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory \
	    GIT_CONFIG_VALUE_0='*'
	local v
	v=$(ctx-clean --version | cut -d ' ' -f 2)
	make -s -C "$ROOT" BUILD="${BUILD#"$ROOT"/}" dist
	mkdir "a b"
	tar -xzf "$BUILD/ctx-$v.tar.gz" -C "a b"
	[ "$(ls "a b")" = "ctx-$v" ]
	cd "a b/ctx-$v"
	# The inner make and bats must not depend on this make or this run of
	# bats, whose own folder comes first in the path.
	PATH=${PATH//"$BATS_LIBEXEC:"/}
	# other people's histories are no part of the tarball
	outer=()
	for v in "${!BATS_@}" BUILD CFLAGS LDFLAGS CTX_DATA; do
		outer+=(-u "$v")
	done
}

@test "dist: the tarball has every file of the last commit, and what make needs" {
	unpack
	git -C "$ROOT" -c core.quotePath=off ls-tree -r --name-only HEAD |
	    sort >"$T/want"
	find . -type f -o -type l | sed 's|^\./||' | sort >"$T/got"
	same "$T/got" "$T/want"
	exits 0 env "${outer[@]}" make -s -n all check
}

# make check-whole does this, without optimization; it takes a minute.
@test "dist: the tarball builds, and its tests pass" {
	[ -n "${DIST_BUILD:-}" ] || skip "DIST_BUILD is not set"
	unpack
	exits 0 env "${outer[@]}" make -s -j2 CFLAGS=-O0 HARDEN=
	[ -x build/ctx-clean ]
	exits 0 env "${outer[@]}" bats tests/truncate.bats tests/pipelines.bats
	[ "$(grep -c '^ok .*truncate: ' "$T/out")" -gt 40 ]
}

# A machine with only a shell, on which the user is neither root nor allowed to
# use sudo.
@test "setup: without root, the full command line for an administrator is printed" {
	mkdir bin
	for c in sh sed tr sort cat; do ln -s "$(command -v $c)" bin/; done
	stub() { printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"; chmod +x "bin/$1"; }
	stub id 'echo 1000'
	stub uname 'echo Linux'
	stub apt-get 'echo "apt-get $*" >>called'
	PATH=$T/bin exits 1 sh "$ROOT/tests/setup"
	[ ! -e called ]
	grep '^    ' err >line
	[ "$(wc -l <line)" = 1 ]
	has -q '^    apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get ' line
	for p in make gcc libc6-dev bats jq mandoc zsh fish sqlite3 \
	    libjansson-dev libcurl4-openssl-dev libsqlite3-dev libpcre2-dev \
	    zlib1g-dev libzstd-dev libyaml-dev libarchive-dev; do
		about "$p"
		has -qw -- "$p" line
	done
	# the result is the same with a sudo that refuses everybody
	stub sudo 'exit 1'
	cp line want
	PATH=$T/bin exits 1 sh "$ROOT/tests/setup"
	grep '^    ' err >line
	same line want
	# root runs the command; what is still missing is reported
	stub id 'echo 0'
	PATH=$T/bin exits 1 sh "$ROOT/tests/setup"
	[ "$(wc -l <called)" = 2 ]
	says 'setup: still missing: *'
}
