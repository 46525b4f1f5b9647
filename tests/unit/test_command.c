/* SPDX-License-Identifier: MIT */
/*
 * What commands print: the kinds of command lines, and the ranks of the lines
 * in tests/data/command.  There the first line is "$ " and the command, and
 * each other line begins with its rank: R, P, C or S.
 */
#include "text/command.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define FOLDER	"tests/data/command"

static const struct {
	const char *command;
	enum ctx_command kind;
} commands[] = {
	{ "", CTX_COMMAND_UNKNOWN },
	{ "pytest", CTX_COMMAND_PYTEST },
	{ "cd /a/b && FOO='x y' BAR=1 pytest -q 2>&1 | tail -n 20",
	    CTX_COMMAND_PYTEST },
	{ "sudo -u ci env -i A=b timeout -k 5 60 python3.12 -X dev -m pytest",
	    CTX_COMMAND_PYTEST },
	{ "bash -c 'cd x; poetry run pytest'", CTX_COMMAND_PYTEST },
	{ "bash -lc \"pytest -k 'a and b'\"", CTX_COMMAND_PYTEST },
	{ "./venv/bin/pytest >out.txt 2>&1; echo $?", CTX_COMMAND_PYTEST },
	{ "(cd x && pytest) | grep FAILED", CTX_COMMAND_PYTEST },
	{ "time pytest &> log", CTX_COMMAND_PYTEST },
	{ "pytest a && pytest b", CTX_COMMAND_PYTEST },
	{ "# run them\npytest \\\n  -x\n", CTX_COMMAND_PYTEST },
	{ "pytest -q |\n  tail -5", CTX_COMMAND_PYTEST },
	{ "if pytest; then echo yes; else echo no; fi", CTX_COMMAND_PYTEST },
	{ "echo \"pytest\"", CTX_COMMAND_UNKNOWN },
	{ "python run.py", CTX_COMMAND_UNKNOWN },
	{ "pytest $(npm test)", CTX_COMMAND_PYTEST },
	{ "pytest a$(npm test)", CTX_COMMAND_PYTEST },
	{ "pytest && npm test", CTX_COMMAND_UNKNOWN },
	{ "pytest | sort", CTX_COMMAND_UNKNOWN },
	{ "pytest && ./mine", CTX_COMMAND_UNKNOWN },
	{ "cat <<EOF | pytest\nx\nEOF", CTX_COMMAND_UNKNOWN },
	{ "npx jest --ci", CTX_COMMAND_JEST },
	{ "npm run test -- --watch=false", CTX_COMMAND_JEST },
	{ "yarn vitest", CTX_COMMAND_JEST },
	{ "npm run lint", CTX_COMMAND_CHECK },
	{ "npm ci", CTX_COMMAND_PACKAGE },
	{ "npm run build", CTX_COMMAND_UNKNOWN },
	{ "go test ./...", CTX_COMMAND_GO },
	{ "go run .", CTX_COMMAND_UNKNOWN },
	{ "cargo clippy", CTX_COMMAND_CARGO },
	{ "make -j4 test", CTX_COMMAND_BUILD },
	{ "x86_64-linux-gnu-gcc-12 -c a.c", CTX_COMMAND_BUILD },
	{ "clang++-17 a.cc && ./a.out", CTX_COMMAND_UNKNOWN },
	{ "cmake -B b && ninja -C b", CTX_COMMAND_BUILD },
	{ "mix test", CTX_COMMAND_MIX },
	{ "python -m pip install x", CTX_COMMAND_PACKAGE },
	{ "pip list", CTX_COMMAND_UNKNOWN },
	{ "apt-get update && apt-get install -y jq", CTX_COMMAND_PACKAGE },
	{ "git -C a -c b=c status -sb", CTX_COMMAND_STATUS },
	{ "git --no-pager diff HEAD~1 -- x", CTX_COMMAND_DIFF },
	{ "git diff --stat", CTX_COMMAND_LIST },
	{ "git show HEAD:lib/a.c", CTX_COMMAND_FILE },
	{ "git log --oneline | head -5", CTX_COMMAND_LOG },
	{ "git log -p -1", CTX_COMMAND_DIFF },
	{ "git add -A && git status", CTX_COMMAND_STATUS },
	{ "git grep -n x", CTX_COMMAND_GREP },
	{ "ls -la; find . -name '*.c' | sort | wc -l", CTX_COMMAND_LIST },
	{ "ls -la && cat a.c", CTX_COMMAND_FILE },
	{ "ls -la", CTX_COMMAND_LIST },
	{ "rg -n 'a|b && c' src", CTX_COMMAND_GREP },
	{ "cat a.c b.c", CTX_COMMAND_FILE },
	{ "sed -n '1,5p' a.c", CTX_COMMAND_FILE },
	{ "tail -50 build.log", CTX_COMMAND_UNKNOWN },
	{ "docker compose -f x.yml build web", CTX_COMMAND_DOCKER },
	{ "docker run --rm x", CTX_COMMAND_UNKNOWN },
	{ "npx --yes tsc --noEmit", CTX_COMMAND_CHECK },
	/* broken ones end somewhere */
	{ "pytest 'a", CTX_COMMAND_PYTEST },
	{ "pytest $(", CTX_COMMAND_PYTEST },
	{ "bash -c", CTX_COMMAND_UNKNOWN },
	{ "|", CTX_COMMAND_UNKNOWN },
	{ "pytest \\", CTX_COMMAND_PYTEST },
	{ "sudo timeout", CTX_COMMAND_UNKNOWN },
};

