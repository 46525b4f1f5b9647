# The tests run with GNU's tools and with BSD's.  For what these spell
# differently, portable.bash has a function that knows both forms.

setup() { load helpers; common_setup; cd "$ROOT" || return 1; }

# The forms that are not portable, one extended regular expression on each line,
# and what to use instead.
forms() {
	cat <<-'X'
	sed (-[nE]+ )?-i 	edit
	(^|[^a-z])sed [^|]*'[0-9$]*[ia] [^']	i\ and a line end, in sed
	stat -[cf]	mode_of, inode_of, size_of or mtime_of
	(^|[^a-z-])cat -A	cat -vet
	touch -d '?[0-9-]+( |')	touch -d with a T between date and time
	readlink -f	cd and pwd
	date (-d|-[a-zA-Z]* -d|.*%N)	now_ms, or TZ and awk
	grep -[a-zA-Z]*P	grep -E
	base64 (-w|-d)	to_base64 or from_base64
	(^|[ (;|])truncate -s	shorter
	(^|[ (;|])script -[a-z]	on_terminal
	(^|[ (;|])setpriv	as_nobody
	(^|[ (;|])flock 	hold
	/usr/bin/time	peak_kib
	/proc/	nothing: BSD has no such folder
	mktemp --	mktemp -d
	find .* -printf	find -exec
	xargs (-d|-r|-a)	tr and xargs -0
	sort -[a-zA-Z]*[VR]	sort -n
	head -[nc] *-[0-9]	sed
	(^|[ (;|])(tac|nproc|shuf) 	sed or awk
	[(;|] *bc( |\)|$)	awk: a bare machine has no bc
	cp -[a-zA-Z]*a	cp -Rp
	\$'([^'\\]|\\[^uU])*\\[uU]	the bytes: it is read before the locale is set
	X
}

@test "portable: no test uses a form that only GNU's tools or only BSD's accept" {
	local form instead

	: >"$T/found"
	while IFS=$'\t' read -r form instead; do
		# comments are exempt
		grep -nE -- "$form" tests/*.bats tests/helpers.bash tests/endpoint.bash |
		    grep -v '^[^:]*:[0-9]*:[[:space:]]*#' |
		    sed "s|\$|	(instead: $instead)|" >>"$T/found" || :
	done < <(forms)
	grep -v '^tests/portable.bats:' "$T/found" >"$T/left" || :
	same "$T/left" /dev/null
}

@test "portable: a list of commands is stored before the loop over it" {
	# "for c in $(commands)" does nothing if there are none
	grep -nE 'for [a-z_]+ in .*\$\(' tests/*.bats |
	    grep -vE '\$\((seq|printf) |portable.bats' |
	    grep -vE 'in [^$]*[a-z0-9"'"'"'] ' >"$T/found" || :
	same "$T/found" /dev/null
}

@test "portable: an empty list of commands fails" {
	list=$(commands)
	[ "$(echo "$list" | grep -cx 'ctx-[a-z-]*')" -ge 7 ]
	mkdir "$T/a.b"
	cp "$BUILD/ctx-clean" "$T/a.b"
	(BUILD=$T/a.b commands) >"$T/out"
	[ "$(cat "$T/out")" = ctx-clean ]
	for f in commands reading_commands stream_commands; do
		got=0
		list=$(BUILD=$T/none "$f" 2>"$T/err") || got=$?
		[ "$got" -eq 1 ]
		[ -z "$list" ]
		says 'there are no commands in *'
	done
}

@test "portable: texts are UTF-8 in any locale of the user" {
	local x=é

	LANG= LC_CTYPE=C LC_ALL=POSIX
	utf8_locale
	[ ${#x} -eq 1 ]
	[ "$(printf '%s\n' b A a B | sort | tr -d '\n')" = ABab ]
	[ "$(python3 -c 'import locale; print(locale.getpreferredencoding())' |
	    tr -d - | tr '[:upper:]' '[:lower:]')" = utf8 ]
}

@test "portable: a skip says what is missing, and never names a tool that setup installs" {
	grep -nE '(^|[|&;] *|[[:space:]])skip( |$)' tests/*.bats |
	    grep -vE ':[[:space:]]*#|--on-error|stop skip|skip (stop|keep)' >"$T/skips"
	grep -vE 'skip "[^"]{8,}"|portable.bats' "$T/skips" >"$T/found" || :
	same "$T/found" /dev/null
	grep -wE 'python3|sqlite3|jq|zip|zsh|fish|mandoc|git here|make here|readelf|script' \
	    "$T/skips" | grep -v portable.bats >"$T/found" || :
	same "$T/found" /dev/null
	# every test in tests/skips must exist
	grep -v '^#' tests/skips | grep . | sed 's/ # skip .*//' |
	    while IFS= read -r name; do
		grep -qF "@test \"$name\"" tests/*.bats || echo "$name"
	done >"$T/found"
	same "$T/found" /dev/null
}
