# The recipes that cannot be tried where they are for: the RPM spec is built on
# Debian, in the root that tests/packages/debian.bats makes; of the Homebrew formula
# only the syntax is checked.

setup() {
	load kit
	kit
}

@test "specs: all recipes are of the version of the changelog" {
	echo "$V" >want
	sed -n 's/^Version: *//p' "$RECIPES/ctx.spec" >got
	same got want
	sed -n 's|^  url ".*/ctx-\(.*\)\.tar\.gz"$|\1|p' "$RECIPES/ctx.rb" >got
	same got want
	sed -n '1s/^ctx (\(.*\)-1) .*/\1/p' "$RECIPES/debian/changelog" >got
	same got want
}

@test "specs: all recipes name the same publisher and the same address" {
	sed -n 's/^Maintainer: //p' "$RECIPES/debian/control" >want
	sed -n 's/^ -- \(.*\)  .*/\1/p' "$RECIPES/debian/changelog" | sort -u >got
	same got want
	sed -n 's/^\* ... ... .. .... \(.*\) - .*/\1/p' "$RECIPES/ctx.spec" | sort -u >got
	same got want
	sed -n 's/^URL: *//p' "$RECIPES/ctx.spec" >want
	sed -n 's/^  homepage "\(.*\)"$/\1/p' "$RECIPES/ctx.rb" >got
	same got want
	sed -n 's|^  url "\(.*\)/ctx-[^/]*"$|\1|p' "$RECIPES/ctx.rb" >got
	same got want
}

@test "specs: each library of the Makefile is in every recipe" {
	local l name

	while read -r l name; do
		about "$l"
		for f in debian/control ctx.spec ctx.rb; do
			has -qE "($name)" "$RECIPES/$f"
		done
	done <<-'X'
	jansson jansson
	libpcre2-8 pcre2
	sqlite3 sqlite
	zlib zlib
	libzstd zstd
	libcurl curl
	yaml-0.1 libyaml
	libarchive libarchive
	libpq libpq
	X
}

@test "specs: every command runs in the tests of the installed package" {
	local c each

	each=$(cd "$ROOT" && ls cmd/ctx-*.c)
	for c in $each; do
		has -qw -e "$(basename "$c" .c)" "$RECIPES/debian/tests/smoke"
	done
}

@test "specs: Ruby takes the formula" {
	command -v ruby >/dev/null || skip "ruby is not there"
	exits 0 ruby -c "$RECIPES/ctx.rb"
	wrote "Syntax OK"
}

@test "specs: rpmlint finds no error" {
	command -v rpmlint >/dev/null || skip "rpmlint is not there"
	exits 0 rpmlint "$RECIPES/ctx.spec"
	has -q ' 0 errors, ' out
}

@test "specs: rpmbuild makes the packages, with every file in its place" {
	local at=$dir/debian-13-build top=/home/builder/rpm p=%{_prefix}/share

	need_root
	[ -e "$at.done" ] || skip "debian.bats makes the root that this needs"
	apt "$at" install rpm >log 2>&1
	rm -rf "$at$top"
	mkdir -p "$at$top/SOURCES"
	git -C "$ROOT" archive --format=tar.gz --prefix="ctx-$V/" \
	    -o "$at$top/SOURCES/ctx-$V.tar.gz" HEAD
	cp "$RECIPES/ctx.spec" "$at$top"
	inside "$at" chown -R builder: "$top"
	# Debian's rpm does not know its own packages, nor Fedora's folders
	exits 0 inside "$at" setpriv --reuid=builder --regid=builder --clear-groups \
	    env HOME=/home/builder rpmbuild -bb --nodeps \
	    -D "_topdir $top" -D "debug_package %{nil}" -D "dist .test" \
	    -D "build_cflags -O2" -D "build_ldflags %{nil}" \
	    -D "bash_completions_dir $p/bash-completion/completions" \
	    -D "fish_completions_dir $p/fish/vendor_completions.d" \
	    -D "zsh_completions_dir $p/zsh/site-functions" "$top/ctx.spec"
	inside "$at" sh -c "rpm -qlp $top/RPMS/*/*.rpm" 2>/dev/null |
	    sed 's/\.gz$//' | grep -vE '^/usr/share/(doc|licenses)|/(ctx|tutorial)$|build-id' |
	    sort >got
	# the tables are of one byte order
	installed_files /usr /usr/lib64 /usr/share/zsh/site-functions |
	    sed 's|^/usr/share/\(ctx/[^/]*\)$|/usr/lib64/\1|' | sort >want
	same got want
}