static void
test_commands(void)
{
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		const char *c = commands[i].command;
		char *copy = malloc(strlen(c) + 1);

		/* without the NUL, so that a sanitizer sees reads after it */
		memcpy(copy, c, strlen(c));
		if (!CHECK_INT(ctx_command_kind(copy, strlen(c)),
		    commands[i].kind))
			fprintf(stderr, "\tof: %s\n", c);
		free(copy);
	}
}

/* Commands, then those that change something or may, joined by |. */
static const char *const changes[][2] = {
	{ "", "" },
	{ "ls -la; cat a.c | grep x && cd y", "" },
	{ "git status && git diff && git add -A", "" },
	{ "cd /a && git -C b commit -m 'x; y' 2>&1 | tail -3; ls",
	    "!git -C b commit -m 'x; y'" },
	{ "sudo env A=b rm -rf x && mkdir x", "!rm -rf x" },
	{ "bash -lc 'cd x; mv a b && git push origin main'",
	    "!mv a b|!git push origin main" },
	{ "sed -n 5p a.c; sed -i s/a/b/ a.c; sed -i.bak s/a/b/ b.c",
	    "!sed -i s/a/b/ a.c|!sed -i.bak s/a/b/ b.c" },
	{ "cat a.c > b.c", "!cat a.c > b.c" },
	{ "cat a.c >/dev/null 2>&1; make > log", "" },
	{ "cat > b.c <<'EOF'\nint x;\nEOF\n", "!cat > b.c" },
	{ "cat <<EOF > b.c\nint x;\nEOF\n", "!cat <<EOF > b.c" },
	{ "cat <<EOF\na > b\nEOF\n", "" },
	{ "make install", "!make install" },
	{ "gh pr create --title x", "?gh pr create --title x" },
	{ "npx tsc && npm ci", "!npm ci" },
	{ "docker compose up -d; docker run --rm x",
	    "?docker compose up -d|!docker run --rm x" },
	{ "rm 'a", "!rm 'a" }, { "|", "" }, { "sudo", "" }, { "bash -c", "?bash -c" }
};

