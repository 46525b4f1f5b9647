# make release: the tarballs, their checksums and the SBOM

setup_file() {
	load kit
	kit
	[ -z "$(why_not)" ] || return 0
	export OUT=$T/release
	"$RECIPES/release" "$OUT" >"$T/log" 2>&1 || { tail -n 20 "$T/log"; return 1; }
}

setup() {
	load kit
	kit
	[ -z "$(why_not)" ] || skip "$(why_not)"
	MACHINE=$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
}

why_not() {
	if [ ! -e "$ROOT/.git" ]; then
		echo "not a checkout: there is no git to pack it"
	elif [ ! -e /usr/share/doc/libzstd-dev/copyright ]; then
		echo "not Debian, or without the licenses of its libraries"
	fi
}

@test "release: the same commit gives the same bytes elsewhere and later" {
	mkdir -p "a b/c"
	sleep 1
	(umask 077 && export TMPDIR="$PWD/t m p" && mkdir "$TMPDIR" &&
	    LC_ALL=C.UTF-8 TZ=Asia/Kolkata CFLAGS=-O0 MAKEFLAGS=-k \
	    "$RECIPES/release" "a b/c") >log 2>&1 || fail "$(tail -n 5 log)"
	(cd "a b/c" && sha256sum ./*) >got
	(cd "$OUT" && sha256sum ./*) >want
	same got want
	[ "$(wc -l <got)" -eq 4 ]
}

@test "release: the checksums are those of the files" {
	cd "$OUT"
	exits 0 sha256sum --check --strict SHA256SUMS
	wrote "ctx-$V.tar.gz: OK" "ctx-$V-$MACHINE.tar.gz: OK" \
	    "ctx-$V.spdx.json: OK"
}

@test "release: the source is what git has, the programs all that is installed" {
	local p=ctx-$V-$MACHINE

	git -C "$ROOT" -c core.quotePath=false ls-tree -r --name-only HEAD | sed "s|^|ctx-$V/|" | sort >want
	tar -tzf "$OUT/ctx-$V.tar.gz" | grep -v '/$' | sort >got
	same got want
	{
		installed_files "$p" "$p/lib" "$p/share/zsh/site-functions"
		printf "$p/%s\n" CHANGELOG.md LICENSE README.md
		printf "$p/licenses/%s\n" ctx libc6 libjansson libpcre2 libsqlite3 \
		    libzstd zlib1g
	} | sort >want
	tar -tzf "$OUT/$p.tar.gz" | grep -v '/$' | sort >got
	same got want
	# of nobody in particular, and writable by the owner only
	tar -tvzf "$OUT/$p.tar.gz" |
	    grep -vE '^(-rw-r--r--|-rwxr-xr-x|drwxr-xr-x) 0/0 ' >bad || :
	same bad /dev/null
}

@test "release: unpacked anywhere, the programs find their tables and helpers" {
	mkdir "else where"
	tar -xzf "$OUT/ctx-$V-$MACHINE.tar.gz" -C "else where" --strip-components=1
	printf '{"role":"user","content":"hello world"}\n' >in
	exits 0 env -u CTX_VOCAB "else where/bin/ctx-count" in
	wrote '       6        1         40 in'
	CTX_DB=$T/db "else where/bin/ctx-store" append S <in
	exits 5 env CTX_DB="$T/db" "else where/bin/ctx-store" embed \
	    --url http://127.0.0.1:1 --tries 1
	says "ctx-embed: Could*n*t connect to server"
	# filters need no shared library
	for f in "else where"/bin/*; do
		about "$f"
		readelf -d "$f" >dynamic
		case $f in
		*/ctx-summarize) has -q NEEDED dynamic ;;
		*) lacks NEEDED dynamic ;;
		esac
	done
	# no path of the machine that built it is in it
	for f in "else where"/bin/* "else where"/libexec/ctx/*; do
		strings -a "$f" | grep -F -e "$ROOT" -e /tmp/tmp. >"$T/paths" || :
		same "$T/paths" /dev/null
	done
}

@test "release: the SBOM is SPDX 2.3 and names what is linked" {
	exits 0 env -u CTX_SPDX_SCHEMA "$RECIPES/spdx.py" "$OUT/ctx-$V.spdx.json"
	wrote valid
	jq -r '.relationships[] | select(.relationshipType == "STATIC_LINK") |
	    .relatedSpdxElement' "$OUT/ctx-$V.spdx.json" | sort >got
	printf 'SPDXRef-library-%s\n' jansson libc libpcre2-8 libzstd sqlite3 zlib |
	    sort >want
	same got want
	# the checksums in it are those of the tarballs and of the rank files
	jq -r '.packages[] | select(.checksums) | .checksums[0].checksumValue' \
	    "$OUT/ctx-$V.spdx.json" | sort >got
	{
		head -n 2 "$OUT/SHA256SUMS"
		cat "$ROOT/lib/token/data/SHA256SUMS"
	} | cut -d ' ' -f 1 | sort >want
	same got want
}

@test "release: the SBOM conforms to the schema of SPDX" {
	[ -n "${CTX_SPDX_SCHEMA:-}" ] || skip "CTX_SPDX_SCHEMA is not set"
	python_with jsonschema
	exits 0 "$PYTHON" "$RECIPES/spdx.py" "$OUT/ctx-$V.spdx.json"
	wrote valid
	jq 'del(.creationInfo)' "$OUT/ctx-$V.spdx.json" >bad.json
	exits 1 "$PYTHON" "$RECIPES/spdx.py" bad.json
	has -q '^schema: ' out
}

@test "release: a document with faults is not SPDX 2.3" {
	local change

	while read -r change; do
		about "$change"
		jq "$change" "$OUT/ctx-$V.spdx.json" >bad.json
		exits 1 env -u CTX_SPDX_SCHEMA "$RECIPES/spdx.py" bad.json
	done <<-'X'
	.spdxVersion = "SPDX-2.2"
	.dataLicense = "MIT"
	.documentNamespace += "#x"
	.creationInfo.creators = ["somebody"]
	.creationInfo.created = "yesterday"
	del(.packages[0].name)
	del(.packages[1].downloadLocation)
	.packages[1].SPDXID = "SPDXRef-a b"
	.packages[2].SPDXID = .packages[1].SPDXID
	.packages[0].checksums[0].checksumValue |= .[1:]
	.packages[0].licenseDeclared = "MIT or so"
	del(.packages[0])
	.relationships[0].relatedSpdxElement = "SPDXRef-none"
	del(.relationships[] | select(.relationshipType == "DESCRIBES"))
	X
}
