/* SPDX-License-Identifier: MIT */
/* Kinds of files; tests/data/digest has an ordinary file of each. */
#include "check.h"
#include "digest/digest_line.h"

static struct ctx_digest digest;

/* In want, @ stands for the size. */
static void
check_line(const char *name, const char *data, size_t len, uint64_t from,
    const char *want)
{
	struct ctx_digest_opts opts = { .from = from };
	struct ctx_buf out = { 0 }, line = { 0 };
	struct ctx_err err = { 0 };

	CHECK_INT(ctx_digest_make(&digest, name, data, len, &opts, &err), 0);
	CHECK_INT(ctx_digest_line(&digest, CTX_EN, 240, &out), 0);
	for (; *want != '\0'; want++)
		if (*want == '@')
			ctx_buf_addf(&line, "%zuB", len);
		else
			ctx_buf_addc(&line, *want);
	CHECK_STR(ctx_buf_str(&out), ctx_buf_str(&line));
	ctx_buf_done(&out);
	ctx_buf_done(&line);
}

#define LINE(name, data, want) \
	check_line(name, data, sizeof(data) - 1, 0, "[file read] " want)

/* A file with the name of a kind that is something else has its format. */
static void
test_fallback(void)
{
	LINE("package.json", "{\"type\":\"module\"}",
	    "package.json (JSON, @, keys: type)");
	LINE("package.json", "[{\"name\":\"x\"}]",
	    "package.json (JSON, @, 1 element, keys: name)");
	LINE("package.json", "{\"name\":\"x\",", "package.json (JSON, @, "
	    "not valid, keys: name)");
	LINE("package-lock.json", "{\"packages\":{}}",
	    "package-lock.json (JSON, @, keys: packages)");
	LINE("Cargo.toml", "[package\nname = \"x\"\n",
	    "Cargo.toml (TOML, @, sections: package)");
	LINE("Cargo.lock", "version = 3\n",
	    "Cargo.lock (TOML, @, keys: version)");
	LINE("go.mod", "module \"a.b/c\"\nrequire `d` v1\n",
	    "go.mod (Go module, @, name: a.b/c, dependencies: d)");
	LINE("go.mod", "go 1.22\n", "go.mod (text, 1 line, @)");
	LINE("yarn.lock", "nothing\n", "yarn.lock (text, 1 line, @)");
	LINE("Dockerfile", "# nothing\n", "Dockerfile (dockerfile, 1 line)");
	LINE("x.json", "{\"a\":\"\\\"openapi\\\" \",\"$schema\":\"x\"}",
	    "x.json (JSON, @, keys: a, $schema)");
	/* and so has a part of a file */
	check_line("package.json", "{\"name\":\"x\"}\n", 13, 1,
	    "[file read] package.json (JSON, lines 1–1, @, keys: name)");
}

static void
test_npm(void)
{
	LINE("a/package.json", "{\"name\":\"x\",\"version\":null,"
	    "\"scripts\":{},\"dependencies\":[\"a\"]}",
	    "a/package.json (npm package, @, name: x)");
	LINE("package.json", "{\"workspaces\":{\"packages\":[\"a\",\"b\"]}}",
	    "package.json (npm package, @, members: a, b)");
	/* the first form has trees; "requires" are no packages */
	LINE("package-lock.json", "{\"lockfileVersion\":1,\"dependencies\":{"
	    "\"a\":{\"version\":\"1\",\"requires\":{\"version\":\"2\"},"
	    "\"dependencies\":{\"b\":{\"version\":\"1\"}}},"
	    "\"version\":{\"version\":\"2\"}}}",
	    "package-lock.json (npm lockfile, @, 3 packages)");
	LINE("composer.json", "{\"name\":\"a/b\",\"require\":{\"php\":\"8\"},"
	    "\"require-dev\":{\"c/d\":\"1\"}}", "composer.json (Composer "
	    "package, @, name: a/b, dependencies: php, dev dependencies: "
	    "c/d)");
	LINE("composer.lock", "{\"packages\":[{\"name\":\"a\"}],"
	    "\"packages-dev\":[{\"name\":\"b\"},{\"name\":\"c\"}]}",
	    "composer.lock (Composer lockfile, @, 3 packages)");
	LINE("Pipfile.lock", "{\"_meta\":{},\"default\":{\"a\":{},\"b\":{}},"
	    "\"develop\":{\"c\":{}}}",
	    "Pipfile.lock (Pipenv lockfile, @, 3 packages)");
	/* Yarn 2 and later: the project has entries of its own */
	LINE("yarn.lock", "__metadata:\n  version: 6\n\n"
	    "\"a@npm:^1.0.0\":\n  version: 1.0.0\n  dependencies:\n"
	    "    z: ^1.0.0\n\n"
	    "\"x@workspace:.\":\n  version: 0.0.0-use.local\n"
	    "  dependencies:\n    a: ^1.0.0\n    \"c/d\": ^2.0.0\n"
	    "  languageName: unknown\n",
	    "yarn.lock (Yarn lockfile, @, 1 package, dependencies: a, "
	    "c/d)");
}

