# The folders of the library are the stages of the stream.  Each may include
# only the folders to its left, and only its own external libraries.

setup() { load helpers; common_setup; cd "$ROOT" || return 1; }

# May folder $1 include folder $2?
may_include() {
	local known

	case $1 in
	base) known="base" ;;
	read) known="base read" ;;
	view) known="base read view" ;;
	redact) known="base redact" ;;
	extract) known="base read extract" ;;
	text) known="base read text" ;;
	decide) known="base read text view redact decide" ;;
	edit) known="base read text view redact decide edit" ;;
	check) known="base read text view redact decide edit check" ;;
	write) known="base read text view redact decide edit write" ;;
	token) known="base read token" ;;
	digest) known="base read digest" ;;
	net) known="base net" ;;
	job)
		known="base read text view redact extract decide edit check write token"
		known="$known digest job"
		;;
	show)
		known="base read text view redact extract decide edit check write token"
		known="$known digest job show"
		;;
	compare)
		known="base read text view redact extract decide edit check write token"
		known="$known digest job show compare"
		;;
	store) known="base read store" ;;
	pg) known="base read store pg" ;;
	session)
		known="base read text view redact extract decide edit check write token"
		known="$known digest job store session"
		;;
	api)
		known="base read text view redact extract decide edit check write token"
		known="$known digest job store session api"
		;;
	*) return 1 ;;
	esac
	[[ " $known " == *" $2 "* ]]
}

@test "layers: a folder includes base and folders to its left only" {
	local bad=0 n=0 from line to

	for from in lib/*/; do
		from=$(basename "$from")
		while IFS= read -r line; do
			n=$((n + 1))
			to=${line##*\"}
			may_include "$from" "${to%%/*}" ||
			    { echo "$line"; bad=1; }
		done < <(grep -roE '#include "[a-z0-9]+/' "lib/$from" \
		    --include='*.[ch]' --include='*.inc')
	done
	[ "$bad" -eq 0 ]
	[ "$n" -gt 500 ] || fail "only $n include lines were found"
}

# Headers of external libraries, and the folders that may include them.
@test "layers: each external library is included in few folders" {
	local bad=0 n=0 line file header allowed

	while IFS=: read -r file line; do
		n=$((n + 1))
		header=${line#*<}
		header=${header%%[./>]*}
		case $header in
		pcre2) allowed='lib/(base/regex.h|redact|digest|token)' ;;
		jansson) allowed='lib/(base/json.[ch]|token|net|store|digest)|cmd' ;;
		curl) allowed='lib/net|cmd/libexec' ;;
		sqlite3) allowed='lib/(store|pg/words.c)' ;;
		libpq-fe) allowed='lib/pg' ;;
		zlib) allowed='lib/(digest|store)' ;;
		iconv) allowed='lib/digest' ;;
		yaml | archive) allowed='cmd/libexec' ;;
		esac
		[[ $file =~ ^($allowed)(/|$) ]] || { echo "$file: $line"; bad=1; }
	done < <(grep -rE '#include <(pcre2|jansson|curl|sqlite3|libpq-fe|zlib|iconv|yaml|archive)' lib cmd \
	    --include='*.[ch]' --include='*.inc')
	[ "$bad" -eq 0 ]
	[ "$n" -gt 10 ] || fail "only $n include lines were found"
}

@test "layers: the library never prints and never exits" {
	grep -rnE '\b(printf|puts|putchar|perror|exit|abort|_exit)\(' lib \
	    --include='*.[ch]' --include='*.inc' | grep -v '^lib/token/host/' |
	    grep -vE '(snprintf|vsnprintf)\(' |
	    grep -v '^lib/store/host.c:.*_exit((int)other_process(' >"$T/found" || :
	same "$T/found" /dev/null
}

# Print the shared libraries that a program needs, without paths and versions.
needed() {
	if command -v readelf >/dev/null; then
		readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
	else
		otool -L "$1" | sed -n '2,$s/^.*\/\(lib[^ ]*\).*/\1/p'
	fi | sed 's/^\(lib[a-z0-9]*\).*/\1/'
}

