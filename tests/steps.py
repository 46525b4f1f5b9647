#!/usr/bin/env python3
"""Run the steps of a workflow of GitHub's or of a job of GitLab's, here.

Usage: steps.py YAML github|gitlab FILE [NAME=VALUE ...]

YAML is the program ctx-yaml, which reads the file.  NAME=VALUE is what an
expression of GitHub's is, such as inputs.max, or a variable of GitLab's.  The
steps are run as the systems run them, in bash that stops at the first error;
steps that use actions are left out.  What this program does not know is an
error, so that nothing in the file is without effect.
"""
import json
import os
import re
import subprocess
import sys


def read(program, path):
    """The YAML as lists, dicts and strings."""
    with open(path, "rb") as file:
        data = file.read()
    said = subprocess.run([program], input=b"0%14d\n" % len(data) + data,
                          stdout=subprocess.PIPE, check=True).stdout
    if not said.startswith(b"0"):
        sys.exit("%s: %s" % (path, said[16:].decode()))
    return json.loads(said[16:])[0]


def only(what, names):
    """Does a dict have only these members?"""
    more = set(what) - set(names)
    if more:
        sys.exit("steps.py does not know " + ", ".join(sorted(more)))
    return what


def value(text, known):
    """Replace ${{ a.b || c.d }} by the first of them that is known."""
    def one(match):
        for name in match[1].split("||"):
            if known.get(name.strip()):
                return known[name.strip()]
        return ""
    return re.sub(r"\$\{\{(.*?)\}\}", one, text)


def shell(script, env):
    """Run a script; the process ends here if it fails."""
    code = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script],
                          env={**os.environ, **env}, check=False).returncode
    if code:
        sys.exit(code)


def github(doc, given):
    """All jobs of a workflow that others call."""
    only(doc, ("name", "on", "permissions", "jobs"))
    inputs = only(doc["on"], ("workflow_call",))["workflow_call"]["inputs"]
    known = dict(given)
    for name, about in inputs.items():
        only(about, ("description", "type", "required", "default"))
        if "inputs." + name not in known:
            if about.get("required") == "true":
                sys.exit("the input %s is required" % name)
            known["inputs." + name] = about["default"]
    for name in known:
        if name.startswith("inputs.") and name[7:] not in inputs:
            sys.exit("there is no input " + name[7:])
    for job in doc["jobs"].values():
        only(job, ("runs-on", "env", "steps"))
        env = {k: value(v, known) for k, v in job["env"].items()}
        for step in job["steps"]:
            only(step, ("name", "uses", "with", "run"))
            if "run" in step:
                if "${{" in step["run"]:
                    sys.exit("an expression in a script can be any script")
                shell(step["run"], env)


def gitlab(doc, given):
    """All jobs."""
    for job in doc.values():
        only(job, ("image", "rules", "variables", "before_script", "script",
                   "artifacts"))
        shell("\n".join(job["before_script"] + job["script"]),
              {**job["variables"], **given})


def main():
    """Read the file and run it."""
    program, system, path = sys.argv[1:4]
    given = dict(word.split("=", 1) for word in sys.argv[4:])
    {"github": github, "gitlab": gitlab}[system](read(program, path), given)


main()
