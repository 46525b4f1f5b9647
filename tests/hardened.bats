# The protections that the compiler and the linker built into the programs, and
# the flags that the Makefile chooses for that.

setup() {
	load helpers
	common_setup
}

# flags VARIABLE=VALUE...: print the flags that the Makefile adds, one on each
# line; warnings by the compiler would appear among them.
flags() {
	env -u BUILD -u MAKEFLAGS -u CFLAGS -u LDFLAGS -u CPPFLAGS -u HARDEN \
	    make -s -C "$ROOT" harden "$@" 2>&1 | tr ' ' '\n'
}

# knows FLAGS...: does this compiler accept them?
knows() {
	echo 'int main(void) { return 0; }' >t.c
	${CC:-cc} -O2 -Werror "$@" -o t t.c >/dev/null 2>&1
}

@test "hardened: every flag that the compiler accepts is used" {
	flags >got
	for f in -fstack-protector-strong -fstack-clash-protection -fPIE -pie \
	    -fcf-protection -mbranch-protection=standard \
	    -Wl,-z,relro -Wl,-z,now; do
		if knows "$f"; then
			has -qxe "$f" got
		else
			lacks -qxe "$f" got
		fi
	done
	has -qxe -D_FORTIFY_SOURCE=3 got
}

@test "hardened: flags that a compiler does not accept are omitted without an error" {
	cat >old <<-'X'
	#!/bin/sh
	case " $* " in *" -fcf-protection "* | *-z,now*) exit 1 ;; esac
	exec cc "$@"
	X
	chmod +x old
	flags CC="$PWD/old" >got
	lacks -qe -fcf-protection got
	lacks -qe '-z,now' got
	has -qxe -fstack-protector-strong got
}

@test "hardened: the user's flags have precedence, and no flag is given twice" {
	flags CFLAGS=-O0 >got
	lacks FORTIFY got
	has -qxe -fPIE got
	flags CFLAGS=-g >got
	lacks FORTIFY got
	flags CFLAGS='-O0 -O2' >got
	has -q FORTIFY got
	flags CPPFLAGS=-D_FORTIFY_SOURCE=2 >got
	lacks FORTIFY got
	flags CFLAGS='-O2 -Wp,-D_FORTIFY_SOURCE=2' >got
	lacks FORTIFY got
	flags LDFLAGS=-static >got
	lacks -xe -pie got
	flags CFLAGS='-O1 -fsanitize=address' | grep . >got || :
	same got /dev/null
	flags HARDEN= | grep . >got || :
	same got /dev/null
}

# elf OPTIONS FILE: write readelf's output to the file "elf".
elf() { readelf -W "$@" >elf; }

# chosen FLAG: was this build made with it?  The file "flags" has make's answer.
chosen() { grep -qxe "$1" flags; }

@test "hardened: the programs have the protections" {
	if [ "$(uname -s)" != Linux ]; then
		skip "the programs are not ELF files"
	fi
	make -s -C "$ROOT" BUILD=build harden | tr ' ' '\n' >flags
	if sanitized; then
		skip "a build with sanitizers is not hardened"
	fi
	each=$(commands; cd "$BUILD" && ls libexec/*)
	for f in $each; do
		elf -h "$BUILD/$f"
		if chosen -pie; then
			has -q 'Type: *DYN' elf
		fi
		elf -l "$BUILD/$f"
		has -q 'GNU_STACK .* RW ' elf
		if chosen -Wl,-z,relro; then
			has -q GNU_RELRO elf
		fi
		elf -d "$BUILD/$f"
		if chosen -Wl,-z,now; then
			has -qE 'FLAGS.*NOW|BIND_NOW' elf
		fi
		elf -s "$BUILD/$f"
		if chosen -fstack-protector-strong; then
			has -qE '__stack_chk_(fail|guard)' elf
		fi
		# some C libraries have no fortified functions
		echo '#include <features.h>
		__GLIBC__' | ${CC:-cc} -E - 2>/dev/null | grep -q '^2' ||
		    continue
		if chosen -D_FORTIFY_SOURCE=3; then
			has -qE '__(v?snprintf|memcpy|memmove|fprintf|vfprintf|printf|read)_chk' elf
		fi
	done
	# Our own objects have the note of control-flow protection, but the
	# program has it only if the start files of the C library have it too.
	if chosen -fcf-protection; then
		elf -n "$BUILD/cmd/ctx-clean.o"
		has -q 'IBT, SHSTK' elf
	fi
}
