#!/bin/sh
# SPDX-License-Identifier: MIT
# Train the tiny SentencePiece models on languages.txt, and record what the
# library makes of tiny.strings:
#
#	sh pieces.sh FOLDER
#
# Needs Debian's sentencepiece and python3-sentencepiece, 0.1.97.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# A model holds the names of its files, so they are without a folder.
cd "$1"
cut -f 2 "$here/languages.txt" >lines

# Rules: A is a, line ends and other spaces are spaces, a soft hyphen is nothing,
# e and an accent are one character, and the ligature fi is two.
printf '%s\t%s\n' 41 61 A 20 9 20 A0 20 3000 20 AD '' '65 301' E9 FB01 '66 69' \
    >rules

train() {
	name=$1
	shift
	spm_train --input=lines --model_prefix="$name" --num_threads=1 \
	    --minloglevel=2 "$@"
	/usr/bin/python3 "$here/../../reference/vocab.py" "$name.model" \
	    <"$here/tiny.strings" >"$name.ref"
}

train pieces-scores --model_type=unigram --vocab_size=1200 \
    --normalization_rule_tsv=rules --character_coverage=0.98 \
    --user_defined_symbols='the,☃, x' --control_symbols='<c>'
train pieces-bytes --model_type=unigram --vocab_size=1500 --byte_fallback=true \
    --normalization_rule_name=identity --remove_extra_whitespaces=false \
    --character_coverage=0.98 --user_defined_symbols='▁▁'
train pieces-merges --model_type=bpe --vocab_size=1200 \
    --normalization_rule_tsv=rules --character_coverage=0.98 \
    --user_defined_symbols='the,☃,▁▁' --add_dummy_prefix=false
train pieces-llama --model_type=bpe --vocab_size=1500 --byte_fallback=true \
    --normalization_rule_name=identity --remove_extra_whitespaces=false \
    --character_coverage=0.98 --user_defined_symbols='▁▁,0,1'
