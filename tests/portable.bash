# shellcheck shell=bash
# What GNU's and BSD's tools say differently, in both forms.  helpers.bash loads
# this; tests/portable.bats refuses the forms of one of them anywhere else.

# utf8_locale: texts are UTF-8 and everything else is the C locale's, whatever
# the user has; the first name that bash itself counts letters by.
utf8_locale() {
	local name x=é

	unset LC_ALL LANGUAGE LC_MESSAGES LC_NUMERIC LC_TIME
	export LANG=C LC_COLLATE=C LC_CTYPE
	for name in C.UTF-8 C.utf8 en_US.UTF-8 en_US.utf8 UTF-8 \
	    $(locale -a 2>/dev/null | grep -i 'utf-*8$'); do
		{ LC_CTYPE=$name; } 2>/dev/null
		[ ${#x} -ne 1 ] || return 0
	done
	echo "no locale of UTF-8 here (locale -a)"
	return 1
}

# edit SCRIPT FILE...: by sed, in place; the file stays the same one.
edit() {
	local script=$1 file

	shift
	for file in "$@"; do
		sed "$script" "$file" >"$file.edit" || return
		cat "$file.edit" >"$file" || return
		rm "$file.edit"
	done
}

# What stat knows of a file: its mode in octal, its number, its bytes, when it was
# written.
mode_of() { stat -c %a "$1" 2>/dev/null || stat -f %Lp "$1"; }
inode_of() { stat -c %i "$1" 2>/dev/null || stat -f %i "$1"; }
size_of() { wc -c <"$1" | tr -d ' '; }
mtime_of() { stat -c %Y "$1" 2>/dev/null || stat -f %m "$1"; }

# shorter FILE N: without its last N bytes.
shorter() {
	python3 -c 'import os, sys
os.truncate(sys.argv[1], os.path.getsize(sys.argv[1]) - int(sys.argv[2]))' \
	    "$1" "$2"
}

# on_terminal LINE: the shell's LINE, whose output is a terminal; it is written
# as that terminal got it.
on_terminal() {
	if script --version 2>/dev/null | grep -q util-linux; then
		script -qec "$1" /dev/null </dev/null
	else
		script -q /dev/null sh -c "$1" </dev/null
	fi
}

# as_nobody COMMAND...: not as root, who may read and write everything.
as_nobody() {
	if [ "$(id -u)" != 0 ]; then
		"$@"
	elif command -v setpriv >/dev/null; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		sudo -n -u nobody "$@"
	fi
}

# peak_kib COMMAND...: the most memory that it had, in KiB; its output is gone.
peak_kib() {
	if /usr/bin/time -f %M true 2>/dev/null; then
		/usr/bin/time -f %M -o "$T/kib" "$@" >/dev/null
		cat "$T/kib"
	else
		/usr/bin/time -l "$@" 2>&1 >/dev/null |
		    awk '/maximum resident set size/ { print int($1 / 1024) }'
	fi
}

# hold FILE SECONDS: a lock of the kind of flock(2) on the file; "held" is written
# when it is ours.
hold() {
	python3 -c 'import fcntl, sys, time
f = open(sys.argv[1], "a")
fcntl.flock(f, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(float(sys.argv[2]))' "$1" "$2"
}

# Milliseconds of a clock; base64 without line ends, and back.
now_ms() { python3 -c 'import time; print(int(time.time() * 1000))'; }
to_base64() { base64 | tr -d '\n'; }
from_base64() { openssl base64 -d -A; }

# Commands by their GNU names, where they are called otherwise; wc without blanks.
[ "$(echo | wc -l)" = 1 ] || wc() { command wc "$@" | sed 's/^ *//'; }
command -v sha256sum >/dev/null || sha256sum() { shasum -a 256 "$@"; }
command -v timeout >/dev/null ||
    timeout() { perl -e 'alarm shift; exec @ARGV' "$@"; }