static void
test_toml(void)
{
	LINE("Cargo.toml", "[workspace]\nmembers = [\"a\", 'b'] # c\n"
	    "[workspace.dependencies]\nx.version = \"1\"\n",
	    "Cargo.toml (Cargo workspace, @, dependencies: x, members: a, "
	    "b)");
	LINE("Cargo.toml", "package.x = 1\n[ package ]\n\"name\" = \"\"\""
	    "a\\\n   b\"\"\"\nversion = { workspace = true }\n"
	    "[dependencies.\"y\"]\nversion = 2024-01-02\n"
	    "[target.'cfg(unix)'.dependencies]\nz = 1\n"
	    "[target.x.dev-dependencies]\nw = 1\n[features]\n"
	    "default = []\n",
	    "Cargo.toml (Cargo package, @, name: ab, dependencies: z, y, "
	    "dev dependencies: w, features: default)");
	LINE("pyproject.toml", "[tool.poetry]\nname = \"p\"\n"
	    "[tool.poetry.dependencies]\npython = \"^3.9\"\nrequests = \"*\"\n"
	    "[tool.poetry.group.dev.dependencies]\npytest = \"8\"\n",
	    "pyproject.toml (Python project, @, name: p, requires: python "
	    "^3.9, dependencies: requests, dev dependencies: pytest)");
	LINE("pyproject.toml", "[tool.black]\nline-length = 9\n",
	    "pyproject.toml (TOML, @, sections: tool.black)");
	LINE("poetry.lock", "[[package]]\nname = \"a\"\n\n[package."
	    "dependencies]\nb = \"*\"\n\n[[package]]\nname = \"b\"\n",
	    "poetry.lock (Poetry lockfile, @, 2 packages)");
}

static void
test_env(void)
{
	/* no line of a value may pass for a name */
	LINE(".env.local", "A='x\nB=secret\n'\nC=\"\\\"\nD=secret\"\r\n"
	    "E=it's # F=1\n", ".env.local (environment, @, variables: A, "
	    "C, E)");
	LINE(".env", "A=1\nc2VjcmV0\nB=2\n", ".env (environment, @)");
	LINE(".env", "A=1\nB=\"open\nC=secret\n", ".env (environment, @)");
	LINE(".env", "A=1\nxx+yy=\n", ".env (environment, @)");
	/* the second line of a value in base64, padded */
	LINE(".env", "A=1\nB=aGlkZGVuaGlkZGVu\naGlkZA==\n",
	    ".env (environment, @)");
	LINE(".env", "B=aGlkZGVuaGlkZGVu\naGlkZGU=\n",
	    ".env (environment, @)");
	LINE(".env", "a=aGlkZGVuaGlkZGVu\nHIDDEN=\nhid=\nb=x\nlog_dir=\n",
	    ".env (environment, @, variables: a, HIDDEN, hid, b, log_dir)");
	LINE(".env", "", ".env (environment, @)");
	check_line(".env", "A=1\nsecret=\n", 12, 3,
	    "[file read] .env (text, lines 3–4, @)");
}

static void
test_docker(void)
{
	LINE("Dockerfile.dev", "ARG V=1\nfrom --platform=x img:${V} as one\n"
	    "RUN echo \\\n# comment\n  FROM no\nCMD a\n"
	    "FROM one\nRUN <<-'END' cat\n\tFROM no\n\tEND\n"
	    "CMD [\"b\", \\\n  \"c\"]\n",
	    "Dockerfile.dev (dockerfile, 12 lines, stages: one, images: "
	    "img:${V}, entry point: [\"b\", \"c\"])");
}

static void
test_api(void)
{
	LINE("s.json", "{\"swagger\":\"2.0\",\"info\":{\"title\":\"T\","
	    "\"version\":\"1\"},\"paths\":{\"/a\":{\"$ref\":\"x\"}}}",
	    "s.json (Swagger 2.0, @, name: T 1, paths: /a)");
	LINE("s.json", "{\"$schema\":\"http://json-schema.org/draft-07/"
	    "schema#\",\"properties\":{\"a\":true}}",
	    "s.json (JSON Schema, @, properties: a)");
}

