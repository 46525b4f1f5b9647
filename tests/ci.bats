# What checks transcripts in builds and hooks, tried by running it in a repository:
# .ci/transcripts, the workflow for GitHub, the job for GitLab, pre-commit's hooks.

setup() {
	load helpers
	common_setup
	unset "${!GIT_@}"
	export GIT_CONFIG_GLOBAL=$T/gitconfig GIT_CONFIG_NOSYSTEM=1
	export CTX_MAX=40 CTX_MIN=20%
	git config --global user.name nobody
	git config --global user.email nobody@localhost
	git config --global init.defaultBranch main
	git init -q repo
	cd repo || return 1
	mkdir logs
	say user 'one two three' >logs/grows.jsonl
	say user 'one two three' >logs/breaks.jsonl
	say user 'four five six' >>logs/breaks.jsonl
	# nobody changes this one
	orphan >logs/faulty.jsonl
	echo 'not a transcript' >notes.txt
	commit
	BASE=$(git rev-parse HEAD)
	git checkout -q -b work
}

say() { printf '{"role":"%s","content":"%s"}\n' "$1" "$2"; }
orphan() { echo '{"role":"tool","tool_call_id":"x","content":"r"}'; }
commit() { git add -A && git commit -q -m change; }

# What a branch does right, and wrong: a result without its call, a secret, a
# conversation of too many tokens, and one that is not continued but changed.
good_change() {
	say assistant seven >>logs/grows.jsonl
	echo 'still none' >notes.txt
	commit
}
KEY=sk_live_4eC39HqLyjWDarjtT1zdp7dc
bad_change() {
	mkdir -p 'new logs'
	{ say user q; orphan; } >'new logs/a,b.jsonl'
	say user "key $KEY" >logs/secret.jsonl
	say user "$(printf 'word %.0s' {1..40})" >logs/long.jsonl
	{ say user 'one two'; say user 'four five six'; } >logs/breaks.jsonl
	git rm -q logs/grows.jsonl
	commit
}
# What is wrong with it: places and rules, in the order of the checks.
wrong() {
	cat <<-X
	logs/secret.jsonl:1 leaked-secret
	new logs/a,b.jsonl:2 orphan-result
	logs/long.jsonl:1 over-budget
	logs/breaks.jsonl:1 cache-break
	X
}

# It works from any folder.
@test "ci: .ci/transcripts checks what a branch changes" {
	good_change
	cd logs
	exits 0 "$ROOT/.ci/transcripts" main
	silent
	quiet
	cd ..
	bad_change
	# main goes on, which is no change of the branch
	git checkout -q main
	orphan >logs/later.jsonl
	commit
	git checkout -q work
	exits 1 "$ROOT/.ci/transcripts" main
	sed 's/^\([^:]*:[0-9]*\).*\[\(.*\)\].*/\1 \2/' "$T/out" >got
	wrong >want
	same got want
	lacks -F "$KEY" "$T/out" "$T/err"
	# a name is no option, and a pattern is git's
	git rm -q -r logs 'new logs'
	{ say user q; orphan; } >./--json.jsonl
	{ say user q; orphan; } >in.log
	commit
	exits 1 "$ROOT/.ci/transcripts" main
	has -- '^--json.jsonl:2:1: error\[orphan-result\]' "$T/out"
	lacks -F in.log "$T/out"
	CTX_FILES='*.log *.none' exits 1 "$ROOT/.ci/transcripts" "$BASE"
	has '^in.log:2:1: error\[orphan-result\]' "$T/out"
	CTX_FILES='*.none' exits 0 "$ROOT/.ci/transcripts" "$BASE"
	CTX_OPTIONS='--redact --ignore orphan-result' exits 0 "$ROOT/.ci/transcripts" main
	silent
	# what it cannot do, it says
	exits 2 "$ROOT/.ci/transcripts"
	exits 2 "$ROOT/.ci/transcripts" main junit
	exits 2 "$ROOT/.ci/transcripts" no-such-branch
	says 'transcripts: HEAD and no-such-branch have no commit in common*'
	CTX_BASELINE=missing exits 1 "$ROOT/.ci/transcripts" main
	says 'ctx-clean: missing: *--baseline-write makes it*'
}

