#!/usr/bin/env bats
# ctx-digest-files --map

setup() {
	load helpers
	common_setup
	export LC_ALL=C
}

# tree: create p, a small tree.
tree() {
	mkdir -p p/src p/data
	printf '# Store\n\nText.\n\n## Use\n' >p/README.md
	cat >p/src/store.py <<'EOF'
"""A store."""
class Store(Base):
    def put(self, key, value="two words"):
        return self.write(key, value)

    # def never(self)
    def write(self, key, value): ...

def main(argv):
    Store().put(argv[1], argv[2])
EOF
	cat >p/src/list.c <<'EOF'
struct list {
	struct list *next;
};

/* int never(void) { } */
static int
push(struct list *l, int value)
{
	return value;
}

int main(int argc, char *argv[])
{
	return push(0, argc);
}
EOF
	printf 'day,sold\n1,2\n3,4\n' >p/data/sales.csv
}

# big: create b, of 60 files of which each calls a function of the first ten.
big() {
	local i

	mkdir -p b/lib b/app
	for i in 0 1 2 3 4 5 6 7 8 9; do
		printf 'def shared_helper_%d(value, count=1):\n    return value\n' \
		    "$i" >"b/lib/helper_$i.py"
	done
	for ((i = 0; i < 50; i++)); do
		printf 'def task_number_%d(first, second):\n' "$i"
		printf '    return shared_helper_%d(first)\n' "$((i % 3))"
	done | split -l 2 -a 2 - b/app/task_
	for i in b/app/*; do mv "$i" "$i.py"; done
}

@test "map: signatures, members, headings and columns, in the order of paths" {
	tree
	exits 0 ctx-digest-files -r --map p
	quiet
	wrote 'p/' \
	    ' README.md (markdown, headings: Store, Use)' \
	    'p/data/' \
	    ' sales.csv (CSV, 2 rows, columns: day, sold)' \
	    'p/src/' \
	    ' list.c' \
	    '  struct list' \
	    '  push(struct list *l, int value)' \
	    '  int main(int argc, char *argv[])' \
	    ' store.py' \
	    '  class Store(Base)' \
	    '   def put(self, key, value="…")' \
	    '   def write(self, key, value)' \
	    '  def main(argv)'
}

@test "map: . is left out of paths; files in it have no margin" {
	tree
	cd p
	exits 0 ctx-digest-files -r --map .
	head -n 3 "$T/out" >first
	printf '%s\n' 'README.md (markdown, headings: Store, Use)' \
	    'data/' ' sales.csv (CSV, 2 rows, columns: day, sold)' >want
	same first want
	exits 0 ctx-digest-files --map README.md
	wrote 'README.md (markdown, headings: Store, Use)'
}

@test "map: what does not fit is counted, and the most used comes first" {
	big
	exits 0 ctx-digest-files -r --map -t 40 b
	has -x '… +[0-9]* files' "$T/out"
	has 'shared_helper_[012]' "$T/out"
	lacks 'shared_helper_[3-9]' "$T/out"
	lacks 'task_number' "$T/out"
}

@test "map: definitions become names, then a number, in a file" {
	local i

	for ((i = 1; i <= 90; i++)); do
		printf 'def function_number_%d(first, second):\n    pass\n' "$i"
	done >a.py
	exits 0 ctx-digest-files --map -t 150 a.py
	has -E '^ def function_number_[0-9]+\(first, second\)$' "$T/out"
	has -E '^ (function_number_[0-9]+, )+… \+[0-9]+$' "$T/out"
	exits 0 ctx-digest-files --map -t 5 a.py
	wrote '… +1 file'
}

@test "map: in Chinese, and as a message of any dialect" {
	tree
	exits 0 ctx-digest-files -r --map -t 8 --lang zh p
	wrote '… +4 个文件'
	exits 0 ctx-digest-files -r --map --as message p/data
	wrote '{"role":"system","content":"p/data/\n sales.csv (CSV, 2 rows, columns: day, sold)"}'
	exits 0 ctx-digest-files -r --map --as message -d gemini p/data
	has '"parts":' "$T/out"
}

@test "map: no budget from 1 to 500 is exceeded, and each map accounts for all" {
	local n

	mkdir m
	cd "$ROOT"
	ctx-digest-files -r --json lib/base tests/data/digest >"$T/all.json"
	for ((n = 1; n <= 500; n++)); do
		in_turn 7 20 || continue
		ctx-digest-files -q -r --map -t "$n" lib/base \
		    tests/data/digest >"$T/m/$n" 2>"$T/err" ||
		    [ "$n" -lt 10 ] || fail "$n"
	done
	for n in 1000 2000 5000 10000 100000; do
		ctx-digest-files -r --map -t "$n" lib/base tests/data/digest \
		    >"$T/m/$n"
	done
	cd "$T/m"
	ctx-count --text -- * >"$T/counts"
	awk '$4 != "total" && $1 > $4 { print; bad = 1 } END { exit bad }' \
	    "$T/counts" || fail "too long"
	exits 0 python3 "$ROOT/tests/map.py" "$T/all.json" ./*
}

@test "map: a budget is counted by the tokenizer of the model" {
	local m n

	cd "$ROOT"
	for m in gpt-4 claude-sonnet-4-5 gemini-2.5-pro; do
		for n in 300 3000; do
			exits 0 ctx-digest-files -q -r --map -m $m -t $n lib/base
			[ "$(ctx-count -q --text -m $m "$T/out" |
			    awk '{ print $1 }')" -le $n ] || fail $m $n
			[ -s "$T/out" ] || fail $m $n
		done
	done
}

@test "map: a budget in which nothing fits is exit 1" {
	tree
	exits 1 ctx-digest-files -r --map -t 2 p
	silent
	says 'ctx-digest-files: not even the number of files fits in 2 tokens'
	mkdir empty
	exits 0 ctx-digest-files -r --map -t 1 empty
	quiet
	silent
}

@test "map: what changes no definition and no use changes nothing" {
	local n

	cp -r "$ROOT/lib" tree
	cp "$ROOT/README.md" tree
	for n in 300 2000 8000; do
		ctx-digest-files -r --map -t $n tree >"before.$n"
	done
	has 'README.md (markdown' before.2000
	printf '\nOne more paragraph.\n' >>tree/README.md
	{
		echo '/* A comment with ctx_buf_add() in it. */'
		cat tree/base/buf.c
		echo '/* One more. */'
	} >new
	mv new tree/base/buf.c
	sed 's/DEPTH_MAX	256/DEPTH_MAX	512/' tree/digest/walk.c >new
	differs new tree/digest/walk.c
	mv new tree/digest/walk.c
	for n in 300 2000 8000; do
		ctx-digest-files -r --map -t $n tree >after
		same after "before.$n"
	done
}