static void
test_changes(const char *command, const char *want)
{
	char *copy = malloc(strlen(command) + 1);
	const char *p = copy, *end = copy + strlen(command);
	struct ctx_command_one one;
	struct ctx_buf b = { 0 };
	enum ctx_command_does does;

	memcpy(copy, command, strlen(command));
	while (ctx_command_next(&p, &end, &one)) {
		does = ctx_command_does(&one);
		if (does == CTX_COMMAND_SHOWS)
			continue;
		ctx_buf_adds(&b, b.len > 0 ? "|" : "");
		ctx_buf_addc(&b, does == CTX_COMMAND_MAY ? '?' : '!');
		ctx_buf_add(&b, one.at, one.len);
	}
	if (!CHECK_STR(ctx_buf_str(&b), want))
		fprintf(stderr, "\tof: %s\n", command);
	ctx_buf_done(&b);
	free(copy);
}

static char *
read_file(const char *name)
{
	char path[600];
	char *text = calloc(1, 65536);
	FILE *f;

	snprintf(path, sizeof(path), FOLDER "/%s", name);
	f = fopen(path, "r");
	if (f == NULL || fread(text, 1, 65535, f) == 0)
		CHECK(0);
	if (f != NULL)
		fclose(f);
	return text;
}

static void
check_ranks(const char *name, const struct ctx_buf *text,
    const struct ctx_buf *want, const char *command)
{
	struct ctx_buf ranks = { 0 };
	const char *line = text->data;
	size_t i;

	CHECK_INT(ctx_command_ranks(ctx_command_kind(command,
	    strlen(command)), text->data, text->len, &ranks), 0);
	CHECK_INT(ranks.len, want->len);
	for (i = 0; i < ranks.len && i < want->len; i++) {
		int n = (int)strcspn(line, "\n");
		char got = "RPCS"[(int)ranks.data[i]];

		if (!CHECK(got == want->data[i]))
			fprintf(stderr, "\t%s: %c, not %c: %.*s\n", name, got,
			    want->data[i], n, line);
		line += n + 1;
	}
	ctx_buf_done(&ranks);
}

static void
test_file(const char *name)
{
	struct ctx_buf text = { 0 }, want = { 0 };
	char *file = read_file(name), *command, *line, *next;

	TEST("ranks of %s", name);
	command = file + 2;
	for (line = file; *line != '\0'; line = next) {
		next = line + strcspn(line, "\n");
		if (*next != '\0')
			*next++ = '\0';
		if (line == file)
			continue;
		ctx_buf_addc(&want, line[0]);
		ctx_buf_adds(&text, line[1] != '\0' ? line + 2 : "");
		ctx_buf_addc(&text, '\n');
	}
	CHECK(ctx_buf_str(&text) != NULL && want.len > 0);
	check_ranks(name, &text, &want, command);
	ctx_buf_done(&text);
	ctx_buf_done(&want);
	free(file);
}

static void
test_files(void)
{
	DIR *d = opendir(FOLDER);
	struct dirent *e;
	int n = 0;

	TEST("files of ranks");
	if (!CHECK(d != NULL))
		return;
	while ((e = readdir(d)) != NULL)
		if (strstr(e->d_name, ".txt") != NULL) {
			test_file(e->d_name);
			n++;
		}
	closedir(d);
	CHECK(n >= 25);
}

