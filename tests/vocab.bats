# Vocabularies of other makers: tekken.json, and rank files with the files of their
# model beside them.  The ids are worked out by hand.

setup() { load helpers; common_setup; }

# ids WANT [OPTION...]: assert that the text in $T/in has these ids.
ids() {
	local want=$1

	shift
	exits 0 ctx-count --encode "$@" in
	quiet
	wrote "$want"
}

# Bytes a, b, 1, space, then ab and " a"; the ids are ranks and 3 special tokens.
tekken() {
	cat <<-END
	{"config": {"pattern": "[a-z]+| ?[^a-z]|\\\\s+", "num_vocab_tokens": 9,
	 "default_vocab_size": ${1:-9}, "default_num_special_tokens": ${2:-3},
	 "version": "v3"},
	 "vocab": [
	  {"rank": 0, "token_bytes": "YQ==", "token_str": "a"},
	  {"rank": 1, "token_bytes": "Yg==", "token_str": "b"},
	  {"rank": 2, "token_bytes": "MQ==", "token_str": "1"},
	  {"rank": 3, "token_bytes": "AA==", "token_str": "\u0000"},
	  {"rank": 4, "token_bytes": "YWI=", "token_str": "ab"},
	  {"rank": 5, "token_bytes": "IDE=", "token_str": " 1"},
	  {"rank": 6, "token_bytes": "YmE=", "token_str": "ba"}]${3:-}}
	END
}

@test "tekken: the first tokens of the list count, behind the special ones" {
	tekken >tekken.json
	# "ba" is beyond the size, so its letters count
	printf 'abba 1' >in
	ids '[7,4,3,8]' -e ./tekken.json
	exits 0 ctx-count --prepare tekken.json t.ctxv
	ids '[7,4,3,8]' -e ./t.ctxv
	printf '%s\n' '[7,4,3,8]' >in
	exits 0 ctx-count --decode -e ./t.ctxv in
	printf 'abba 1' >want
	same out want
}

@test "tekken: where the pattern gives up on a text, the next one counts as alone" {
	local text=ab1ba1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab how

	printf '%s' $text >bad
	printf ab1 >good
	tekken | sed 's/"\[a-z\]+/"(?:a+)+1|[a-z]+/' >tekken.json
	for how in --text '--text -j 2' '--text --special'; do
		about "$how"
		# shellcheck disable=SC2086
		exits 4 ctx-count $how -e ./tekken.json bad good
		says "ctx-count: bad: split pattern gave up *"
		has '^ *2 .* good$' out
	done
	exits 4 ctx-count --encode -e ./tekken.json bad good
	wrote '[7,5]'
	jq -cn --arg s $text '{role:"user",content:$s}' >bad
	jq -cn '{role:"user",content:"ab1"}' >good
	exits 0 ctx-count -e ./tekken.json good
	mv out want
	exits 4 ctx-count -e ./tekken.json bad good
	same out want
}

@test "tekken: special tokens are found on request, the old ones by their names" {
	tekken >tekken.json
	printf 'ab</s>1' >in
	exits 0 ctx-count --encode --special -e ./tekken.json in
	wrote '[7,2,5]'
	tekken 9 3 ', "special_tokens": [
	    {"rank": 0, "token_str": "<x>", "is_control": true}]' >tekken.json
	printf 'ab<x>1<SPECIAL_2>' >in
	exits 0 ctx-count --encode --special -e ./tekken.json in
	wrote '[7,0,5,2]'
}

