# shellcheck shell=bash
# Functions for what is spelled differently with GNU's and BSD's tools.
# helpers.bash loads this file; tests/portable.bats refuses spellings that only
# one kind accepts anywhere else.

# Set LC_CTYPE to locale $1.  Does bash count characters in it?
is_utf8() {
	local x=é

	{ LC_CTYPE=$1; } 2>/dev/null
	[ ${#x} -eq 1 ]
}

# utf8_locale: use UTF-8 for texts and the C locale for everything else, in any
# environment.  Takes the first locale in which bash counts characters.
utf8_locale() {
	local name

	unset LC_ALL LANGUAGE LC_MESSAGES LC_NUMERIC LC_TIME
	export LANG=C LC_COLLATE=C LC_CTYPE
	for name in C.UTF-8 C.utf8 en_US.UTF-8 en_US.utf8 UTF-8; do
		! is_utf8 "$name" || return 0
	done
	# this takes longer than the rest of a short test
	for name in $(locale -a 2>/dev/null | grep -i 'utf-*8$'); do
		! is_utf8 "$name" || return 0
	done
	echo "no UTF-8 locale found (locale -a)"
	return 1
}

# edit SCRIPT FILE...: edit files in place with sed; a file keeps its inode.
edit() {
	local script=$1 file

	shift
	for file in "$@"; do
		sed "$script" "$file" >"$file.edit" || return
		cat "$file.edit" >"$file" || return
		rm "$file.edit"
	done
}

# The mode of a file in octal, its owner, inode, size, and time of modification.
mode_of() { stat -c %a "$1" 2>/dev/null || stat -f %Lp "$1"; }
owner_of() { stat -c %u:%g "$1" 2>/dev/null || stat -f %u:%g "$1"; }
inode_of() { stat -c %i "$1" 2>/dev/null || stat -f %i "$1"; }
size_of() { wc -c <"$1" | tr -d ' '; }
mtime_of() { stat -c %Y "$1" 2>/dev/null || stat -f %m "$1"; }

# shorter FILE N: remove the last N bytes.
shorter() {
	python3 -c 'import os, sys
os.truncate(sys.argv[1], os.path.getsize(sys.argv[1]) - int(sys.argv[2]))' \
	    "$1" "$2"
}

# on_terminal LINE: run a shell command with a terminal as its output, and print
# what the terminal got.
on_terminal() {
	if script --version 2>/dev/null | grep -q util-linux; then
		script -qec "$1" /dev/null </dev/null
	else
		script -q /dev/null sh -c "$1" </dev/null
	fi
}

# as_nobody COMMAND...: run it as a user other than root, who may do everything.
as_nobody() {
	if [ "$(id -u)" != 0 ]; then
		"$@"
	elif command -v setpriv >/dev/null; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		sudo -n -u nobody "$@"
	fi
}

# peak_kib COMMAND...: run it without its output and print its peak memory in
# KiB.
peak_kib() {
	if /usr/bin/time -f %M true 2>/dev/null; then
		/usr/bin/time -f %M -o "$T/kib" "$@" >/dev/null
		cat "$T/kib"
	else
		/usr/bin/time -l "$@" 2>&1 >/dev/null |
		    awk '/maximum resident set size/ { print int($1 / 1024) }'
	fi
}

# hold FILE SECONDS: lock the file like flock(2), and print "held" when it is
# locked.
hold() {
	python3 -c 'import fcntl, sys, time
f = open(sys.argv[1], "a")
fcntl.flock(f, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(float(sys.argv[2]))' "$1" "$2"
}

# The time in milliseconds; base64 without line ends, and decoding.
now_ms() { python3 -c 'import time; print(int(time.time() * 1000))'; }
to_base64() { base64 | tr -d '\n'; }
from_base64() { openssl base64 -d -A; }

# Define commands by their GNU names where they have other names; wc prints no
# blanks.
[ "$(echo | wc -l)" = 1 ] || wc() { command wc "$@" | sed 's/^ *//'; }
command -v sha256sum >/dev/null || sha256sum() { shasum -a 256 "$@"; }
command -v timeout >/dev/null ||
    timeout() { perl -e 'alarm shift; exec @ARGV' "$@"; }
