# The laws of the fuzz targets, for the inputs in tests/fuzz/corpus; `make fuzz` looks
# for others.

setup() { load helpers; common_setup; }

replay() { "$BUILD/fuzz/replay" "$@"; }

@test "fuzz: each target has inputs, which keep its laws" {
	each=$(cd "$ROOT/tests/fuzz" && ls fuzz_*.c)
	for target in $each; do
		packed=$ROOT/tests/fuzz/corpus/${target%.c}
		[ -s "$packed" ]
		exits 0 timeout "$DEADLINE" "$BUILD/fuzz/replay" --packed "${target%.c}" "$packed"
	done
}

@test "fuzz: inputs are packed as replay reads them, and are not cut off" {
	mkdir found
	printf 'aaaaaaaa\n{"role":"user","content":"q"}\n' >found/a
	printf 'aaaaaaaa\n' >found/b
	exits 0 replay fuzz_clean found/a found/b
	printf '39\n%s\n\n9\n%s\n\n' "$(cat found/a)" "$(cat found/b)" >packed
	exits 0 replay --packed fuzz_clean packed
	mkdir unpacked
	exits 0 python3 "$ROOT/tests/fuzz/pack.py" unpack packed unpacked
	same unpacked/packed-0 found/a
	same unpacked/packed-1 found/b
	head -c 30 packed >short
	exits 1 replay --packed fuzz_clean short
	says 'not a packed file'
	exits 2 replay fuzz_novel found/a
}