@test "map: a new function in one file changes few lines elsewhere" {
	local n

	cp -r "$ROOT/lib" tree
	ctx-digest-files -r --map -t 4000 tree >before
	printf 'int\nctx_new_function(struct ctx_buf *b)\n{\n\treturn %s;\n}\n' \
	    'ctx_buf_addc(b, 0)' >>tree/base/when.c
	ctx-digest-files -r --map -t 4000 tree >after
	n=$(diff before after | grep -c '^>' || :)
	[ "$((n * 20))" -le "$(wc -l <after)" ] || fail "$n lines"
}

@test "map: the same for the same tree, in whatever order it is given" {
	cd "$ROOT"
	ctx-digest-files -r --map -t 3000 lib/base lib/digest >"$T/a"
	ctx-digest-files -r --map -t 3000 lib/digest lib/base >"$T/b"
	ctx-digest-files -r --map -t 3000 lib/base lib/digest >"$T/c"
	same "$T/c" "$T/a"
	same "$T/b" "$T/a"
}

@test "map: a definition matters more than its declarations" {
	local i

	mkdir h
	for ((i = 0; i < 12; i++)); do
		printf 'int api_function_%d(int, int, int, int, int);\n' $i >>h/api.h
		printf 'int api_function_%d(int a) { return 1; }\n' $i >>h/impl.c
		printf 'int user_%d(void) { return api_function_%d(1); }\n' \
		    $i $i >>h/user.c
	done
	exits 0 ctx-digest-files -r --map -t 60 h
	has '^ impl.c$' "$T/out"
	has api_function_0 "$T/out"
	lacks '^ api.h$' "$T/out"
	rm h/impl.c
	exits 0 ctx-digest-files -r --map -t 60 h
	has '^ api.h$' "$T/out"
}

@test "map: the README of the tree matters, packed code and tests do not" {
	local i

	big
	mkdir b/tests b/doc
	printf '# Overview\n' >b/README.md
	printf '# Elsewhere\n' >b/doc/README.md
	for ((i = 0; i < 60; i++)); do
		printf 'function packed_function_%d(a){return shared_call(a)};' $i
	done >b/app/packed.js
	for ((i = 0; i < 60; i++)); do
		printf 'def tested_function_%d(a):\n    return a + a + a\n' $i
	done >b/tests/all.py
	exits 0 ctx-digest-files -r --map -t 60 b
	has '^ README.md (markdown, headings: Overview)$' "$T/out"
	lacks Elsewhere "$T/out"
	exits 0 ctx-digest-files -r --map -t 160 b
	lacks tested_function "$T/out"
	has packed_function "$T/out"	# its only line has 4 kB
	for ((i = 0; i < 200; i++)); do
		printf 'function packed_function_%d(a){return shared_call(a)};' $i
	done >b/app/packed.js
	exits 0 ctx-digest-files -r --map -t 160 b
	lacks packed_function "$T/out"
	exits 0 ctx-digest-files -r --map -t 160 --focus packed.js b
	has packed_function "$T/out"
}

