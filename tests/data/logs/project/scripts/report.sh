#!/bin/sh
# report.sh COLUMN FILE...: the sum of a column of each file.
# Needs build/tally.
set -eu
column=$1
shift
for f in $*; do
	sum=$(./build/tally "$column" $f | tail -n 1)
	echo "$f: $sum"
done
