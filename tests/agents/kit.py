# SPDX-License-Identifier: MIT
"""The agents that tests/agents/run plays, each with a home of its own.

An agent's kit knows its settings, the commands that start and resume it, and the
session file.  Nothing of the user's environment or home reaches an agent.
"""
import glob
import json
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 240               # for one command of an agent


class Agent:
    name = package = program = ""
    dialect = ""            # of its sessions, as ctx names it
    lines = True            # is its session a file of lines?
    settings, files = "", ""
    env = {}

    def __init__(self, work, node):
        self.node = node
        self.root = os.path.join(work, "tally")
        self.home = os.path.join(work, "home")
        self.bin = os.path.join(node, ".bin")

    def version(self):
        with open(os.path.join(self.node, self.package, "package.json"),
                  encoding="utf-8") as f:
            return json.load(f)["version"]

    def write(self, path, text):
        path = os.path.join(self.home, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def configure(self, url):
        self.url = url
        self.write(self.settings, self.config(url))

    def run(self, *args, out=None):
        env = {"PATH": self.bin + ":/usr/local/bin:/usr/bin:/bin", "HOME": self.home,
               "LANG": "C.UTF-8", "TERM": "xterm", "CI": "1", "NO_COLOR": "1",
               **{k: v.replace("URL", self.url) for k, v in self.env.items()}}
        return subprocess.run([os.path.join(self.bin, self.program), *args],
                              cwd=self.root, env=env, stdin=subprocess.DEVNULL,
                              stdout=out or subprocess.PIPE,
                              stderr=subprocess.DEVNULL if out else subprocess.STDOUT,
                              timeout=SECONDS, check=False)

    def prompt(self, text, resume):
        """Run the prompt in a new session, or in the last one."""
        return self.run(*self.command(text, resume))

    def asks(self, text):
        """The prompt as it is sent."""
        return text

    def session(self):
        """The session's file."""
        found = glob.glob(os.path.join(self.home, self.files), recursive=True)
        if len(found) != 1:
            raise RuntimeError("%s: %d session files" % (self.name, len(found)))
        return found[0]

    def save(self, to):
        """Write the session to a file."""
        shutil.copy(self.session(), to)

    def place(self, path):
        """Put a file where the session is, or where it is imported from."""
        shutil.copyfile(path, self.session())
        return self.session()

    def load(self, path):
        """Take what place returned as the session."""


class Codex(Agent):
    name, package, program = "Codex", "@openai/codex", "codex"
    dialect = "codex"
    settings = ".codex/config.toml"
    files = ".codex/sessions/**/rollout-*.jsonl"
    env = {"STUB_KEY": "x"}

    def config(self, url):
        return """\
model = "gpt-5.5"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.stub]
name = "stub"
base_url = "%s/v1"
env_key = "STUB_KEY"
wire_api = "responses"
[analytics]
enabled = false
""" % url

    def command(self, text, resume):
        return ["exec", "--json"] + (["resume", "--last"] if resume else []) + [text]


class GeminiCLI(Agent):
    name, package, program = "Gemini CLI", "@google/gemini-cli", "gemini"
    dialect = "gemini-cli"
    settings = ".gemini/settings.json"
    files = ".gemini/tmp/*/chats/session-*.jsonl"
    env = {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": "URL"}

    def config(self, url):
        return json.dumps({
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False}, "general": {"enableAutoUpdate": False}})

    def session(self):
        """The longest file: a start in another minute leaves one with the id of the
        session and what the agent says first, and the session goes on in the old."""
        return max(glob.glob(os.path.join(self.home, self.files)),
                   key=os.path.getsize)

    def command(self, text, resume):
        return ["--skip-trust", "-y", "-m", "gemini-2.5-pro", "-o", "json"] + \
            (["--resume", "latest"] if resume else []) + ["-p", text]


class QwenCode(Agent):
    name, package, program = "Qwen Code", "@qwen-code/qwen-code", "qwen"
    dialect = "qwen-code"
    settings = ".qwen/settings.json"
    files = ".qwen/projects/*/chats/*.jsonl"
    env = {"OPENAI_API_KEY": "x", "OPENAI_MODEL": "qwen3-coder-plus",
           "OPENAI_BASE_URL": "URL/v1"}

    def config(self, url):
        return json.dumps({"security": {"auth": {"selectedType": "openai"}},
                           "privacy": {"usageStatisticsEnabled": False},
                           "telemetry": {"enabled": False}})

    def command(self, text, resume):
        return ["-y", "-o", "json"] + (["--continue"] if resume else []) + [text]


class Pi(Agent):
    name, package, program = "pi", "@mariozechner/pi-coding-agent", "pi"
    dialect = "pi"
    settings = ".pi/agent/models.json"
    files = ".pi/agent/sessions/*/*.jsonl"

    def config(self, url):
        free = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
        return json.dumps({"providers": {"stub": {
            "baseUrl": url, "api": "anthropic-messages", "apiKey": "x", "models": [
                {"id": "stub-model", "name": "stub", "reasoning": True,
                 "input": ["text"], "contextWindow": 200000, "maxTokens": 8000,
                 "cost": free}]}}})

    def command(self, text, resume):
        return ["--offline", "--provider", "stub", "--model", "stub-model",
                "--thinking", "low"] + (["-c"] if resume else []) + ["-p", text]


class OpenCode(Agent):
    name, package, program = "OpenCode", "opencode-ai", "opencode"
    dialect = "opencode"
    lines = False
    settings = ".config/opencode/opencode.json"
    env = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}
    id = ""

    def config(self, url):
        return json.dumps({
            "autoupdate": False, "share": "disabled", "permission": {"*": "allow"},
            "provider": {"stub": {
                "npm": "@ai-sdk/openai-compatible", "name": "stub",
                "options": {"baseURL": url + "/v1", "apiKey": "x"},
                "models": {"stub-model": {
                    "name": "stub", "tool_call": True, "reasoning": True,
                    "limit": {"context": 200000, "output": 8000}}}}}})

    def command(self, text, resume):
        return ["run", "--auto", "--format", "json", "-m", "stub/stub-model"] + \
            (["-s", self.id] if self.id else ["-c"] if resume else []) + [text]

    def asks(self, text):
        return '"%s"' % text

    def save(self, to):
        found = self.run("session", "list", "--format", "json")
        ids = json.loads(found.stdout)
        with open(to, "wb") as f:       # a pipe would get 64 KiB of it
            self.run("export", ids[0]["id"], out=f)

    def place(self, path):
        return shutil.copyfile(path, os.path.join(self.home, "session.json"))

    def load(self, path):
        """Into a new database: an import does not take messages away."""
        shutil.rmtree(os.path.join(self.home, ".local/share/opencode"))
        self.run("import", path)
        with open(path, encoding="utf-8") as f:
            self.id = json.load(f)["info"]["id"]


class Continue(Agent):
    name, package, program = "Continue", "@continuedev/cli", "cn"
    dialect = "continue"
    lines = False
    settings = ".continue/config.yaml"
    files = ".continue/sessions/*-*.json"
    env = {"CONTINUE_TELEMETRY_ENABLED": "0"}

    def config(self, url):
        return """\
name: stub
version: 1.0.0
schema: v1
models:
  - name: stub
    provider: openai
    model: stub-model
    apiBase: %s/v1/
    apiKey: x
    roles: [chat]
    capabilities: [tool_use]
""" % url

    def command(self, text, resume):
        return ["--config", os.path.join(self.home, self.settings), "-p", "--auto"] + \
            (["--resume"] if resume else []) + [text]


AGENTS = Codex, GeminiCLI, QwenCode, Pi, OpenCode, Continue
