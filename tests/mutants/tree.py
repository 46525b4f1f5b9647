# SPDX-License-Identifier: MIT
"""A copy of the source for experiments, so that the tree is not changed."""
import os
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
WORK = os.path.join(ROOT, "build", "mutants")


def run(argv, **more):
    return subprocess.run(argv, stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, errors="replace", **more)


def copy(to):
    """Copy to `to` what git tracks, or without git everything but build/."""
    r = run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"])
    names = r.stdout.split("\n")[:-1] if r.returncode == 0 else [
        os.path.relpath(os.path.join(d, f), ROOT)
        for d, _, fs in os.walk(ROOT) for f in fs
        if not os.path.relpath(d, ROOT).startswith("build")]
    wanted = set()
    for name in names:
        a, b = os.path.join(ROOT, name), os.path.join(to, name)
        if not os.path.isfile(a):
            continue
        wanted.add(b)
        if not os.path.exists(b) or os.stat(a).st_mtime != os.stat(b).st_mtime:
            os.makedirs(os.path.dirname(b), exist_ok=True)
            shutil.copy2(a, b)
    for d, _, fs in os.walk(to):
        if not os.path.relpath(d, to).startswith("build"):
            for f in fs:
                if os.path.join(d, f) not in wanted:
                    os.unlink(os.path.join(d, f))