# Print the libraries in the Makefile's table for command $1, and those that all
# are linked with.
may_need() {
	sed -n "s|^\$(BUILD)/\(libexec/\)*$1: LDLIBS += ||p" Makefile |
	    tr ' ' '\n' | sed -e 's/.*JANSSON.*/libjansson/' \
	    -e 's/.*PCRE2.*/libpcre2/' -e 's/.*CURL.*/libcurl/' \
	    -e 's/.*SQLITE.*/libsqlite3/' -e 's/.*ZLIB.*/libz/' \
	    -e 's/.*ZSTD.*/libzstd/' -e 's/.*(PQ).*/libpq/' \
	    -e 's/.*ICONV.*/libiconv/' -e 's/.*YAML.*/libyaml/' \
	    -e 's/.*ARCHIVE.*/libarchive/'
	printf '%s\n' libc libm libpthread libgcc libasan libubsan libclang lib ld
}

@test "layers: each program needs only the libraries in the Makefile's table" {
	local n=0 c f

	for f in "$BUILD"/ctx-* "$BUILD"/libexec/*; do
		c=$(basename "$f")
		case $c in *.* | *'*') continue ;; esac
		needed "$f" >"$T/needed"
		[ -s "$T/needed" ]
		may_need "$c" >"$T/may"
		about "$c"
		grep -vxF -f "$T/may" "$T/needed" >"$T/more" || :
		same "$T/more" /dev/null
		n=$((n + 1))
	done
	[ "$n" -ge 8 ] || fail "only $n programs were looked at"
}

@test "layers: libcurl is used only to ask a model, SQLite only in ctx-store" {
	sed -n 's|^\$(BUILD)/\(.*\): LDLIBS += .*(CURL).*|\1|p' Makefile >"$T/curl"
	printf '%s\n' ctx-summarize libexec/ctx-embed >"$T/want"
	same "$T/curl" "$T/want"
	sed -n 's|^\$(BUILD)/\(.*\): LDLIBS += .*(SQLITE).*|\1|p' Makefile >"$T/sqlite"
	printf '%s\n' ctx-store libexec/ctx-store-pg >"$T/want"
	same "$T/sqlite" "$T/want"
	for c in ctx-clean ctx-truncate ctx-count ctx-convert; do
		may_need "$c" | head -n 2 >"$T/few"
		printf '%s\n' libpcre2 libjansson >"$T/want"
		about "$c"
		same "$T/few" "$T/want"
	done
}

# link ARGUMENTS: print the command with which make links ctx-store.
link() {
	env -u STATIC make -n --no-print-directory \
	    -C "$ROOT" BUILD="$BUILD" "$@" -W cmd/ctx-store.c "$BUILD/ctx-store" |
	    grep -- "-o $BUILD/ctx-store " | tail -n 1
}

@test "layers: libraries that are installed as archives are in the programs, unless STATIC=0" {
	[ "$(uname -s)" = Linux ] || skip "only GNU ld and lld can do that"
	local archives=0 l

	for l in sqlite3 zstd pcre2-8 jansson z; do
		case $(${CC:-cc} -print-file-name="lib$l.a") in
		/*) archives=$((archives + 1)) ;;
		esac
	done
	link >"$T/line"
	[ "$(grep -o -e '-Bstatic -l' "$T/line" | wc -l)" = "$archives" ]
	link STATIC=1 >"$T/line"
	[ "$(grep -o -e '-Bstatic -l' "$T/line" | wc -l)" = 5 ]
	link STATIC=0 >"$T/line"
	lacks -e -Bstatic "$T/line"
	has -e -lsqlite3 "$T/line"
	[ "$archives" = 5 ] || return 0
	cd "$ROOT"
	link=$(link)
	eval "${link/-o $BUILD\/ctx-store /-o $T\/ctx-store }"
	readelf -d "$T/ctx-store" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' >"$T/needed"
	grep -q '^libc\.' "$T/needed"
	[ "$(grep -cE 'sqlite|pcre|jansson|libz' "$T/needed")" = 0 ]
	echo '{"role":"user","content":"one"}' >"$T/line"
	"$T/ctx-store" --db "$T/db" append S "$T/line"
	"$T/ctx-store" --db "$T/db" load S >"$T/out"
	same "$T/out" "$T/line"
}

@test "layers: a library without an archive that links is shared, and others are not" {
	[ "$(uname -s)" = Linux ] || skip "only GNU ld and lld can do that"
	if sanitized; then return 0; fi	# its flags may not be cc's
	cat >"$T/some" <<-'X'
	#!/bin/sh
	case " $* " in *,ZSTD_compress*) exit 1 ;; esac
	exec cc "$@"
	X
	chmod +x "$T/some"
	link CC="$T/some" >"$T/line"
	has -e ' -lzstd' "$T/line"
	lacks -e '-Bstatic -lzstd' "$T/line"
	case $(cc -print-file-name=libsqlite3.a) in
	/*) has -e '-Bstatic -lsqlite3' "$T/line" ;;
	esac
}

@test "layers: filters start without the library of mathematics" {
	if sanitized; then return 0; fi	# which needs it
	for c in ctx-clean ctx-truncate ctx-count ctx-convert ctx-digest-files; do
		needed "$BUILD/$c" >"$T/needed"
		about "$c"
		lacks -x libm "$T/needed"
	done
}

# On a virtual machine each look at the processor takes microseconds.  glibc has
# looked when a program starts; gcc's library would look again.
@test "layers: no program asks for the processor's features when it starts" {
	[ "$(uname -m)" = x86_64 ] && [ "$(uname -s)" = Linux ] || return 0
	printf '#include <features.h>\nint new[__GLIBC_PREREQ(2, 34) ? 1 : -1];\n' >"$T/a.c"
	${CC:-cc} -c -o "$T/a.o" "$T/a.c" 2>"$T/err" || return 0
	each=$(commands)
	for f in $each; do
		nm "$BUILD/$f" >"$T/names"
		about "$f"
		lacks -e __cpu_indicator_init "$T/names"
	done
}

# Only what belongs to the project: without git (in a tarball) all but the build.
@test "layers: the top folder has nothing but what CONTRIBUTING.md's map names" {
	local names='CHANGELOG.md CONTRIBUTING.md LICENSE Makefile README.md cmd
	    completions lib man tests'

	{ git -c core.quotePath=off ls-files 2>"$T/err" || ls; } | cut -d/ -f1 |
	    grep -vx -e '\..*' -e build | sort -u >"$T/top"
	tr -s ' \n\t' '\n\n\n' <<<"$names" | sort >"$T/want"
	same "$T/top" "$T/want"
}

@test "layers: no source is longer than 900 lines, except tables" {
	find lib cmd \( -name '*.[ch]' -o -name '*.inc' \) \
	    ! -name '*_data.inc' |
	    xargs wc -l | awk '$2 != "total" && $1 > 900' >"$T/long"
	same "$T/long" /dev/null
}

@test "layers: functions keep to the limits, except state machines" {
	local n

	python3 tests/functions.py lib cmd >"$T/found"
	n=$(sed -n '$s/ functions$//p' "$T/found")
	[ "$n" -gt 2500 ] || fail "only $n functions were looked at"
	sed '$d' "$T/found" >"$T/bad"
	same "$T/bad" /dev/null
}

# body N: print the body of a function with N lines.
body() { echo "{"; yes '	f();' | head -n "$1"; echo "}"; }

@test "layers: a function that exceeds the limits is found" {
	cd "$T" || return 1
	mkdir src
	{
		printf 'static int\nlong_one(int (*fn)(int, int, int), int b,\n'
		printf '    int c, int d, int e, int f)\n'
		body 41
		printf '/* Its labels: a state\n * machine. */\nint\nfar(void)\n'
		body 41
		printf '/* Why. */\n\nint\nnear(void)\n'
		body 40
	} >src/a.c
	{
		printf 'int\tmuch(int, int, int, int, int, int, int);\n\n'
		printf 'static inline int\nmuch(int a, int b, int c, int d,\n'
		printf '    int e, int f, int g)\n'
		body 1
	} >src/a.h
	python3 "$ROOT/tests/functions.py" src >found
	wanted <<-'END'
	src/a.c: long_one: 41 lines
	src/a.h: much: 7 parameters
	4 functions
	END
	same found want
}

