# What people see on terminals of 60, 80 and 200 columns, in tmux (tests/setup --browser):
# wide characters, emoji, text from right to left, control characters, long results and
# names.  (What is joined to one emoji is in show.bats, since tmux may lose joiners.)  The
# files NAME.COLUMNS were read before they were kept; KEEP=1 writes them anew, to be read
# again.

setup() {
	load ../helpers
	BATS_TEST_DIRNAME=${BATS_TEST_DIRNAME%/screens}
	common_setup
	command -v tmux >"$T/tmux" || skip "there is no tmux"
	SCREENS=$ROOT/tests/screens
	cp "$SCREENS"/*.jsonl .
	export TERM=xterm PAGER=less
	SOCKET=0
}

# shown COLUMNS LINE [-e]: print the screen after a command; with -e, its colours too.
shown() {
	# a server of its own: the one before may not have ended
	SOCKET=$((SOCKET + 1))
	in_tmux new-session -d -x "$1" -y 150 "$2; printf 'THE END\n'; sleep 60"
	until_true ended
	# shellcheck disable=SC2086
	in_tmux capture-pane -p ${3:-} >screen
	in_tmux kill-server
	sed '/^THE END/,$d' screen
}
in_tmux() { tmux -u -f /dev/null -S "$T/socket$SOCKET" "$@"; }
ended() { in_tmux capture-pane -p >screen && grep -q '^THE END' screen; }

# screens NAME LINE [COLUMNS...]: compare the command's screens with those kept.
screens() {
	local name=$1 line=$2 columns

	shift 2
	for columns in "${@:-60 80 200}"; do
		# shellcheck disable=SC2086
		set -- $columns
		for columns; do
			about "$name.$columns"
			shown "$columns" "$line" >got.times
			without_times <got.times >got
			[ -z "${KEEP:-}" ] || cp got "$SCREENS/$name.$columns"
			same got "$SCREENS/$name.$columns"
		done
	done
}
without_times() {
	sed -e 's/20[0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]/YYYY-MM-DD hh:mm/g' \
	    -e 's/[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]/MM-DD hh:mm/g'
}

@test "screens: ctx-show" {
	screens show 'ctx-show -e chars history.jsonl'
	screens show-full 'ctx-show -e chars --full history.jsonl' 60 80
	screens show-kept 'ctx-show -e chars --kept kept.jsonl history.jsonl' 60 80
	screens show-narrow 'ctx-show -e chars --width 36 history.jsonl' 80
}

@test "screens: ctx-diff" {
	screens diff 'ctx-diff -e chars history.jsonl kept.jsonl'
	screens diff-full 'ctx-diff -e chars --full history.jsonl kept.jsonl' 60 80
}

@test "screens: colours, and none with NO_COLOR" {
	for line in 'ctx-show -e chars history.jsonl' \
	    'ctx-diff -e chars history.jsonl kept.jsonl'; do
		about "$line"
		shown 80 "$line" -e >coloured
		has -qF "$(printf '\033[')" coloured
		shown 80 "NO_COLOR=1 $line" -e >plain
		lacks -qF "$(printf '\033[')" plain
		# colours change nothing else
		sed -e "s/$(printf '\033')\[[0-9;]*m//g" -e 's/ *$//' coloured >got
		same got plain
	done
}

@test "screens: tables of ctx-store" {
	for t in station-signs 站台标志 signs-emoji-🚆; do
		exits 0 ctx-store --db db append "$t" history.jsonl
	done
	echo '{"read":["signs/platform-3.txt"]}' >state
	exits 0 ctx-store --db db checkpoint put --id before-the-change --upto 4 \
	    station-signs <state
	exits 0 ctx-store --db db fork --name with-another-sign \
	    --at before-the-change station-signs
	screens threads 'ctx-store --db db threads'
	screens search 'ctx-store --db db search platform'
	screens contexts 'ctx-store --db db contexts --tree station-signs'
	screens checkpoints 'ctx-store --db db checkpoint list station-signs'
}

@test "screens: ctx-count, and ctx-clean --check with the place" {
	screens count 'ctx-count -e chars history.jsonl kept.jsonl'
	screens check 'ctx-clean --check faulty.jsonl'
}
