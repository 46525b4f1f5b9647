#!/bin/sh
# SPDX-License-Identifier: MIT
# make.sh CTX-STORE VERSION: with a program that writes schema VERSION, make
# vVERSION.db.gz, a store with a row of every kind, and vVERSION.jsonl, the
# program's export of it, in this folder.  This is done once for each version,
# when it is released.
set -eu

store=$1 out=$(cd "$(dirname "$0")" && pwd)/v$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export CTX_DB="$tmp/db" CTX_WORKSPACES="$tmp/w"
s() { "$store" "$@"; }

{
	echo '{"role":"system","content":"be brief"}'
	echo '{"id":"m1","role":"user","content":"上下文管理 and sessions, n 1.10"}'
	echo '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a.py\"}"}}]}'
	printf '{"role":"tool","tool_call_id":"c1","content":"%06000d katy"}\n' 7
	printf '{"role":"assistant","content":"caf\303\251"}\r\n'
} | s append --view seen S
s append --no-index S <<'X'
{"role":"user","content":"not indexed yet"}
X
s append -c try --parent main@3 S <<'X'
{"role":"user","content":"another way"}
X
s load S | s view put S model
echo '{"step":1,"scratchpad":[],"pending_action":{"tool":"rm"}}' |
    s checkpoint put --id one --meta '{"by":"hand"}' S >/dev/null
echo '{"step":2,"scratchpad":["x"],"pending_action":null}' |
    s checkpoint put --id two S >/dev/null
s fork --head --at one S >/dev/null
echo '{"user_id":"ann","todos":[{"text":"t","done":false}],"loops":3}' |
    s state merge S
echo '{"theme":"dark","n":1.50}' | s state merge --user ann
echo '{"k":"context"}' | s state merge -c try S
agent=$(s spawn S --task 'find it' --call c2 | cut -d '"' -f 4)
echo '{"role":"assistant","content":"found"}' | s append "S/$agent"
echo '{"summary":"so far","summary_token_count":2,"summarized_turn_count":1,"upto":2,"upto_sha256":"0"}' |
    s summary put -c main S
echo 'what I know' | s memory put --turn 1 --summary 'turn one' --insight 'x is y' S >/dev/null
echo 'what I know now' | s memory put --turn 2 --name later --link ctx_1 S >/dev/null
echo 'print(1)' | s code put --syntax python --desc 'prints' S code_1 >/dev/null
echo 'print(2)' | s code put --syntax python S code_1 >/dev/null
echo '{"role":"user","content":"pinned"}' | s append P
s keep P
sqlite3 "$tmp/lg" <<'X'
CREATE TABLE checkpoints(thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB);
CREATE TABLE writes(thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, task_id TEXT, idx INTEGER, channel TEXT, type TEXT, value BLOB);
INSERT INTO checkpoints VALUES('lg','','1',NULL,'json','{"v":1}','{"step":0}'),('lg','','2','1','msgpack',x'81a17602',x'7b7d');
INSERT INTO writes VALUES('lg','','2','task',0,'messages','json','"x"');
X
s import -q --from langgraph "$tmp/lg"
s check -q --full
s export >"$out.jsonl"
s vacuum -q
gzip -9n <"$CTX_DB" >"$out.db.gz"