@test "tekken: what is missing or wrong is said" {
	local each i

	printf a >in
	each=(
	    "$(tekken 99)" "*its number of tokens, 99, does not fit its list"
	    "$(tekken 3)" "*its number of tokens, 3, does not fit its list"
	    "$(tekken 99999999999)" "*does not fit its list"
	    "$(tekken 9 -1)" "*does not fit its list"
	    "$(tekken | sed 's/YWI=/YWI/')" "*token 4 has no bytes in base64"
	    "$(tekken | sed 's/YWI=//')" "*token 7 has a length of 0 bytes"
	    "$(tekken | sed 's/"rank": 1/"rank": 4/')" "*token 1 is not in the order of its rank"
	    "$(tekken | sed 's/a-z/a-z\&\&b/')" "*has '&&'*"
	    "$(tekken | sed 's/| ?/|b$|/')" "*has '\$', which is not supported"
	    "$(tekken | sed 's/"pattern"/"p"/')" "*it has no pattern"
	    "$(tekken 8 1 ',"special_tokens":[{"rank":0,"token_str":"a"},{}]')" "*more than 1 special tokens"
	    "$(tekken 9 3 ',"special_tokens":[{"rank":1,"token_str":"a"}]')" "*special token 0 has no text*"
	)
	for ((i = 0; i < ${#each[@]}; i += 2)); do
		about "${each[i + 1]}"
		printf '%s\n' "${each[i]}" >tekken.json
		exits 4 ctx-count --encode -e ./tekken.json in
		says "ctx-count: ./tekken.json: ${each[i + 1]}"
	done
	exits 2 ctx-count --prepare tekken.json --split qwen x.ctxv
}

# A rank file in a folder with the files of its model: $1 is the Python text.
model() {
	mkdir -p m
	printf '%s\n' 'YQ== 0' 'Yg== 1' 'MQ== 2' 'YWI= 3' 'YmE= 4' 'MTE= 5' \
	    >m/x.tiktoken
	cat >m/tokenizer_config.json <<-'END'
	{"added_tokens_decoder": {"6": {"content": "<b>", "special": true},
	                          "9": {"content": "</b>", "special": false}},
	 "auto_map": {"AutoTokenizer": ["tokenization_x.XTokenizer", null]}}
	END
	printf '%s\n' "$1" >m/tokenization_x.py
}

@test "rank files: the Python module beside one says how text is split" {
	local each py

	printf 'abba11' >in
	each=('PAT_STR = r"""[a]|b+|\d"""'
	    "    pat_str: str = r'[a]|b+|\\d'  # as it was"
	    'pat_str = (r"[a]|" # one
	        r"b+|"
	        "1")'
	    'class X:
	    # pat_str = r"1+"
	    pat_str = "|".join(
	        [
	            r"""[a]""",
	            r"""b+""",   # more
	            "1",
	        ]
	    )')
	for py in "${each[@]}"; do
		about "$py"
		model "$py"
		ids '[0,1,1,0,2,2]' -e m/x.tiktoken
	done
	printf 'ab<b>b</b>' >in
	exits 0 ctx-count --encode --special -e m/x.tiktoken in
	wrote '[0,1,6,1,9]'
	# what is said on the command line wins
	exits 0 ctx-count --prepare m/x.tiktoken --split '[ab1]+' x.ctxv
	printf 'abba11' >in
	ids '[3,4,5]' -e ./x.ctxv
}

@test "rank files: without a pattern that can be read, the way out is said" {
	local py
	local remedy="*how it splits text is not known; put it beside the tokenizer_config.json and the Python module of its model, or prepare it with --split o200k*"

	printf a >in
	for py in 'pat = "a"' 'PAT_STR = "\\p{L}"' 'PAT_STR = r"a" + B' \
	    'PAT_STR = f"a"' 'PAT_STR = r"a' 'PAT_STR == r"a"' \
	    'pat_str = "|".join([r"a", B])' 'pat_str = "|".join([r"a"'; do
		about "$py"
		model "$py"
		exits 4 ctx-count --encode -e m/x.tiktoken in
		says "ctx-count: m/x.tiktoken: $remedy"
	done
	model 'PAT_STR = r"a$"'
	exits 4 ctx-count --encode -e m/x.tiktoken in
	says "*m/x.tiktoken: its split pattern has '\$', which is not supported, from the Python module beside it; prepare it with --split"
	rm m/tokenization_x.py
	exits 4 ctx-count --encode -e m/x.tiktoken in
	says "ctx-count: m/x.tiktoken: $remedy"
	model 'PAT_STR = r"a"'
	echo '{"added_tokens_decoder": {"x": {"content": "a"}}}' >m/tokenizer_config.json
	exits 4 ctx-count --encode -e m/x.tiktoken in
	says "*m/x.tiktoken: its tokenizer_config.json: an added token is not valid"
}

# piece_model [NAME=VALUE...] PIECE...: write it to x.model.
piece_model() { python3 "$ROOT/tests/pieces.py" "$@" >x.model; }

@test "sentencepiece: BPE merges by score, the leftmost pair first" {
	# 0 unknown, 1 a space, 2 a, 3 b, 4 "ab", 5 "aa", 6 " a"
	piece_model model=2 prefix=1 '<unk>:0:2' ▁:-9 a:-9 b:-9 ab:-1 aa:-2 ▁a:-3
	printf 'aab aaa a' >in
	ids '[6,4,1,5,2,6]' -e ./x.model
	piece_model model=2 prefix=0 '<unk>:0:2' ▁:-9 a:-9 b:-9 ab:-2 aa:-1 ▁a:-3
	ids '[5,3,1,5,2,6]' -e ./x.model
	# unknown characters in a row are one token, also fed in parts
	printf 'aéé é\tb' >in
	ids '[2,0,1,0,3]' -e ./x.model
	exits 0 ctx-count --text -e ./x.model in
	has '^ *5 ' out
	exits 0 ctx-count --prepare x.model x.ctxv
	ids '[2,0,1,0,3]' -e ./x.ctxv
}

@test "sentencepiece: Unigram takes the highest sum, and spaces as the model says" {
	# "abc": a+bc = -5, ab+c = -4.5, abc = -4.75
	local pieces=('<unk>:0:2' ▁:-1 a:-2 b:-2 c:-2 bc:-3 ab:-2.5 abc:-4.75)

	piece_model prefix=0 "${pieces[@]}"
	printf '  abc  abc ' >in
	ids '[6,4,1,6,4]' -e ./x.model
	piece_model trim=0 "${pieces[@]}"
	ids '[1,1,1,6,4,1,1,6,4,1]' -e ./x.model
	# of equal sums the one that is found first stays: ab, from the first letter
	piece_model prefix=0 '<unk>:0:2' ▁:-1 a:-2 b:-2 ab:-4
	printf ab >in
	ids '[4]' -e ./x.model
	# a user-defined piece wins whatever its score is
	piece_model prefix=0 '<unk>:0:2' ▁:-1 a:-2 b:-2 ab:-99:4
	ids '[4]' -e ./x.model
	# control pieces are text, unless they are asked for
	piece_model prefix=0 '<unk>:0:2' '<s>:0:3' a:-2 s:-2
	printf 'a<s>' >in
	ids '[2,0,3,0]' -e ./x.model
	exits 0 ctx-count --encode --special -e ./x.model in
	wrote '[2,1]'
}

@test "sentencepiece: what cannot be read is said" {
	local bytes=() each i

	for ((i = 0; i < 256; i++)); do
		bytes+=("$(printf '<0x%02X>:0:6' "$i")")
	done
	printf a >in
	each=(
	    "model=3 <unk>:0:2 a" "its model is of type 3, but only 1*"
	    "suffix=1 <unk>:0:2 a" "its spaces come after words*"
	    "map=ff000000 <unk>:0:2 a" "the model is damaged"
	    "a b" "it has no piece for what is unknown"
	    "<unk>:0:2 <unk>:0:2" "it has two pieces for what is unknown"
	    "<unk>:0:2 a:nan" "piece 1 is not valid"
	    "<unk>:0:2 a:0:7" "piece 1 is not valid"
	    "<unk>:0:2 a:0:6" "piece 1 is not a byte"
	    "bytes=1 <unk>:0:2 ▁ a" "not all bytes are pieces of it"
	    "bytes=1 <unk>:0:2 a ${bytes[*]}" "it has no piece for a space, which is not supported"
	    "model=2 <unk>:0:2 a" "it has no piece for a space, which is not supported"
	    "model=2 <unk>:0:2 ▁ a:-1 b:-2 ab:-3 ba:-3" "pieces 4 and 5 have the same score*use the model's tokenizer.json"
	    "model=2 <unk>:0:2 ▁ a:-1 ab:-3" "piece 3 has a character that is no piece*"
	    "model=2 <unk>:0:2 ▁ a:-1:5" "it has pieces that are not used*"
	)
	for ((i = 0; i < ${#each[@]}; i += 2)); do
		about "${each[i + 1]}"
		# shellcheck disable=SC2086
		piece_model ${each[i]}
		exits 4 ctx-count --encode -e ./x.model in
		says "ctx-count: ./x.model: ${each[i + 1]}"
	done
	exits 2 ctx-count --prepare x.model --split qwen x.ctxv
}

@test "sentencepiece: a model cut anywhere is refused or read, and nothing else" {
	local n rc size

	cp "$DATA/token/pieces-scores.model" whole
	size=$(wc -c <whole)
	printf 'the ﬁ Aé' >in
	for ((n = 2; n < size; n += size / 60)); do
		head -c "$n" whole >x.model
		rc=0
		timeout "$DEADLINE" ctx-count --encode -e ./x.model in >out 2>err || rc=$?
		about "$n bytes: exit $rc, $(head -c 200 err)"
		case $rc in 0 | 4) ;; *) fail "it did not end well" ;; esac
	done
}

# A vocab.txt in m, a token an argument; what it means is in the last test.
words() { mkdir -p m; printf '%s\n' '[PAD]' '[UNK]' '[CLS]' "$@" >m/vocab.txt; }

@test "wordpiece: a word is its longest beginning, then what continues it" {
	# 3 un, 4 unable, 5 ##a, 6 ##able, 7 ##ab, 8 !, 9 中, 10 a
	words un unable '##a' '##able' '##ab' '!' 中 a
	printf 'unab unable! unaxe  UNABLE' >in
	# unaxe ends in what is no token, so all of it is unknown
	ids '[3,7,4,8,1,4]' -e m/vocab.txt
	exits 0 ctx-count --prepare m/vocab.txt t.ctxv
	ids '[3,7,4,8,1,4]' -e ./t.ctxv
	exits 0 ctx-count --text -e ./t.ctxv in
	has '^ *6 ' out
	# accents go, Chinese characters are words, a control character is nothing
	printf 'ünáb a中中\001a [CLS]' >in
	ids '[3,7,10,9,9,10,1,1,1]' -e m/vocab.txt
	exits 0 ctx-count --encode --special -e m/vocab.txt in
	wrote '[3,7,10,9,9,10,2]'
	# a word of more than 100 characters
	printf 'un%099d un%s' 0 "$(printf 'a%.0s' {1..98})" >in
	ids "[1,3$(printf ',5%.0s' {1..98})]" -e m/vocab.txt
}

@test "wordpiece: capitals are kept if a token has one, or the file beside says so" {
	words Un un '##ab' é
	printf 'Unab unab é' >in
	ids '[3,5,4,5,6]' -e m/vocab.txt
	echo '{"do_lower_case": true, "strip_accents": false}' >m/tokenizer_config.json
	ids '[4,5,4,5,6]' -e m/vocab.txt
	echo '{"do_lower_case": true}' >m/tokenizer_config.json
	ids '[4,5,4,5,1]' -e m/vocab.txt
	echo '{' >m/tokenizer_config.json
	exits 4 ctx-count --encode -e m/vocab.txt in
	says "ctx-count: m/vocab.txt: m/tokenizer_config.json: *"
}

@test "wordpiece: what cannot be read is said" {
	printf a >in
	mkdir m
	printf 'a\nb\n' >m/vocab.txt
	exits 4 ctx-count --encode -e m/vocab.txt in
	says "ctx-count: m/vocab.txt: it has no token \[UNK\], so it is no vocabulary of WordPiece"
	sed 's/BertPreTokenizer/Metaspace/' "$DATA/token/words.json" >x.json
	exits 4 ctx-count --encode -e ./x.json in
	sed 's/"BertPreTokenizer"/"ByteLevel"/; s/"BertNormalizer"/"NFC"/' \
	    "$DATA/token/words.json" >x.json
	exits 4 ctx-count --encode -e ./x.json in
	says "*supported only with 'BertPreTokenizer'"
	sed 's/"prefix":"##"/&/; s/subword_prefix":"##"/subword_prefix":"@"/' \
	    "$DATA/token/words.json" >x.json
	exits 4 ctx-count --encode -e ./x.json in
	says "*another mark than '##'*"
}

# unigram NORMALIZER PRE_TOKENIZER [BEFORE VOCAB]: write x.json.  "abc" is a+bc =
# -5, ab+c = -4.5 or abc = -4.75.
SPACES='{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true}'
VOCAB='["<unk>",0],["▁",-1],["a",-2],["b",-2],["c",-2],["bc",-3],["ab",-2.5],["abc",-4.75],["▁a",-2.75]'
unigram() {
	cat >x.json <<-END
	{"version": "1.0", "added_tokens": [{"id": 9, "content": "<m>", "special":
	 true, "lstrip": true, "rstrip": false, "single_word": false, "normalized":
	 false}], "normalizer": $1, "pre_tokenizer": $2, "post_processor": null,
	 "decoder": $SPACES, "model": {${3-"\"type\":\"Unigram\",\"unk_id\":0"},
	 "vocab": [${4-$VOCAB}]}}
	END
}

# steps STEP...: a list of normalizers
steps() {
	local IFS=,

	printf '{"type":"Sequence","normalizers":[%s]}' "$*"
}

@test "unigram: the highest sum wins in each piece" {
	unigram null "$SPACES"
	printf 'abc  abc' >in
	ids '[1,6,4,1,1,6,4]' -e ./x.json
	exits 0 ctx-count --prepare x.json x.ctxv
	ids '[1,6,4,1,1,6,4]' -e ./x.ctxv
	exits 0 ctx-count --text -e ./x.ctxv in
	has '^ *7 ' out
	# what is unknown is one token in each piece
	printf 'éöabé é' >in
	ids '[1,0,6,0,1,0]' -e ./x.json
	printf 'ab <m>c' >in
	exits 0 ctx-count --encode --special -e ./x.json in
	wrote '[1,6,9,1,4]'
	# an unknown character is 10 worse than the worst token
	unigram null "$SPACES" '"unk_id":0' "${VOCAB/abc/abd}"
	printf 'abd ad' >in
	ids '[1,7,8,0]' -e ./x.json
	# early files do not name the type
	unigram null "$SPACES" '"unk_id": 0'
	printf 'ab' >in
	ids '[1,6]' -e ./x.json
	unigram null "${SPACES/always/never}"
	ids '[6]' -e ./x.json
	unigram null "${SPACES/always/first}"
	printf 'ab<m>ab' >in
	exits 0 ctx-count --encode --special -e ./x.json in
	wrote '[1,6,9,6]'
	printf '[1,6,4,1,6]\n' >in
	exits 0 ctx-count --decode -e ./x.json in
	printf 'abc ab' >want
	same out want
}

@test "unigram: -j does not divide what is unknown, which is one token" {
	unigram null null
	# tokens that take in white space keep a text whole
	sed 's/"lstrip": true/"lstrip": false/' x.json >y.json
	yes Q | head -n 100000 >in
	exits 0 ctx-count --text -j 3 -e ./y.json in
	has '^ *1 ' out
}

@test "unigram: normalizers are steps in their order" {
	local runs='{"type":"Replace","pattern":{"Regex":" {2,}"},"content":"▁"}'
	local right='{"type":"Strip","strip_left":false,"strip_right":true}'
	local a='{"type":"Replace","pattern":{"String":"xx"},"content":"a"}'

	unigram "$(steps "$right" "$runs")" "$SPACES"
	printf '  abc   abc \t\n' >in
	ids '[1,6,4,1,6,4]' -e ./x.json
	unigram "$(steps '{"type":"Lowercase"}' '{"type":"NFKD"}' \
	    '{"type":"StripAccents"}')" "$SPACES"
	printf 'ÁＢ\xcc\x81' >in
	ids '[1,6]' -e ./x.json
	unigram "$(steps '{"type":"Nmt"}' "$a")" "$SPACES"
	printf 'xxx\1x\tx\177b' >in
	# "aa xb": a, a, then x is unknown
	ids '[8,2,1,0,3]' -e ./x.json
	unigram null "{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"WhitespaceSplit\"},$SPACES]}"
	printf ' \n abc\xe3\x80\x80abc \xe2\x96\x81a<m> b ' >in
	ids '[1,6,4,1,6,4,8,0,1,3]' -e ./x.json
	exits 0 ctx-count --encode --special -e ./x.json in
	wrote '[1,6,4,1,6,4,8,9,1,3]'
}

# spm_precompiled's normalize_string: the first rule that fits the beginning of a
# cluster of less than 6 bytes replaces all of it.
@test "unigram: the rules of Precompiled replace clusters" {
	local f=$DATA/token/uni-words.json each i

	each=('A\xcc\x81b' 'ab'			# A is a
	    'A\xcc\x81\xcc\x81b' 'ab'
	    'A\xcc\x81\xcc\x81\xcc\x81b' 'a\xcc\x81\xcc\x81\xcc\x81b'
	    'e\xcc\x81' '\xc3\xa9'
	    '\xef\xac\x81\xcc\x81n' 'fin'		# the ligature fi
	    'A\n\xcc\x81b' 'a\n\xcc\x81b')	# no cluster
	for ((i = 0; i < ${#each[@]}; i += 2)); do
		about "${each[i]}"
		# shellcheck disable=SC2059
		printf "${each[i]}" >in
		exits 0 ctx-count --encode -e "$f" in
		mv out want
		# shellcheck disable=SC2059
		printf "${each[i + 1]}" >in
		exits 0 ctx-count --encode -e "$f" in
		same out want
	done
}

@test "unigram: what cannot be reproduced is named" {
	local each i
	local split="{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"WhitespaceSplit\"},"
	local type='"type":"Unigram",'
	local mark='{"type":"Replace","pattern":{"String":" "},"content":"▁"}'

	printf a >in
	each=(
	    '{"type":"X"}' "$SPACES" "" "$VOCAB" "its normalizer 'X' is not supported"
	    '{"type":"Replace","pattern":{"Regex":"a+"},"content":""}' "$SPACES" "" "$VOCAB" "its normalizer 'Replace' of 'a+' is not supported"
	    "$(steps '{"type":"Lowercase"}' '{"type":"ByteLevel"}')" "$SPACES" "" "$VOCAB" "its normalizer 'ByteLevel' is not supported"
	    '{"type":"Precompiled","precompiled_charsmap":"AAAA"}' "$SPACES" "" "$VOCAB" "the map of its normalizer 'Precompiled' is damaged"
	    "$(steps '{"type":"Lowercase"}' "$mark" '{"type":"Nmt"}')" null "" "$VOCAB" "its normalizer 'Nmt' after 'Replace' of spaces is not supported"
	    '{"type":"Nmt"}' "${SPACES/always/first}" "" "$VOCAB" "its pre-tokenizer 'Metaspace' with 'first' is not supported after a normalizer that removes characters"
	    null '{"type":"WhitespaceSplit"}' "" "$VOCAB" "its pre-tokenizer 'WhitespaceSplit' is not supported"
	    null "$split${SPACES/always/never}]}" "" "$VOCAB" "its pre-tokenizer 'WhitespaceSplit' is supported only before 'Metaspace' that puts a space before each word"
	    null '{"type":"Whitespace"}' "" "$VOCAB" "its pre-tokenizer 'Whitespace' is not supported"
	    null '{"type":"Digits","individual_digits":true}' "" "$VOCAB" "its pre-tokenizer is not supported with the model 'Unigram'"
	    null "$SPACES" '"unk_id":null' "$VOCAB" "its model has no token for what is unknown ('unk_id')"
	    null "$SPACES" '"unk_id":9' "$VOCAB" "its model has no token for what is unknown ('unk_id')"
	    null "$SPACES" '"unk_id":0' '["a",11]' "its scores are all above 10, which is not supported"
	    null "$SPACES" '"unk_id":0' '["a",1],["a",2]' "token 1, 'a', is also another one, which is not supported"
	    null "$SPACES" '"unk_id":0' '["a",1],["",2]' "token 1 is not valid"
	    null "$SPACES" '"unk_id":0' '["a",1],["b"]' "token 1 is not valid"
	    null "$SPACES" '"unk_id":0' '' "its model has no tokens, or too many"
	    null "$SPACES" '"unk_id":0,"byte_fallback":true' "$VOCAB" "it has no token for byte 0x00"
	    "$(steps $(for i in {1..17}; do echo '{"type":"NFC"}'; done) '{"type":"Lowercase"}')" "$SPACES" "" "$VOCAB" "its normalizer has more than 16 steps"
	)
	for ((i = 0; i < ${#each[@]}; i += 5)); do
		about "${each[i + 4]}"
		unigram "${each[i]}" "${each[i + 1]}" \
		    "$type${each[i + 2]:-\"unk_id\":0}" "${each[i + 3]}"
		exits 4 ctx-count --encode -e ./x.json in
		says "ctx-count: ./x.json: ${each[i + 4]}"
	done
}
