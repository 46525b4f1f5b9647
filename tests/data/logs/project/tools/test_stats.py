"""Tests of stats.py; prints one line, and one for each failure."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import stats

failed = 0
passed = 0


def check(what, got, want):
    global failed, passed
    if got == want:
        passed += 1
        return
    failed += 1
    print(f"FAIL: {what}: want {want}, got {got}")


check("mean of 1 2 3 4", stats.mean([1, 2, 3, 4]), 2.5)
check("median of 3 1 2", stats.median([3, 1, 2]), 2)
check("median of 4 1 3 2", stats.median([4, 1, 3, 2]), 2.5)
check("spread of 21 24 29 19 8 11", stats.spread([21, 24, 29, 19, 8, 11]), 21)
check("numbers of a column with an empty field",
      list(stats.numbers([["a", "1"], ["b", ""], ["c"], ["d", "2.5"]], 1)),
      [1.0, 2.5])
check("nothing to describe", stats.describe([]), "no numbers")
print(f"stats: {passed} passed, {failed} failed")
sys.exit(failed != 0)