static void
test_xml(void)
{
	LINE("pom.xml", "<?xml version='1.0'?><!-- <artifactId>no</artifactId> "
	    "--><project xmlns='x'><parent><groupId>g</groupId><artifactId>p"
	    "</artifactId><version>2</version></parent><artifactId> a &amp; b\n"
	    "</artifactId><modules><module>m1</module></modules>"
	    "<dependencyManagement><dependencies><dependency><artifactId>no"
	    "</artifactId></dependency></dependencies></dependencyManagement>"
	    "<dependencies><dependency><groupId>q</groupId><artifactId>d1"
	    "</artifactId><exclusions><exclusion><artifactId>no</artifactId>"
	    "</exclusion></exclusions></dependency><dependency><artifactId>t1"
	    "</artifactId><scope>test</scope></dependency></dependencies>"
	    "</project>", "pom.xml (Maven project, @, name: g:a & b 2, "
	    "dependencies: d1, dev dependencies: t1, members: m1)");
	LINE("pom.xml", "<project><artifactId> a\n</artifactId></x>",
	    "pom.xml (XML, @, elements: project, artifactId)");
	LINE("r.xml", "<testsuites><testsuite tests='9'>"
	    "<testcase classname='c' name='a'/><testcase name='b&lt;'>"
	    "<failure message='x > y'/><system-out><![CDATA[<testcase/>]]>"
	    "</system-out></testcase><testcase classname='c' name='s'><skipped/>"
	    "</testcase><testcase name='e'><error>t</error></testcase>"
	    "</testsuite></testsuites>", "r.xml (JUnit, @, 1 passed, 1 failed, "
	    "1 skipped, 1 error, failures: b<, e)");
	LINE("r.xml", "<testsuite><testcase name='a'/>",
	    "r.xml (XML, @, elements: testsuite, testcase)");
}

/* The forms are those that the tools print; the names are ours. */
static void
test_tests(void)
{
	LINE("a.log", "=== test session starts ===\nt.py .Fs\n"
	    "=== short test summary info ===\n"
	    "FAILED t.py::test_b - assert 1 == 2\n"
	    "=== 1 failed, 1 passed, 1 skipped, 1 xfailed in 0.12s ===\n",
	    "a.log (pytest, 5 lines, 1 passed, 1 failed, 1 skipped, failures: "
	    "t.py::test_b - assert 1 == 2)");
	LINE("out", "..\n2 passed in 1.05s\n",
	    "out (pytest, 2 lines, 2 passed)");
	LINE("a.txt", "\033[1mTests:\033[22m       \033[31m1 failed"
	    "\033[39m, 3 passed, 4 total\r\n  \xe2\x97\x8f Calc \xe2\x80\xba "
	    "adds\n", "a.txt (Jest, 2 lines, 3 passed, 1 failed, failures: "
	    "Calc \xe2\x80\xba adds)");
	LINE("a.log", " FAIL  b.test.ts > Calc > adds\n"
	    "      Tests  1 failed | 2 passed (3)\n",
	    "a.log (Vitest, 2 lines, 2 passed, 1 failed, failures: b.test.ts "
	    "> Calc > adds)");
	LINE("a.log", "  Calc\n    1) adds\n\n  3 passing (4ms)\n  1 failing\n"
	    "\n  1) Calc\n", "a.log (Mocha, 7 lines, 3 passed, 1 failed, "
	    "failures: adds)");
	LINE("a.log", "--- FAIL: TestB (0.00s)\n    --- FAIL: TestB/x (0.00s)\n"
	    "FAIL\nFAIL\texample.com/g\t0.003s\nok  \texample.com/h\t0.1s\n",
	    "a.log (go test, 5 lines, 1 failed, failures: TestB, TestB/x)");
	/* how many passed is only said if go test is called with -v */
	LINE("a.log", "ok  \texample.com/h\t0.1s\n", "a.log (go test, 1 line)");
	LINE("a.log", "--- PASS: TestA (0.00s)\nok  \texample.com/h\t0.1s\n",
	    "a.log (go test, 2 lines, 1 passed)");
	LINE("a.log", "test a::b ... FAILED\n"
	    "test result: FAILED. 3 passed; 1 failed; 2 ignored; 0 measured; "
	    "0 filtered out; finished in 0.00s\n"
	    "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; "
	    "0 filtered out; finished in 0.00s\n",
	    "a.log (cargo test, 3 lines, 4 passed, 1 failed, 2 skipped, "
	    "failures: a::b)");
	LINE("a.log", "F.\nFAIL: test_b (t.T)\n\nRan 5 tests in 0.001s\n\n"
	    "FAILED (failures=1, errors=1, skipped=1)\n",
	    "a.log (unittest, 6 lines, 2 passed, 1 failed, 1 skipped, 1 error, "
	    "failures: test_b (t.T))");
	LINE("a.log", "5 examples, 1 failure, 1 pending\n\n"
	    "rspec ./a_spec.rb:3 # Calc adds\n", "a.log (RSpec, 3 lines, 3 "
	    "passed, 1 failed, 1 skipped, failures: ./a_spec.rb:3 # Calc "
	    "adds)");
	LINE("a.tap", "1..4\nok 1 - a\nnot ok 2 - b\nok 3 c # SKIP why\n"
	    "not ok 4 d # TODO\n", "a.tap (TAP, 5 lines, 1 passed, 1 failed, "
	    "1 skipped, failures: b)");
	LINE("a.log", "[ERROR] COMPILATION ERROR : \n[ERROR] /A.java:[3,5] no\n"
	    "[INFO] BUILD FAILURE\n[ERROR] /A.java:[3,5] no\n",
	    "a.log (Maven, 4 lines, failures: /A.java:[3,5] no)");
	LINE("a.log", "[INFO] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, "
	    "Time elapsed: 0.1 s\n[ERROR] Failures: \n"
	    "[ERROR]   ATest.b:12 no\n[INFO] \n"
	    "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0\n"
	    "[INFO] BUILD FAILURE\n", "a.log (Maven, 6 lines, 1 passed, 1 "
	    "failed, failures: ATest.b:12 no)");
}

