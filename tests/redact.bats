# ctx-clean --redact: what is falsely found in real texts.  What is found of each
# format is in tests/unit/test_redact.c and tests/data/redact.

setup() { load helpers; common_setup; }

# hits FILE...: the placeholders that redaction adds to plain text.
hits() {
	cat "$@" | sed 's/\[REDACTED:/[/g' >in
	exits 0 ctx-clean --text --redact <in
	grep -ao '\[REDACTED:[^]]*\]' out || true
}

@test "redact: finds nothing in other people's histories" {
	other_peoples
	for f in "${THEIRS[@]}"; do
		hits "$f"
	done >found
	[ ! -s found ] || fail "$(cat found)"
}

@test "redact: finds nothing in this tree's pages and sources" {
	find "$ROOT/cmd" "$ROOT/lib" "$ROOT/man" "$ROOT"/*.md -type f >list
	[ "$(xargs cat <list | wc -c)" -gt 2000000 ]
	while read -r f; do
		hits "$f"
	done <list >found
	[ ! -s found ] || fail "$(cat found)"
}

# Names that assign, in code and manifests, what is no secret.
@test "redact: leaves hashes and ids beside names of keys" {
	cat >in <<'END'
"apiKeyHash": "3f786850e387550fdab836ed7e6dc881de23001b"
src/auth/ApiKey.ts: 89e6c98d92887913cadf06b2adb97f26cde4849b
ApiKeyController.java = 2b66fd261ee5c6cfc8de7fa466bab600bcfe4f69
"RequestToken": "7f6c1a52-0b1e-4c39-9a53-28a1c2d94b10"
clientRequestToken=7f6c1a52-0b1e-4c39-9a53-28a1c2d94b10
tokenFingerprint: 2f1d6e0cbb3ae5c7d1f0a9b8c7d6e5f4
END
	exits 0 ctx-clean --text --redact <in
	same out in
}