static const struct {
	enum ctx_command kind;
	const char *text, *ranks;
} texts[] = {
	{ CTX_COMMAND_UNKNOWN, "", "" },
	{ CTX_COMMAND_UNKNOWN, "\n", "R" },
	{ CTX_COMMAND_UNKNOWN, "a\n\nb", "PRP" },
	/* escapes and redrawn lines */
	{ CTX_COMMAND_UNKNOWN, "\x1b[31merror\x1b[0m: x\n", "S" },
	{ CTX_COMMAND_UNKNOWN, "\x1b[2K\x1b[1G\n", "R" },
	{ CTX_COMMAND_PACKAGE, " 1%\r 50%\rERROR: x\r\n", "S" },
	{ CTX_COMMAND_UNKNOWN, "error\r\ra\n", "P" },
	{ CTX_COMMAND_UNKNOWN, "\x1b[", "R" },
	/* not UTF-8, and a NUL */
	{ CTX_COMMAND_UNKNOWN, "\xff\xfe" "error\n", "S" },
	/* a text tells its kind */
	{ CTX_COMMAND_UNKNOWN, "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n",
	    "SSSS" },
	{ CTX_COMMAND_UNKNOWN, "On branch x\n\tmodified:   a\n", "SS" },
	{ CTX_COMMAND_UNKNOWN, "Compiling 3 files (.ex)\n", "R" },
	/* what changed, without a header */
	{ CTX_COMMAND_DIFF, " a\n b\n-c\n+d\n e\n f\n", "PCSSCP" },
	{ CTX_COMMAND_DIFF, "--- a\n+++ b\n@@ -1 +1 @@\n c\n", "SSSP" },
	{ CTX_COMMAND_FILE, "On branch x\n", "P" },
	/* spelling of words */
	{ CTX_COMMAND_UNKNOWN, "eRRor\nErrors\nERRORS\nmirror\nerr\n",
	    "PSSPP" },
	{ CTX_COMMAND_UNKNOWN, "stderr\nValueError: x\nraise ValueError(x)\n"
	    "handleError\n", "PSPP" },
	{ CTX_COMMAND_UNKNOWN, "3 Error(s)\n0 Error(s)\nfailures: 0\n"
	    "failures: 2\nno such thing\nnot found\nit is found\n", "SPPSSSP" },
	{ CTX_COMMAND_UNKNOWN, "No module named x\nno rule to make\na rule\n",
	    "SSP" },
	{ CTX_COMMAND_UNKNOWN, "it doesn't\nI can't\ncould not\n", "PSS" },
};

static void
test_texts(void)
{
	struct ctx_buf ranks = { 0 };
	size_t i, k;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		size_t n = strlen(texts[i].text);
		char *copy = malloc(n + 1);

		memcpy(copy, texts[i].text, n);
		ctx_buf_reset(&ranks);
		CHECK_INT(ctx_command_ranks(texts[i].kind, copy, n, &ranks),
		    0);
		for (k = 0; k < ranks.len; k++)
			ranks.data[k] = "RPCS"[(int)ranks.data[k]];
		if (!CHECK_MEM(ranks.data != NULL ? ranks.data : "",
		    ranks.len, texts[i].ranks))
			fprintf(stderr, "\tof: %s\n", texts[i].text);
		free(copy);
	}
	ctx_buf_done(&ranks);
}

/* What explains a signal ends somewhere, and ranks are added to others. */
static void
test_long_block(void)
{
	struct ctx_buf text = { 0 }, ranks = { 0 };
	size_t i, context = 0;

	ctx_buf_addc(&ranks, 'x');
	ctx_buf_adds(&text, "Traceback (most recent call last):\n");
	for (i = 0; i < 1000; i++)
		ctx_buf_adds(&text, "  frame\n");
	CHECK_INT(ctx_command_ranks(CTX_COMMAND_UNKNOWN, text.data, text.len,
	    &ranks), 0);
	CHECK_INT(ranks.len, 1002);
	CHECK_INT(ranks.data[0], 'x');
	for (i = 2; i < ranks.len; i++)
		context += ranks.data[i] == CTX_LINE_CONTEXT;
	CHECK_INT(context, 200);
	ctx_buf_done(&text);
	ctx_buf_done(&ranks);
}

/*
 * Files that are printed: "DIR PATH FROM TO" and how many lines, n if
 * they have numbers; or NULL.
 */