static void
test_builds(void)
{
	LINE("a.log", "cc -c e.c\ne.c: In function 'f':\n"
	    "e.c:1:29: error: 'x' undeclared\ne.c:1:19: warning: unused\n"
	    "make: *** [Makefile:2: all] Error 1\n", "a.log (build log, 5 "
	    "lines, 1 error, 1 warning, failures: e.c:1:29: error: 'x' "
	    "undeclared)");
	LINE("a.log", "src/a.ts(3,5): error TS2322: no\n", "a.log (build log, "
	    "1 line, 1 error, failures: src/a.ts(3,5): error TS2322: no)");
	LINE("a.log", "make: Nothing to be done for 'all'.\nmake[1]: Leaving "
	    "directory '/x'\n", "a.log (build log, 2 lines)");
}

/* rustc says in the next line where it is, or else it is a summary. */
static void
test_rustc(void)
{
	LINE("a.log", "warning: unused `a`\n --> src/a.rs:1:5\n  |\n"
	    "error: expected `;`\n  --> src/a.rs:21:9\n   |\n"
	    "error[E0308]: mismatched types\n --> src/b.rs:3:1\n"
	    "warning: `x` (bin \"x\") generated 1 warning\n"
	    "error: could not compile `x`\n",
	    "a.log (build log, 10 lines, 2 errors, 1 warning, failures: "
	    "error: expected `;`, error[E0308]: mismatched types)");
	LINE("out", "warning: unused\n --> a.rs:1:5\n",
	    "out (build log, 2 lines, 1 warning)");
	LINE("out", "warning: no place\nerror: none\n-- a\n",
	    "out (text, 3 lines, @)");
}

/* A log that was cut off, and texts that only look like one. */
static void
test_no_tests(void)
{
	LINE("a.log", "FAILED t.py::test_b\n", "a.log (log, 1 line, @)");
	LINE("a.log", "1..3\nok 1\nnot ok 2\n", "a.log (log, 3 lines, @)");
	LINE("a.txt", "2 passed in the night\n3 failed, 1 broken in 2s\n"
	    "Tests: 1 total\nRan 5 tests in 1s\nsee a.c: error: no\n",
	    "a.txt (text, 5 lines, @)");
	LINE("a.txt", "Ran 1 test in 1s\n\nFAILED (failures=3)\n",
	    "a.txt (text, 3 lines, @)");
	LINE("a.md", "# T\n\n2 passed in 1.05s\n",
	    "a.md (markdown, 3 lines, headings: T)");
	check_line("a.log", "2 passed in 1.05s\n", 18, 7,
	    "[file read] a.log (log, lines 7\xe2\x80\x93" "7, @)");
}

int
main(void)
{
	RUN(test_fallback());
	RUN(test_npm());
	RUN(test_toml());
	RUN(test_env());
	RUN(test_docker());
	RUN(test_api());
	RUN(test_xml());
	RUN(test_tests());
	RUN(test_builds());
	RUN(test_rustc());
	RUN(test_no_tests());
	ctx_digest_done(&digest);
	return CHECK_DONE("kind");
}
