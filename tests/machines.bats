# Other machines and shells: what can be tested on this one.  tests/machines has what
# needs a compiler or an emulator for another.

setup() { load helpers; common_setup; }

# mkvocab: run the program that makes the tables, which is in one of two places.
mkvocab() {
	local at=$BUILD/mkvocab

	[ -x "$at" ] || at=$BUILD/host/mkvocab
	"$at" "$@"
}

# order: print this machine's byte order.
order() { python3 -c 'import sys; print(sys.byteorder)'; }

@test "machines: a vocabulary table has the same numbers in both byte orders" {
	once
	for order in little big; do
		exits 0 mkvocab r50k_base r50k \
		    "$ROOT/lib/token/data/r50k_base.tiktoken" $order.ctxv $order
	done
	exits 0 python3 "$ROOT/tests/order.py" little.ctxv big.ctxv
	# and the one of this machine is the one that make made
	same "$(order).ctxv" "$BUILD/share/ctx/r50k_base.ctxv"
	# order.py sees one wrong byte
	printf x | dd of=big.ctxv bs=1 seek=5000 conv=notrunc 2>err
	exits 1 python3 "$ROOT/tests/order.py" little.ctxv big.ctxv
	wrote 'section 0 differs'
	exits 2 mkvocab r50k_base r50k x y middle
	says 'usage: mkvocab *'
}

@test "machines: a table in the other byte order is refused with the way out" {
	other=big
	[ "$(order)" = little ] || other=little
	exits 0 mkvocab r50k_base r50k "$ROOT/lib/token/data/r50k_base.tiktoken" \
	    r50k_base.ctxv $other
	echo '{"role":"user","content":"Hi"}' >in
	CTX_VOCAB=$PWD exits 4 ctx-count -e r50k_base in
	said "ctx-count: $PWD/r50k_base.ctxv: a vocabulary table of another version or machine; make it again with ctx-count --prepare"
}

@test "machines: with HOST_CC, tables are made by a program for this machine" {
	once
	env -u BUILD -u MAKEFLAGS make -n -C "$ROOT" BUILD=none HOST_CC=this-cc \
	    CC="${CC:-cc}" none/share/ctx/r50k_base.ctxv >out
	has -q '^this-cc .* -o none/host/mkvocab ' out
	has -qE "^none/host/mkvocab r50k_base .* $(order)\$" out
	lacks -q "^${CC:-cc} " out
}

@test "machines: images are looked into by threads, whose stack may be small" {
	# a PNG of 100 x 50: its signature and its first chunk
	png=$(printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0d\0\0\0\062\010\2\0\0\0' | to_base64)
	for _ in 1 2 3 4 5 6 7 8; do
		printf '{"messages":[{"role":"user","content":[{"type":"image_url",'
		printf '"image_url":{"url":"data:image/png;base64,%s"}}]}]}\n' "$png"
	done >in
	exits 0 ctx-count -m gpt-4o -j 1 in
	cp out want
	exits 0 ctx-count -m gpt-4o -j 4 in
	same out want
}

# scripts: print our files that say that sh runs them.
scripts() {
	(cd "$ROOT" && find .ci tests -type f -exec awk 'FNR == 1 && /^#! *\/bin\/sh/ {
	    print FILENAME } FNR == 1 { nextfile }' {} +) |
	    not_empty "scripts for sh"
}

@test "machines: scripts that say sh are understood by every shell here" {
	once
	each=$(scripts)
	[ "$(wc -l <<<"$each")" -ge 12 ]
	for shell in sh dash posh yash mksh 'busybox sh'; do
		command -v "${shell% *}" >/dev/null || continue
		for script in $each; do
			about "$shell $script"
			# shellcheck disable=SC2086
			exits 0 $shell -n "$ROOT/$script"
		done
	done
	# shellcheck disable=SC2086
	! command -v checkbashisms >/dev/null ||
	    (cd "$ROOT" && exits 0 checkbashisms -x $each)
}

# Calls that macOS, FreeBSD, OpenBSD or NetBSD do not have; gnulib's manual has a page
# for each with the systems that lack it.
FOREIGN='memrchr|rawmemchr|mempcpy|strchrnul|strverscmp|getrandom|secure_getenv|pipe2|accept4'
FOREIGN+='|memfd_create|copy_file_range|splice|sendfile|fallocate|posix_fallocate|posix_fadvise'
FOREIGN+='|mremap|renameat2|syncfs|sync_file_range|epoll_create1|eventfd|signalfd|inotify_init1'
FOREIGN+='|explicit_bzero|qsort_r|canonicalize_file_name|euidaccess|get_nprocs|sched_getaffinity'
FOREIGN+='|error|fopencookie|[fl]?[gs]etxattr|[fl]?listxattr|mallopt|malloc_trim|malloc_usable_size'
FOREIGN+='|prctl|getauxval|gettid|sysinfo|program_invocation_short_name|open_tree|statx|crypt_r'

@test "machines: what other systems do not have is in an #if" {
	once
	find "$ROOT/lib" "$ROOT/cmd" -name '*.[ch]' | sort | xargs awk -v calls="$FOREIGN" '
	FNR == 1 { depth = 0 }
	/^#[ \t]*if/ { depth++; guard[depth] = /__linux__|LINUX|__GLIBC__|__APPLE__/ }
	/^#[ \t]*endif/ { depth-- }
	$0 ~ "(^|[^a-zA-Z0-9_>.])(" calls ")\\(" && !/^[ \t]*(\*|\/\*|\/\/)/ {
		for (i = depth; i > 0 && !guard[i]; i--)
			;
		if (i < 1)
			print FILENAME ":" FNR ": " $0
	}' >found
	same found /dev/null
	# getentropy is declared in different headers
	each=$(grep -lrw getentropy "$ROOT/lib" "$ROOT/cmd" --include='*.c')
	for file in $each; do
		has -q '"base/random.h"' "$file"
	done
}
