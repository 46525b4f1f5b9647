# The Debian packages (tests/packages/debian): the source package is made of the
# tarball, built twice in a bare root, read by lintian, installed in another one and
# tested there.

setup_file() {
	load kit
	kit
	bare_root 3>&- || return 0
	[ -z "$(can_root)" ] || return 0
	build_root >"$T/log" 2>&1 3>&- || { tail -n 20 "$T/log"; return 1; }
	git -C "$ROOT" archive --format=tar.gz --prefix="ctx-$V/" \
	    -o "$T/ctx_$V.orig.tar.gz" HEAD
}

setup() {
	load kit
	kit
	need_root
	HERE=$dir/debian-13-build
	FIRST=$HERE/first
}

# build_root: a bare root with what builds and examines packages, kept for next time.
build_root() {
	HERE=$dir/debian-13-build
	if [ ! -e "$HERE.done" ]; then
		copy_root debian-13-build
		apt "$HERE" update
		inside "$HERE" useradd -m builder
		apt "$HERE" install build-essential fakeroot lintian autopkgtest
		touch "$HERE.done"
	fi
}

# package FOLDER ENVIRONMENT...: build the packages in this folder of the root, as
# a user of their own.
package() {
	local to=$1

	shift
	rm -rf "${HERE:?}/$to"
	mkdir -p "$HERE/$to"
	cp "$BATS_FILE_TMPDIR/ctx_$V.orig.tar.gz" "$HERE/$to"
	tar -xzf "$HERE/$to/ctx_$V.orig.tar.gz" -C "$HERE/$to"
	rm -rf "$HERE/$to/ctx-$V/debian"
	cp -R "$RECIPES/debian" "$HERE/$to/ctx-$V/debian"
	apt "$HERE" build-dep "/$to/ctx-$V" >log 2>&1
	inside "$HERE" chown -R builder: "/$to"
	exits 0 inside "$HERE" setpriv --reuid=builder --regid=builder \
	    --clear-groups env -C "/$to/ctx-$V" HOME=/nonexistent "$@" \
	    sh -c 'umask ${UMASK:-022}; exec dpkg-buildpackage -us -uc'
}

@test "debian: the version is that of the changelog, of which it is a package" {
	dpkg-parsechangelog -l "$RECIPES/debian/changelog" -S Version >got
	echo "$V-1" >want
	same got want
}

@test "debian: the source package builds, with its tests" {
	package first DEB_BUILD_OPTIONS=parallel=2
	cp out "$FIRST/log"
	has -q '^ok .* truncate: ' out
	lacks '^not ok' out
	for p in "ctx_$V-1.dsc" "ctx_$V-1_$(dpkg --print-architecture).deb" \
	    "ctx-data_$V-1_all.deb"; do
		[ -s "$FIRST/$p" ]
	done
}

@test "debian: lintian finds nothing" {
	exits 0 inside "$HERE" sh -c 'lintian --allow-root -EI --pedantic \
	    --fail-on none /first/*.changes'
	silent
}

