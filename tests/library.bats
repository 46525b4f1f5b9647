# The installed library: its header, what it is linked with, and that its
# functions give what the commands give.

setup_file() {
	load helpers
	common_setup
	make -s -C "$ROOT" BUILD="${BUILD#"$ROOT"/}" DESTDIR="$T/dest" \
	    PREFIX=/usr install
	export DEST=$T/dest/usr DRIVE=$T/drive
	program "$DRIVE" "$ROOT/tests/library/drive.c" -pthread
}

setup() {
	load helpers
	common_setup
	export CTX_VOCAB=$DEST/share/ctx
}

# config OPTIONS: ask pkg-config about what was installed.
config() {
	PKG_CONFIG_PATH=$DEST/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} \
	    pkg-config --static --define-variable=prefix="$DEST" "$@" ctx
}

# program NAME SOURCE FLAGS...: compile it against what was installed.
program() {
	local name=$1 source=$2 flags=()

	shift 2
	if grep -q __tsan_init "$BUILD/ctx-clean"; then
		flags=(-fsanitize=thread)
	elif sanitized; then
		flags=(-fsanitize=address,undefined)
	fi
	# shellcheck disable=SC2046
	${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror \
	    "${flags[@]}" -o "$name" "$source" "$@" $(config --cflags --libs)
}

# The flags of ctx-clean that drive's word stands for, and so on.
as_command() {
	case $1 in
	clean) ctx-clean ;;
	lean) ctx-clean --lean=strong --clear-results --unanswered repair ;;
	redact) CTX_REDACT_KEY=0123456789abcdef ctx-clean --redact ;;
	last) ctx-truncate -n 10 --note ;;
	tokens) ctx-truncate -t 2000 -m gpt-4o ;;
	model) ctx-truncate -m gpt-4o ;;
	convert) ctx-convert --to gemini -q ;;
	request)
		printf 'Be brief.' >system
		echo '[{"name":"f"}]' >tools
		ctx-convert --to anthropic --request -m claude-sonnet-4-5 -q \
		    --system system --tools tools --max-output 100 ;;
	esac
}

@test "library: the header is C99 and C++, and says the version" {
	local v

	v=$(ctx-clean --version | cut -d ' ' -f 2)
	has -qxF "#define CTX_LIB_VERSION	\"$v\"" "$DEST/include/ctx.h"
	[ "$(config --modversion)" = "$v" ]
	{
		echo '#include <ctx.h>'
		echo 'int main(void) { return *ctx_lib_version() == 0; }'
	} >t.c
	${CC:-cc} -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only \
	    -I"$DEST/include" t.c
	if command -v c++ >/dev/null; then
		c++ -pedantic -Wall -Wextra -Werror -fsyntax-only \
		    -I"$DEST/include" -x c++ t.c
	fi
}

@test "library: its functions give the bytes of the commands, for our own logs" {
	local f what n=0

	for f in "${LOGS[@]}"; do
		for what in clean lean redact last tokens model convert request; do
			in_turn 3 7 || continue
			about "$what $f"
			as_command "$what" <"$f" >want 2>err && rc=0 || rc=$?
			"$DRIVE" "$what" <"$f" >got 2>why && got=0 || got=$?
			[ "$got" = "$rc" ] || fail "$got instead of $rc"
			[ "$rc" != 0 ] || same got want
			[ "$rc" != 0 ] || n=$((n + 1))
		done
	done
	[ "$((n * some))" -gt 150 ] || fail "only $n were compared"
}

@test "library: histories of every form, empty and cut off" {
	local f what

	printf '{"role":"user","content":"a"}' >open
	printf '\357\273\277{"role":"user","content":"a"}\n' >mark
	printf '[{"messages":[{"role":"user","content":"a"}]},\n {"messages":[{"role":"user","content":"b"}]}]\n' >list
	printf '{"messages":[\n  {"role":"user","content":"a"}\n]}\n' >document
	printf '{"meta":1}\n\n{"role":"user","content":"a"}\n' >odd
	: >empty
	for f in open mark list document odd empty; do
		for what in clean last tokens convert; do
			about "$what $f"
			as_command "$what" <"$f" >want
			"$DRIVE" "$what" <"$f" >got
			same got want
		done
	done
	# a call whose line is not ended, and the result that is added
	printf '%s' '{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}' >call
	as_command lean <call >want
	"$DRIVE" lean <call >got
	same got want
	[ "$(wc -l <got)" -ge 1 ]
}