static const struct {
	const char *command, *want;
} printed[] = {
	{ "cat src/a.c", "- src/a.c 0 0" },
	{ "cat -n 'a b.c'", "- a b.c 0 0 n" },
	{ "cd /x && cat a.c", "/x a.c 0 0" },
	{ "head a.c", "- a.c 0 10" },
	{ "head -n 20 a.c", "- a.c 0 20" },
	{ "head -n20 a.c", "- a.c 0 20" },
	{ "head -20 a.c", "- a.c 0 20" },
	{ "head --lines=20 a.c", "- a.c 0 20" },
	{ "tail -n +5 a.c", "- a.c 5 0" },
	{ "sed -n 24,53p a.c", "- a.c 24 53" },
	{ "sed -n '7p' a.c", "- a.c 7 7" },
	{ "nl -ba a.c", "- a.c 0 0 n" },
	{ "bat -p --color=never a.c", "- a.c 0 0" },
	{ "bat -p -n a.c", "- a.c 0 0 n" },
	{ "git show HEAD~2:src/a.c", "- HEAD~2:src/a.c 0 0" },
	{ "tail a.c", "- a.c 0 0 10" },
	{ "tail -n 5 a.c", "- a.c 0 0 5" },
	{ "tail -5 a.c", "- a.c 0 0 5" },
	{ "tail -n5 a.c", "- a.c 0 0 5" },
	/* other lines, other commands, more files, what the shell changes */
	{ "tail -f a.c", NULL },
	{ "head -n -5 a.c", NULL },
	{ "head -c 20 a.c", NULL },
	{ "nl a.c", NULL },
	{ "cat -v a.c", NULL },
	{ "cat", NULL },
	{ "cat -", NULL },
	{ "cat a.c b.c", NULL },
	{ "cat *.c", NULL },
	{ "cat $F", NULL },
	{ "cat $(ls)", NULL },
	{ "cat `ls`", NULL },
	{ "cat a\\ b", NULL },
	{ "cat {a,b}", NULL },
	{ "cat a.c | wc", NULL },
	{ "cat a.c > b", NULL },
	{ "cat < a.c", NULL },
	{ "cat a.c; ls", NULL },
	{ "cat a.c &", NULL },
	{ "cat a.c && ls", NULL },
	{ "cd x; cat a.c", NULL },
	{ "cd x || cat a.c", NULL },
	{ "cd && cat a.c", NULL },
	{ "X=1 cat a.c", NULL },
	{ "sed -n 5,3p a.c", NULL },
	{ "sed -n /x/p a.c", NULL },
	{ "sed s/a/b/ a.c", NULL },
	{ "sed -i -n 1,2p a.c", NULL },
	{ "git show HEAD", NULL },
	{ "git show HEAD:", NULL },
	{ "ls a.c", NULL },
	{ "", NULL },
};

static void
test_printed(void)
{
	struct ctx_command_file f;
	struct ctx_buf got = { 0 };
	size_t i;
	int rc;

	for (i = 0; i < sizeof(printed) / sizeof(printed[0]); i++) {
		rc = ctx_command_file(printed[i].command,
		    strlen(printed[i].command), &f);
		if (!CHECK_INT(rc, printed[i].want != NULL))
			fprintf(stderr, "\tof: %s\n", printed[i].command);
		if (rc != 1 || printed[i].want == NULL)
			continue;
		ctx_buf_reset(&got);
		ctx_buf_addf(&got, "%.*s %.*s %u %u",
		    f.dir != NULL ? (int)f.dirlen : 1,
		    f.dir != NULL ? f.dir : "-", (int)f.len, f.path,
		    (unsigned)f.from, (unsigned)f.to);
		if (f.last > 0)
			ctx_buf_addf(&got, " %u", (unsigned)f.last);
		ctx_buf_adds(&got, f.numbered ? " n" : "");
		CHECK_MEM(got.data, got.len, printed[i].want);
	}
	ctx_buf_done(&got);
}

int
main(void)
{
	size_t i;

	RUN(test_printed());
	RUN(test_commands());
	RUN(test_texts());
	TEST("commands that change something");
	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		test_changes(changes[i][0], changes[i][1]);
	RUN(test_long_block());
	test_files();
	return CHECK_DONE("test_command");
}
