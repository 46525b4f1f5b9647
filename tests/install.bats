# make install, uninstall and dist.

setup() {
	load helpers
	common_setup
	# make is run inside make: as if from a shell
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
	command -v make >/dev/null || skip "no make here"
}

into() { make -s -C "$ROOT" BUILD="$BUILD" DESTDIR="$T/dest" PREFIX=/usr "$@"; }

@test "install: everything is where it is looked for, and nothing else" {
	into install
	cd dest
	{
		for c in $(commands); do
			echo "./usr/bin/$c"
			echo "./usr/share/bash-completion/completions/$c"
			echo "./usr/share/fish/vendor_completions.d/$c.fish"
		done
		echo ./usr/share/zsh/site-functions/_ctx
		for p in "$ROOT"/man/*.[1-9]; do
			echo "./usr/share/man/man${p##*.}/$(basename "$p")"
		done
		for v in "$BUILD"/share/ctx/*.ctxv; do
			echo "./usr/share/ctx/$(basename "$v")"
		done
		echo ./usr/libexec/ctx/ctx-embed
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
	says "ctx-embed: Couldn't connect to server"
}

@test "install: uninstall leaves no file" {
	into install
	touch dest/usr/bin/other
	into uninstall
	find dest -type f >left
	echo dest/usr/bin/other >want
	same left want
}

@test "dist: the tarball has the source and builds what was built" {
	command -v git >/dev/null || skip "no git here"
	[ -e "$ROOT/.git" ] || skip "not a checkout"
	into dist BUILD="$T/b"
	v=$(ctx-clean --version | cut -d ' ' -f 2)
	tar -tzf "b/ctx-$v.tar.gz" >list
	for f in Makefile README.md LICENSE man/ctx-clean.1 tests/run; do
		grep -qx "ctx-$v/$f" list
	done
}