@test "ci: .ci/transcripts: what is in the baseline does not fail a build" {
	bad_change
	export CTX_BASELINE=.known
	exits 0 ctx-clean --check --redact --baseline .known --baseline-write ./*/*.jsonl
	exits 1 "$ROOT/.ci/transcripts" main
	sed 's/^\([^:]*:[0-9]*\).*\[\(.*\)\].*/\1 \2/' "$T/out" >got
	wrong | sed 1,2d >want
	same got want
	exits 0 ctx-count --max 40 --format text --baseline .known --baseline-write ./*/*.jsonl
	unset CTX_MIN
	exits 0 "$ROOT/.ci/transcripts" main
	silent
	say user q >>logs/secret.jsonl
	orphan >>logs/secret.jsonl
	commit
	exits 1 "$ROOT/.ci/transcripts" main
	has '^logs/secret.jsonl:3:1: error\[orphan-result\]' "$T/out"
	[ "$(wc -l <"$T/out")" -eq 1 ]
}

# A repository of ctx, as the steps clone it; they find ctx installed.
source_of_ctx() {
	[ -x "$BUILD/libexec/ctx-yaml" ] || skip "there is no libyaml"
	git init -q "$T/source"
	mkdir "$T/source/.ci"
	cp "$ROOT/.ci/transcripts" "$T/source/.ci"
	git -C "$T/source" add .ci
	git -C "$T/source" commit -q -m one
	git -C "$T/source" tag v1
	export RUNNER_TEMP=$T/runner TMPDIR=$T/tmp
	rm -rf "$RUNNER_TEMP"
	mkdir -p "$RUNNER_TEMP" "$TMPDIR"
}
steps() { python3 "$ROOT/tests/steps.py" "$BUILD/libexec/ctx-yaml" "$@"; }

# As steps of GitHub's, with these inputs.
on_github() {
	rm -rf "$RUNNER_TEMP/ctx"
	steps github "$ROOT/.github/workflows/transcripts.yml" \
	    "${event:-github.event.pull_request.base.sha}=$BASE" \
	    "inputs.source=file://$T/source" inputs.version=v1 "$@"
}

@test "ci: the workflow for GitHub annotates what is wrong" {
	source_of_ctx
	unset CTX_MAX CTX_MIN
	good_change
	exits 0 on_github inputs.max=40 inputs.min=20%
	lacks '^::' "$T/out"
	bad_change
	exits 1 on_github inputs.max=40 inputs.min=20%
	grep '^::' "$T/out" >got
	cat >want <<-X
	::error file=logs/secret.jsonl,line=1,col=26,title=leaked-secret::text contains a secret: stripe-key
	::error file=new logs/a%2Cb.jsonl,line=2,col=1,title=orphan-result::tool result does not answer an open call
	::error file=logs/long.jsonl,line=1,title=over-budget::45 tokens exceed the limit of 40
	::error file=logs/breaks.jsonl,line=1,title=cache-break::0 of 13 tokens are common, but --min needs 3
	X
	same got want
	# an input is no script, and no limit is none
	exits 0 on_github 'inputs.files=$(touch oops) *.jsonl; touch oops'
	[ ! -e oops ]
	exits 1 on_github
	[ "$(grep -c '^::' "$T/out")" -eq 2 ]
	exits 1 steps github "$ROOT/.github/workflows/transcripts.yml" inputs.source=x
	says 'the input version is required'
	# on a push; and without ctx
	event=github.event.before
	exits 1 on_github
	[ "$(grep -c '^::' "$T/out")" -eq 2 ]
	exits 128 on_github inputs.version=no-such-tag
	says '*no-such-tag*'
}

@test "ci: the job for GitLab makes one report" {
	source_of_ctx
	good_change
	job=("$ROOT/.gitlab/transcripts.yml" "CTX_SOURCE=file://$T/source"
	    CTX_VERSION=v1 "CI_MERGE_REQUEST_DIFF_BASE_SHA=$BASE")
	exits 0 steps gitlab "${job[@]}"
	[ "$(cat gl-code-quality-report.json)" = '[]' ]
	bad_change
	exits 1 steps gitlab "${job[@]}"
	jq -r '.[] | "\(.location.path):\(.location.lines.begin) \(.check_name)"' \
	    gl-code-quality-report.json >got
	wrong >want
	same got want
	[ "$(jq '[.[].fingerprint] | unique | length' gl-code-quality-report.json)" -eq 4 ]
	# and the log says it
	sed 's/ / /; s/$/: */; s/ \([a-z-]*\): /: \1: /' want >lines
	while read -r line; do
		says "$line"
	done <lines
	# the job uploads that file
	has -F 'codequality: gl-code-quality-report.json' "$ROOT/.gitlab/transcripts.yml"
	lacks -F "$KEY" gl-code-quality-report.json
}

@test "ci: pre-commit's hooks refuse a commit" {
	command -v pre-commit >/dev/null || skip "pre-commit is not there"
	export PRE_COMMIT_HOME=$T/cache
	git init -q "$T/hooks"
	cp "$ROOT/.pre-commit-hooks.yaml" "$T/hooks"
	git -C "$T/hooks" add -A
	git -C "$T/hooks" commit -q -m hooks
	cat >.pre-commit-config.yaml <<-X
	repos:
	- repo: $T/hooks
	  rev: $(git -C "$T/hooks" rev-parse HEAD)
	  hooks:
	  - id: ctx-check
	  - id: ctx-budget
	    args: [--max, '40']
	  - id: ctx-cache
	    args: ['20%']
	X
	git add .pre-commit-config.yaml
	good_change
	pre-commit install >/dev/null
	say assistant eight >>logs/grows.jsonl
	git add -A
	exits 0 git commit -m good
	exits 1 bad_change
	sed -n 's/^\([^:]*:[0-9]*\).*\[\([a-z-]*\)\]: .*/\1 \2/p' "$T/out" "$T/err" |
	    sort >got
	wrong | sort >want
	same got want
	lacks -F "$KEY" "$T/out" "$T/err"
	# what is not in the commit is not looked at
	git reset -q
	git checkout -q logs/grows.jsonl
	say assistant nine >>logs/grows.jsonl
	git add logs/grows.jsonl
	exits 0 git commit -m good
}

@test "ci: all hooks are for transcripts, and are tried here" {
	sed -n 's/^- id: //p' "$ROOT/.pre-commit-hooks.yaml" >ids
	printf '%s\n' ctx-check ctx-budget ctx-cache >want
	same ids want
	[ "$(grep -cF 'files: \.jsonl$' "$ROOT/.pre-commit-hooks.yaml")" -eq 3 ]
}
