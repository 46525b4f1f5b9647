# report.sh must take names with spaces, and say when a file is missing.
set -u
failed=0
dir=build/report.test
mkdir -p "$dir"
cp data/weather.csv "$dir/plain.csv"
cp data/weather.csv "$dir/two words.csv"
got=$(sh scripts/report.sh 1 "$dir/plain.csv" "$dir/two words.csv" 2>/dev/null)
want="$dir/plain.csv: 7 rows, sum 112
$dir/two words.csv: 7 rows, sum 112"
if [ "$got" != "$want" ]; then
	failed=$((failed + 1))
	echo "FAIL: names with spaces: got:"
	echo "$got"
fi
if sh scripts/report.sh 1 "$dir/missing.csv" >/dev/null 2>&1; then
	failed=$((failed + 1))
	echo "FAIL: a missing file is no error"
fi
echo "report: $((2 - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
