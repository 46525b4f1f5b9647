# Run the commands of ctx-tutorial(7), in order, and compare what a terminal
# shows with what the page says.

setup() {
	load helpers
	common_setup
	export TERM=xterm COLUMNS=72 NO_COLOR=1 PAGER=cat SHELL=/bin/sh
	PAGE=$ROOT/man/ctx-tutorial.7
}

# printed: what the page prints in its literal blocks, as a reader sees it.
printed() {
	{
		printf '.Dd May 1, 2026\n.Dt T 7\n.Os\n.Sh NAME\n'
		sed -n '/^\.Bd -literal$/,/^\.Ed$/p' "$PAGE"
	} | mandoc -T utf8 -O width=78 | sed "s/.$(printf '\b')//g" |
	    sed '1,/^NAME/d;$d;s/^     //' | spaced
}

# spaced: leave out the blank lines before a command, which divide blocks.
spaced() {
	awk '/^$/ { blank++; next }
	    { if ($0 !~ /^\$ /) for (; blank > 0; blank--) print ""
	      blank = 0; print }'
}

# typed: the commands of the page, a line each; one that ends in a backslash
# goes on.
typed() {
	sed -n -e ':a' -e '/^\$ .*\\$/{N;s/\\\n *//;ba' -e '}' -e 's/^\$ //p'
}

# screen: as a terminal of 72 columns divides what was printed, on the day of the
# page.
screen() {
	python3 -c 'import re, sys
day = r"20\d\d-\d\d-\d\d \d\d:\d\d"
for line in open(0, encoding="utf-8", newline="\n"):
    line = re.sub(day, "2026-03-11 09:30", line.rstrip("\r\n"))
    width = "+" if line.startswith("$ ") else "{1,72}"
    print(*re.findall("." + width, line) or [""], sep="\n")'
}

@test "tutorial: each command prints what the page says" {
	printed >page
	typed <page >commands
	[ "$(wc -l <commands)" -gt 30 ]
	while read -r line; do
		echo "\$ $line"
		case $line in
		'cp -r /usr/local/share/ctx/tutorial .')
			cp -r "$ROOT/man/tutorial" . ;;
		'cd '* | 'export '*) eval "$line" ;;
		*) on_terminal "$line" || : ;;
		esac
	done <commands | screen | spaced >got
	# the page divides long commands, too
	sed -e ':a' -e '/^\$ .*\\$/{N;s/\\\n *//;ba' -e '}' page >want
	same got want
}

@test "tutorial: it has ten steps, and each has a command" {
	awk '/^\.Ss / { n++; if ($2 != n ".") exit 1; }
	    /^\.Ss |^\.Sh FILES/ { if (n > 1 && !ran) exit 1; ran = 0 }
	    /^\$ / { ran = 1 } END { if (n != 10) exit 1 }' "$PAGE"
}

@test "tutorial: its files are those that it names, and its text fits a page" {
	sed -n '/^\.Sh FILES/,/^\.El/s/^\.Pa \([^ ]*\).*/\1/p' "$PAGE" | sort >got
	ls "$ROOT/man/tutorial" | sort >want
	same got want
	awk 'length > 72' "$ROOT/man/tutorial/loop.sh" >long
	same long /dev/null
	sh -n "$ROOT/man/tutorial/loop.sh"
}