@test "debian: the flags of dpkg-buildflags are in use" {
	# what hardening=+all and reproducible give, of every call of the compiler
	for f in -D_FORTIFY_SOURCE -fstack-protector-strong -Wformat \
	    -Werror=format-security -ffile-prefix-map=; do
		grep '^cc .* -c -o ' "$FIRST/log" >calls
		[ "$(wc -l <calls)" -gt 300 ]
		lacks -v -e "$f" calls
	done
	rm -rf tree
	dpkg-deb -x "$FIRST/ctx_$V-1_$(dpkg --print-architecture).deb" tree
	for f in tree/usr/bin/* tree/usr/libexec/ctx/*; do
		about "$f"
		readelf -d "$f" >dynamic
		has -q 'BIND_NOW' dynamic
		has -q 'PIE' dynamic
	done
	# libraries are shared
	readelf -d tree/usr/bin/ctx-store >dynamic
	has -q 'libsqlite3.so' dynamic
}

@test "debian: every file is in its place" {
	local arch

	arch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
	for p in "$FIRST"/ctx_*.deb "$FIRST"/ctx-data_*.deb "$FIRST"/libctx-dev_*.deb; do
		dpkg-deb -c "$p"
	done | sed -n 's/^-.* \.\//\//p' | sed 's/\.gz$//' |
	    grep -vE '^/usr/share/(doc|lintian)/' | sort >got
	installed_files /usr "/usr/lib/$arch" /usr/share/zsh/vendor-completions |
	    sort >want
	same got want
	dpkg-deb -c "$FIRST"/ctx-data_*.deb | grep -c '\.ctxv$' >tables
	echo 4 >want
	same tables want
}

@test "debian: the libraries of helpers are recommended, not required" {
	dpkg-deb -f "$FIRST/ctx_$V-1_$(dpkg --print-architecture).deb" Depends >needs
	dpkg-deb -f "$FIRST/ctx_$V-1_$(dpkg --print-architecture).deb" \
	    Recommends >likes
	for l in libarchive13 libpq5 libyaml-0-2; do
		lacks "$l" needs
		has -q "$l" likes
	done
	has -qF "ctx-data (= $V-1)" needs
}

@test "debian: built again elsewhere, later, without tests, it has the same bytes" {
	package second/a/deeper/path DEB_BUILD_OPTIONS='nocheck parallel=3' \
	    UMASK=077 TZ=Asia/Kolkata LC_ALL=C.UTF-8
	lacks '^ok .* truncate: ' out
	for d in first second/a/deeper/path; do
		(cd "$HERE/$d" && sha256sum ./*.deb ./*.dsc ./*.xz)
	done >sums
	sort sums | uniq -c | awk '$1 != 2' >differ
	same differ /dev/null
	[ "$(wc -l <sums)" -ge 12 ]
}

@test "debian: installed on a bare machine, commands work, and do without the helpers" {
	local at=$dir/debian-13-installed

	copy_root debian-13-installed
	mkdir "$at/debs"
	cp "$FIRST"/*.deb "$at/debs"
	apt "$at" update >log 2>&1
	apt "$at" install "/debs/ctx_$V-1_$(dpkg --print-architecture).deb" \
	    "/debs/ctx-data_$V-1_all.deb" >log 2>&1
	cat >"$at/tmp/try" <<-'X'
	set -e
	cd /tmp
	echo '{"role":"user","content":"hello world"}' >in
	ctx-clean in | ctx-truncate -n 1 | ctx-count
	echo 'a: 1' >a.yml
	tar -cf a.tar a.yml
	ctx-digest-files a.yml a.tar
	X
	exits 0 inside "$at" sh /tmp/try
	has -qE '^ +6 +1 +40' out
	# without the library it says so, and nothing that is false
	has -q '^\[file read\] a.yml (YAML, ' out
	has -q '^\[file read\] a.tar (tar, 10KB, cannot be opened: ' out
	has -q 'libarchive' err
	apt "$at" install libarchive13t64 libyaml-0-2 >log 2>&1
	exits 0 inside "$at" sh /tmp/try
	quiet
	has -q '^\[file read\] a.tar (tar, 1 file, 10KB, 5B unpacked, files: a.yml)' out
	rm -rf "$at"
}

@test "debian: autopkgtest passes on a bare machine" {
	local at=$dir/debian-13-autopkgtest

	copy_root debian-13-autopkgtest
	mkdir "$at/debs"
	cp "$FIRST"/*.deb "$FIRST"/*.dsc "$FIRST"/*.xz "$FIRST"/*.gz "$at/debs"
	apt "$at" update >log 2>&1
	apt "$at" install autopkgtest dpkg-dev >log 2>&1
	exits 0 inside "$at" sh -c 'autopkgtest /debs/*.deb /debs/*.dsc -- null'
	has -qE '^smoke +PASS' out err
	has -qE '^library +PASS' out err
	rm -rf "$at"
}