@test "library: counts are those of ctx-count" {
	local f tokens messages text others level

	for f in "${LOGS[@]}"; do
		in_turn 1 5 || continue
		about "$f"
		"$DRIVE" count <"$f" >got
		read -r tokens messages text others level <got
		ctx-count -m gpt-4o "$f" 2>err |
		    awk '{ print $1, $2 }' >want
		echo "$tokens $messages" >pair
		same pair want
		ctx-count -m gpt-4o --text "$f" | awk '{ print $1 }' >want
		echo "$text" >pair
		same pair want
		case $level:$(cat err) in
		1:) ;;
		3:*estimate*) ;;
		*) fail "level $level: $(cat err)" ;;
		esac
	done
	printf '{"meta":1}\n{"role":"user","content":"a"}\n' >odd
	"$DRIVE" count <odd >got
	[ "$(cut -d ' ' -f 2,4 got)" = "1 1" ]
}

# drives CODE LINE TEXT COMMAND...: does drive fail like that, without output?
drives() {
	local code=$1 line=$2 text=$3 c l what

	shift 3
	exits "$code" "$DRIVE" "$@" <in
	same out /dev/null
	read -r c l _ what <err
	[ "$c $l" = "$code $line" ] || fail "$(cat err)"
	# shellcheck disable=SC2053
	[[ $what == $text ]] || fail "$(cat err)"
}

@test "library: errors say what is wrong and where, and there is no output" {
	printf '{"role":"user","content":"a"}\n{"role":"user",\n' >in
	for what in clean last convert count; do
		drives 3 2 'not JSON: *' "$what"
	done
	yes word | head -n 30000 | tr '\n' ' ' |
	    sed 's/.*/{"role":"user","content":"&"}\n/' >in
	drives 1 0 'what must stay takes 30008 tokens, but the budget is 2000' tokens
	echo '{"meta":1}' >in
	drives 3 0 'no message*' convert
	drives 1 0 '*missing.db*' load missing.db s1
	mkdir folder
	drives 4 0 '*folder*' append folder s1
}

@test "library: a session is stored whole or not at all, and loaded byte for byte" {
	local f=${LOGS[0]}

	"$DRIVE" append s.db one <"$f" >got
	wc -l <"$f" | tr -d ' ' >want
	same got want
	ctx-store load --db s.db one >got
	same got "$f"
	"$DRIVE" load s.db one </dev/null >got
	same got "$f"
	# what the command has stored, without its last line end
	printf '{"role":"user","content":"a"}' | ctx-store append --db s.db two
	printf '{"role":"user","content":"b"}' | "$DRIVE" append s.db two
	printf '{"role":"user","content":"a"}\n{"role":"user","content":"b"}' >want
	"$DRIVE" load s.db two </dev/null >got
	same got want
	printf '{"role":"user","content":"c"}\n[]\n' >in
	drives 3 2 '*' append s.db two
	"$DRIVE" load s.db two </dev/null >got
	same got want
	drives 1 0 'no such thread*' load s.db three
}

@test "library: threads do the same at the same time" {
	"$DRIVE" threads t.db <"${LOGS[0]}" >got
	echo ok >want
	same got want
}

@test "library: the program of ctx(3) works" {
	sed -n '/^\.Sh A PROGRAM/,/^\.Sh SEE/{/^#include <int/,/^\.Ed/{/^\.Ed/d;s/\\e/\\/g;p;};}' \
	    "$ROOT/man/ctx.3" >page.c
	program page page.c
	wanted <<-'END'
	{"role":"user","content":"What is in a.txt?"}
	{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"c1","content":"[no result: the tool call was not completed]"}
	END
	./page >got 2>err
	same got want
	ctx-count -m gpt-4o got | awk '{ print $1, "tokens" }' >want
	same err want
	ctx-store load --db agent.db s1 >got
	head -n 2 got >want
	same got want
}

@test "library: only what is used is linked, and never libcurl" {
	if [ "$(uname -s)" != Linux ]; then
		skip "the programs are not ELF files"
	fi
	readelf -d "$DRIVE" >needed
	lacks -qE 'NEEDED.*(curl|archive|yaml)' needed
	{
		echo '#include <ctx.h>'
		echo 'int main(void) { struct ctx_lib_text a, b; int rc ='
		echo 'ctx_lib_clean(0, "", 0, &a, 0) == -1 ||'
		echo 'ctx_lib_truncate(0, "", 0, &b, 0) == -1;'
		echo 'ctx_lib_free(a.data); ctx_lib_free(b.data); return rc; }'
	} >t.c
	program few t.c -Wl,--as-needed
	./few
	readelf -d few >needed
	lacks -qE 'NEEDED.*(curl|sqlite|archive|yaml|libz|zstd)' needed
}

@test "library: all of its global names begin with ctx_" {
	nm -g "$DEST/lib/libctx.a" 2>/dev/null |
	    awk '$2 ~ /^[TDRBC]$/ { print $3 }' | sed 's/^_ctx/ctx/' >names
	[ "$(wc -l <names)" -gt 500 ]
	grep -v '^ctx_' names >others || :
	if sanitized; then
		grep -v '^__' others >more || :
		mv more others
	fi
	same others /dev/null
}