@test "layers: every source names its license in its first line" {
	find lib cmd tests \( -name '*.[ch]' -o -name '*.inc' \) \
	    ! -path '*/data/*' ! -path 'tests/agents/project/*' \
	    -exec awk 'FNR == 1 && !/SPDX-License-Identifier: MIT/ {
		print FILENAME
	    }' {} + >"$T/without"
	same "$T/without" /dev/null
}

# compiles FILE...: does the compiler accept each of them as C?
compiles() {
	local flags

	flags=$(pkg-config --cflags jansson libpcre2-8 libcurl sqlite3) || return 1
	# shellcheck disable=SC2086
	${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -Ilib -Icmd $flags -Werror \
	    -fsyntax-only -x c "$@"
}

@test "layers: each header can be included alone, and those of lib together in any order" {
	once
	find lib cmd -name '*.h' | sort >"$T/headers"
	[ "$(wc -l <"$T/headers")" -gt 150 ]
	# make compiles those alone that a source includes first
	grep -rm 1 '^#include' --include='*.c' lib cmd |
	    sed -n 's/^.*#include "\(.*\)"$/lib\/\1 cmd\/\1 \1/p' | tr ' ' '\n' |
	    sort -u | comm -23 "$T/headers" - >"$T/others"
	[ -s "$T/others" ]
	xargs -n 40 <"$T/others" >"$T/forty"
	while read -r each; do
		# shellcheck disable=SC2086
		compiles $each
	done <"$T/forty"

	sed -n 's,^lib/\(.*\),#include "\1",p' "$T/headers" >"$T/sorted.c"
	sort -r "$T/sorted.c" >"$T/reversed.c"
	compiles "$T/sorted.c" "$T/reversed.c"
}

@test "layers: no two headers of lib define the same name" {
	tests/names.py headers >"$T/names"
	sed '$d' "$T/names" >"$T/twice"
	same "$T/twice" /dev/null
	[ "$(sed -n '$s/ .*//p' "$T/names")" -gt 1000 ]
}

@test "layers: a global has its module's prefix and is used by another object" {
	once
	tests/names.py globals "$BUILD" >"$T/names"
	sed '$d' "$T/names" >"$T/found"
	same "$T/found" /dev/null
	[ "$(sed -n '$s/ .*//p' "$T/names")" -gt 500 ]
}

@test "layers: names.py finds the faults that it is for" {
	local names=$ROOT/tests/names.py

	mkdir -p "$T/tree/lib/a" "$T/tree/lib/b"
	cd "$T/tree"
	cat >lib/a/ink.h <<-'END'
		/* Ink. */
		struct ctx_ink { int drops; };
		enum ctx_hue { CTX_RED };
		#define CTX_BLOT 1
		int ctx_ink_spill(void);
		int ctx_blot(void);
		extern int ctx_ink_stock[2];
	END
	cat >lib/b/pen.h <<-'END'
		/*
		 * Pens.
		 *
		 * Names: ctx_quill_.
		 */
		enum ctx_ink { CTX_PEN };
		typedef int ctx_hue(int);
		enum { CTX_BLOT, CTX_RED };
		int ctx_pen(void);
		int ctx_quill_cut(void);
	END
	"$names" headers >"$T/names"
	wanted <<-'END'
		CTX_BLOT: lib/a/ink.h, lib/b/pen.h
		CTX_RED: lib/a/ink.h, lib/b/pen.h
		ctx_hue: lib/a/ink.h, lib/b/pen.h
		ctx_ink: lib/a/ink.h, lib/b/pen.h
	END
	sed '$d' "$T/names" >"$T/twice"
	same "$T/twice" "$T/want"

	echo 'int ctx_ink_stock[2]; int ctx_ink_spill(void) { return 1; }
	    int ctx_blot(void) { return 1; } int ctx_ink_lost;' >lib/a/ink.c
	echo 'int ctx_blot(void), ctx_ink_spill(void);
	    extern int ctx_ink_stock[2];
	    int ctx_pen(void) { return ctx_blot(); }
	    int ctx_quill_cut(void) { return ctx_ink_spill() + *ctx_ink_stock; }
	    int main(void) { return ctx_quill_cut(); }' >lib/b/pen.c
	mkdir -p build/lib/a build/lib/b
	${CC:-cc} -c -o build/lib/a/ink.o lib/a/ink.c
	${CC:-cc} -c -o build/lib/b/pen.o lib/b/pen.c
	"$names" globals build >"$T/names"
	wanted <<-'END'
		lib/a/ink.c: ctx_blot: lib/a/ink.h has no such prefix
		lib/a/ink.c: ctx_ink_lost: is in [], not in lib/a/ink.h
		lib/a/ink.c: ctx_ink_lost: no other object uses it
		lib/b/pen.c: ctx_pen: no other object uses it
		lib/b/pen.c: ctx_quill_cut: no other object uses it
	END
	sed '$d' "$T/names" | grep '^lib/' | sort >"$T/found"
	same "$T/found" "$T/want"
}