@test "map: --focus names a file, a folder, a definition or a part of one" {
	big
	exits 0 ctx-digest-files -r --map -t 100 b
	lacks 'task_number_7\b' "$T/out"
	for f in task_ah.py app/task_ah.py b/app/task_ah.py ./b/app/task_ah.py \
	    task_number_7; do
		about "$f"
		exits 0 ctx-digest-files -r --map -t 100 --focus "$f" b
		quiet
		has '^  def task_number_7(first, second)$' "$T/out"
	done
	exits 0 ctx-digest-files -r --map -t 100 --focus app b
	has task_number "$T/out"
	exits 0 ctx-digest-files -r --map -t 60 --focus helper_9 --focus task b
	has shared_helper_9 "$T/out"
	has task_number "$T/out"
	exits 0 ctx-digest-files -r --map -t 60 b
	lacks shared_helper_9 "$T/out"
}

@test "map: what is in focus shows what it uses" {
	mkdir b
	printf 'def far_helper_alpha(x):\n    return x\n' >b/a.py
	printf 'def far_helper_beta(x):\n    return x\n' >b/b.py
	printf 'def start():\n    return far_helper_beta(1)\n' >b/c.py
	printf 'def other():\n    return far_helper_alpha(1)\n' >b/d.py
	exits 0 ctx-digest-files -r --map -t 26 --focus c.py b
	has far_helper_beta "$T/out"
	lacks far_helper_alpha "$T/out"
	exits 0 ctx-digest-files -r --map -t 26 --focus d.py b
	has far_helper_alpha "$T/out"
	lacks far_helper_beta "$T/out"
}

@test "map: a focus that nothing matches is reported" {
	tree
	exits 0 ctx-digest-files -r --map --focus push --focus Stoer p
	says "*--focus Stoer: no path and no definition has this name"
	exits 0 ctx-digest-files -q -r --map --focus Stoer p
	quiet
}

@test "map: .gitignore is respected, and --min and --all have their meaning" {
	tree
	echo data >p/.gitignore
	exits 0 ctx-digest-files -r --map p
	lacks sales.csv "$T/out"
	exits 0 ctx-digest-files -r --map --all p
	has sales.csv "$T/out"
	exits 0 ctx-digest-files -r --map --min 60 p
	lacks README "$T/out"
}

@test "map: names of files that could deceive stay in their line" {
	mkdir -p d/$'new\nline'
	printf 'int a(void) { }\n' >$'d/new\nline/a\tb.c'
	printf 'int b(void) { }\n' >$'d/x \xe2\x80\xa8y.c'
	printf 'int c(void) { }\n' >$'d/\xff.c'
	exits 0 ctx-digest-files -r --map d
	wrote 'd/' ' x y.c' '  int b(void)' $' \xef\xbf\xbd.c' '  int c(void)' \
	    'd/new line/' ' a b.c' '  int a(void)'
}

@test "map: thousands of files, and folders a hundred deep" {
	local deep=d

	mkdir d
	awk 'BEGIN { for (i = 0; i < 3000; i++) {
		f = "d/f" i ".c"
		print "int function_" i "(int a) { return function_" i + 1 "(a); }" >f
		close(f)
	} }'
	for ((i = 0; i < 100; i++)); do deep+=/e; done
	mkdir -p "$deep"
	echo 'int deepest(void) { }' >"$deep/x.c"
	exits 0 timeout "$DEADLINE" ctx-digest-files -r --map -t 500 d
	[ "$(ctx-count --text "$T/out" | awk '{ print $1 }')" -le 500 ]
	exits 0 timeout "$DEADLINE" ctx-digest-files -r --map -t 500 \
	    --focus deepest d
	has deepest "$T/out"
}

@test "map: -v counts what is shown" {
	tree
	exits 0 ctx-digest-files -v -r --map p
	says 'ctx-digest-files: 4 of 4 files; 7 signatures and 0 names of 7 definitions; * tokens'
}

@test "map: options that do not go with it are refused" {
	tree
	exits 2 ctx-digest-files --map
	silent
	exits 2 ctx-digest-files -t 100 p
	exits 2 ctx-digest-files --focus x p
	exits 2 ctx-digest-files -r --map --json p
	exits 2 ctx-digest-files -r --map --stash s p
	exits 2 ctx-digest-files -r --map --as list p
	exits 2 ctx-digest-files -r --map -t 0 p
	exits 4 ctx-digest-files --map p
	says '*is a directory; use -r*'
}
