# What is too large for 32 bits: files of more than 2 and 4 GB, and times after 2038.

setup() {
	BATS_TEST_DIRNAME=${BATS_TEST_DIRNAME%/machines}
	load helpers
	common_setup
}

# sparse FILE GIB: make a file of so many GiB that takes no space.
sparse() {
	printf 'some text\n' >"$1"
	python3 -c 'import os, sys
os.truncate(sys.argv[1], int(sys.argv[2]) << 30)' "$1" "$2"
}

@test "large: a file of 5 GB is digested as a whole, or refused" {
	local program=$BUILD/ctx-digest-files

	# in an emulator, a script runs it
	[ ! -e "$BUILD/emulated" ] || program=$BUILD/../ctx-digest-files
	sparse big.txt 5
	case $(od -An -tu1 -j4 -N1 "$program" | tr -d ' ') in
	1)	# a program of 32 bits
		exits 4 ctx-digest-files big.txt
		said 'ctx-digest-files: big.txt: larger than what this machine can address' ;;
	*)	exits 0 ctx-digest-files big.txt
		wrote '[file read] big.txt (binary, 5GB)' ;;
	esac
}

@test "large: a file of more than 2 GB is opened" {
	sparse big.jsonl 3
	# NULs are not JSON, which it finds out by reading
	exits 3 ctx-count -q big.jsonl
	says 'ctx-count: big.jsonl:1*'
}

@test "large: a file that is from 2040 is read and edited in place" {
	printf '%s\n' '{"role":"user","content":"Hi"}' >in
	touch -d 2040-01-01T00:00:00 in
	exits 0 ctx-digest-files in
	exits 0 ctx-clean -i in
	exits 0 ctx-store --db db append s in
	exits 0 ctx-store --db db load s
	same out in
}
