# ctx-store checkpoint put --state and fork --state: a state and its place in the
# log are recorded and restored together.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

store() { ctx-store "$@"; }
# sees JSON ARGS...: assert that state get ARGS writes this object.
sees() {
	exits 0 store state get "${@:2}"
	jq -cS . out >got
	printf '%s\n' "$1" >want
	same got want
}

@test "rollback: checkpoint put --state records the merged state" {
	echo '{"id":"m1"}' | store append --user ann S
	echo '{"u":1,"k":"user"}' | store state put --user ann
	echo '{"k":"thread","t":2}' | store state put S
	echo '{"c":3}' | store state put --level context S
	# Standard input is not read.
	exits 0 store checkpoint put --state --id one S <<<'not JSON'
	exits 0 store state get S
	cp out want
	exits 0 store checkpoint get S one
	[ "$(cat out)" = "$(cat want)" ]
	jq -cS . out | grep -qxF '{"c":3,"k":"thread","t":2,"u":1}'
	exits 0 store checkpoint list S
	[ "$(jq .upto_seq out)" = 1 ]
	# The same once more is the same checkpoint; another state is refused.
	exits 0 store checkpoint put --state --id one S
	echo '{"t":3}' | store state merge S
	exits 3 store checkpoint put --state --id one S
	says '*already exists with other contents*'
}

@test "rollback: fork --head --state brings back the log and the thread's state" {
	echo '{"id":"m1"}' | store append --user ann S
	echo '{"u":1}' | store state put --user ann
	echo '{"todo":["a","b"],"n":1}' | store state put S
	store checkpoint put --state --id start S
	echo '{"id":"m2"}' | store append S
	echo '{"todo":[],"n":2,"extra":true}' | store state merge S
	store checkpoint put --state --id later S
	exits 0 store fork --head --state --at start S
	sees '{"n":1,"todo":["a","b"],"u":1}' S
	# Nothing is stored twice: the user's member is still the user's.
	sees '{"n":1,"todo":["a","b"]}' --level thread S
	exits 0 store load S
	[ "$(cat out)" = '{"id":"m1"}' ]
	# What follows is seen, since the state is the thread's again.
	echo '{"n":5}' | store state merge S
	sees '{"n":5,"todo":["a","b"],"u":1}' S
	exits 0 store fork --head --state --at later S
	sees '{"extra":true,"n":2,"todo":[],"u":1}' S
	exits 0 store load S
	[ "$(wc -l <out)" = 2 ]
	exits 0 store check --full
}

@test "rollback: fork --state alone gives the new context a state, not the thread" {
	echo '{"id":"m1"}' | store append S
	echo '{"n":1,"same":"x"}' | store state put S
	store checkpoint put --state --id start S
	echo '{"n":2,"new":0}' | store state merge S
	exits 0 store fork --state --name try --at start S
	sees '{"n":1,"new":0,"same":"x"}' -c try S
	sees '{"n":1}' -c try --level context S
	sees '{"n":2,"new":0,"same":"x"}' S
	# Without --state the fork sees the thread's state, as before.
	exits 0 store fork --name plain --at start S
	sees '{"n":2,"new":0,"same":"x"}' -c plain S
}

@test "rollback: a subagent's state is its own" {
	echo '{"id":"m1"}' | store append S
	echo '{"thread":1}' | store state put S
	exits 0 store spawn --as name --task look S
	sub=$(cat out)
	echo '{"own":1}' | store state put "$sub"
	store checkpoint put --state --id start "$sub"
	exits 0 store checkpoint get "$sub" start
	[ "$(cat out)" = '{"own":1}' ]
	echo '{"own":2,"more":3}' | store state put "$sub"
	exits 0 store fork --state --name again --at start "$sub"
	sees '{"own":1}' -c again S
	sees '{"thread":1}' S
}

@test "rollback: a fork whose state cannot be restored changes nothing" {
	echo '{"id":"m1"}' | store append S
	echo '{"n":1}' | store state put S
	store checkpoint put --id none S </dev/null
	echo '[1,2]' | store checkpoint put --id list S
	store export >before
	exits 1 store fork --head --state --at none S
	says '*the checkpoint has no state'
	exits 3 store fork --head --state --at list S
	says '*a state must be a JSON object'
	exits 1 store fork --head --state --at missing S
	store export >after
	same after before
}

@test "rollback: any state that was recorded comes back, whatever came between" {
	cat >walk.py <<-'X'
	import json, random, subprocess, sys
	def run(*args, given=None):
	    p = subprocess.run([sys.argv[1], *args, '--db', 'db'], input=given, capture_output=True, text=True)
	    assert p.returncode == 0, (args, p)
	    return p.stdout
	r = random.Random(11)
	known, n = {}, 0
	run('append', 'S', given='{"id":"m0"}\n')
	for step in range(60):
	    what = r.choice(['merge', 'put', 'append', 'record', 'record', 'back'])
	    if what == 'merge':
	        run('state', 'merge', 'S', given=json.dumps({r.choice('abcd'): r.choice([None, 1, 2, [3], 'é'])}))
	    elif what == 'put':
	        run('state', 'put', 'S', given=json.dumps({r.choice('abcd'): r.randrange(9)}))
	    elif what == 'append':
	        n += 1
	        run('append', 'S', given='{"id":"m%d"}\n' % n)
	    elif what == 'record':
	        name = 'c%d' % step
	        run('checkpoint', 'put', '--state', '--id', name, 'S')
	        known[name] = json.loads(run('state', 'get', 'S')), run('load', 'S')
	    elif known:
	        name = r.choice(sorted(known))
	        run('fork', '--head', '--state', '--at', name, 'S')
	        assert (json.loads(run('state', 'get', 'S')), run('load', 'S')) == known[name], (step, name)
	run('check', '--full')
	X
	timeout 120 python3 walk.py "$BUILD/ctx-store"
}
