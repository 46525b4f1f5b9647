/* SPDX-License-Identifier: MIT */
/* What searches, lists, comparisons and logs printed, counted. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "text/listing.h"

static const char *const words[CTX_LISTED] = {
	"lines", "files", "dirs", "paths", "entries", "sections", "commits",
	"staged", "changed", "untracked", "unmerged", "+", "-"
};

#define DIFF	"diff --git a/x.sql b/x.sql\nindex 1..2 100644\n" \
	"--- a/x.sql\n+++ b/x.sql\n@@ -1,3 +1,3 @@ a\n a\n--- b\n+++ b\n c\n"
#define LOG	"commit 0123456789abcdef0123456789abcdef01234567\n" \
	"Author: A <a@b>\nDate:   Fri Jan 2 10:00:00 2026 +0000\n\n" \
	"    One\n    commit 1234567\n\n" \
	"commit fedcba9876543210fedcba9876543210fedcba98\n" \
	"Merge: 123 456\nAuthor: B <b@b>\n" \
	"Date:   Wed Dec 31 09:00:00 2025 +0000\n\n    Two\n"
#define MODE	"-rw-r--r-- 1 me me "

/* A command, its output, and what is counted of it; NULL: it is not known. */
static const struct {
	const char *command, *text, *want;
} cases[] = {
	/* searches */
	{ "grep -rn foo src", "src/a.c:1:foo\nsrc/b.c:2:foo:9:\nsrc/a.c:7:foo",
	    "2 files 3 lines src/a.c=2 src/b.c=1" },
	{ "grep -r 'a.*b' src lib", "src/a.c:a b\nlib/x:ab",
	    "2 files 2 lines src/a.c=1 lib/x=1" },
	{ "grep -rn --include=*.c \"a\\.b\\\"\" src", "src/a.c:1:a.b\"",
	    "1 files 1 lines src/a.c=1" },
	{ "grep -n foo a.c", "3:foo\n12:foo: 13:\n", "2 lines" },
	{ "grep foo a.c", "foo\n\nfoo\n", "3 lines" },
	{ "grep -n foo a.c b.c", "a.c:3:foo\nb.c:1:foo",
	    "2 files 2 lines a.c=1 b.c=1" },
	{ "grep -rl foo src", "src/a.c\nsrc/b/c.c\n",
	    "2 files src/a.c=0 src/b/c.c=0" },
	{ "rg foo", "a.c:foo\nb/c.c:foo", "2 files 2 lines a.c=1 b/c.c=1" },
	{ "rg -n foo a.c", "3:foo\n4:foo", "2 lines" },
	{ "rg -n foo src", "src/a.c:3:foo", "1 files 1 lines src/a.c=1" },
	{ "rg -n -g '*.c' foo", "a.c:3:foo", "1 files 1 lines a.c=1" },
	{ "cd /x && git grep -n foo", "a.c:3:foo",
	    "1 files 1 lines a.c=1" },
	/* a file of another name, context, a complaint, a binary file */
	{ "grep -rn foo src", "src/a.c:1:foo\nlib/a.c:1:foo", NULL },
	{ "grep -rn foo src", "src/a.c:1:foo\nsrc/a.c-2-bar\n", NULL },
	{ "grep -rn foo src", "src/a.c:1:foo\n--\nsrc/a.c:9:foo", NULL },
	{ "grep -rn foo src", "src/a.c:1:foo\n\nsrc/b.c:1:foo", NULL },
	{ "grep -rn foo .", "./a.c:1:foo\ngrep: ./b: Permission denied", NULL },
	{ "rg foo", "a.c:foo\nb.o: binary file matches (found \"\\0\")", NULL },
	{ "grep -n foo a.c", "3:foo\n3:foo\n", NULL },
	{ "grep -n foo a.c", "3:foo\n\n", NULL },
	/* the last lines may be blank and gone */
	{ "grep foo a.c", "foo\nfoo", NULL },
	/* other options, other forms, more commands */
	{ "grep -c foo a.c b.c", "a.c:3\nb.c:4", NULL },
	{ "grep -o foo a.c", "foo\n", NULL },
	{ "grep -A2 foo a.c", "foo\nx\ny\n", NULL },
	{ "grep foo", "foo\n", NULL },
	{ "grep -rn foo src | head", "src/a.c:1:foo", NULL },
	{ "grep -rn foo src *.c", "src/a.c:1:foo", NULL },
	{ "grep -rn \"$X\" src", "src/a.c:1:foo", NULL },
	{ "grep -rn --include=$X foo src", "src/a.c:1:foo", NULL },
	{ "rg -I foo src", "foo", NULL },
	{ "grep -rn foo src; ls", "src/a.c:1:foo", NULL },
	{ "grep -rn foo src 2>&1", "src/a.c:1:foo", NULL },
	/* lists */
	{ "ls", "a.c\nb c.c\n", "2 entries a.c=0 b c.c=0" },
	{ "ls -a src", ".\n..\n.x\na.c", "2 entries .x=0 a.c=0" },
	{ "ls -F", "a.c\nsrc/", "1 dirs 2 entries a.c=0 src/=0" },
	{ "ls -la", "total 8\ndrwxr-xr-x 2 me me 4096 Nov  1 10:00 .\n"
	    "drwxr-xr-x 2 me me 4096 Nov  1 10:00 ..\n"
	    "drwxr-xr-x+ 2 me me 4096 Nov  1 10:00 a b\n"
	    MODE "12 Nov  1  2025 c.c\n"
	    "lrwxrwxrwx 1 me me 4 Nov  1 10:00 l -> c.c\n",
	    "1 dirs 3 entries a b=0 c.c=0 l=0" },
	{ "ls -l", "total 4\n" MODE "12 2025-11-01 10:00 c.c",
	    "0 dirs 1 entries c.c=0" },
	{ "ls -R", ".:\na.c\nsrc\n\n./src:\nb.c\n\n./x:\n",
	    "3 entries 3 sections a.c=0 src=0 src/b.c=0" },
	{ "ls -R src", "src:\nb.c", "1 entries 1 sections src/b.c=0" },
	/* columns, as on a terminal; two directories; no such file */
	{ "ls", "a.c  b.c  c.c\nd.c  e.c\n", NULL },
	{ "ls a b", "a:\nx\n\nb:\ny", NULL },
	{ "ls x", "ls: cannot access 'x': No such file or directory", NULL },
	{ "ls -l", "total 4\n" MODE "12 Nov  1 10:00 c.c\nand more", NULL },
	{ "ls -R", "a.c\nsrc\n", NULL },
	{ "ls *.c", "a.c", NULL },
	{ "find src -name '*.c'", "src/a.c\nsrc/b.c",
	    "2 paths src/a.c=0 src/b.c=0" },
	{ "find . -type f -name \"*.c\"", "./a.c", "1 files ./a.c=0" },
	{ "find . -type d", ".\n./a", "2 dirs .=0 ./a=0" },
	{ "find . -type f -o -type d", ".", "1 paths .=0" },
	{ "find . ! -type f", ".", "1 paths .=0" },
	{ "find .", "./a.c\nfind: './b': Permission denied", NULL },
	{ "find . -name *.c", "./a.c", NULL },
	{ "find . -type f -exec wc -l {} +", "9 ./a.c", NULL },
	{ "find . -name a -delete", "./a", NULL },
	{ "git ls-files", "a.c\nb.c", "2 files a.c=0 b.c=0" },
	{ "tree", ".\n├── a.c\n└── src\n    └── b.c\n\n"
	    "2 directories, 2 files\n", "2 files 2 dirs a.c=0 src=0 b.c=0" },
	{ "tree -L 1 src", "src\n└── b.c\n\n0 directories, 1 file\n",
	    "1 files 0 dirs b.c=0" },
	{ "tree", ".\n├── a.c\n", NULL },
	/* comparisons: lines that begin with -- and ++ are lines */
	{ "git diff", DIFF, "1 files 1 + 1 - x.sql=1-1" },
	{ "git diff HEAD~1 -- x.sql", DIFF "\\ No newline at end of file\n"
	    "diff --git a/b b/b\nold mode 100644\nnew mode 100755\n",
	    "2 files 1 + 1 - x.sql=1-1 b=0" },
	{ "git diff", "diff --git a/o b/n\nsimilarity index 100%\n"
	    "rename from o\nrename to n", "1 files 0 + 0 - a/o b/n=0" },
	{ "git diff", "diff --git a/b b/b\nnew file mode 100644\n"
	    "index 0..1\nBinary files /dev/null and b/b differ\n",
	    "1 files 0 + 0 - b=0" },
	/* blank lines at the end are gone; there were more lines */
	{ "git diff", "diff --git a/b b/b\n--- a/b\n+++ b/b\n"
	    "@@ -1,3 +1,4 @@\n+x\n \n", "1 files 1 + 0 - b=1" },
	{ "git diff", "diff --git a/b b/b\n--- a/b\n+++ b/b\n"
	    "@@ -1,9 +1,7 @@\n-x\n", NULL },
	{ "git diff", "diff --git a/b b/b\n--- a/b\n+++ b/b\n"
	    "@@ -1 +1 @@\n-x\n+y\nwarning: what\n", NULL },
	{ "git diff --cached --stat", " a.c   | 3 ++-\n b.png | Bin 0 -> 4 "
	    "bytes\n 2 files changed, 2 insertions(+), 1 deletion(-)\n",
	    "2 files 2 + 1 - a.c=0 b.png=0" },
	{ "git diff --stat", " a.c | 3 ++-\n 2 files changed, 2 insertions(+)",
	    NULL },
	{ "git diff --name-only", "a.c\nb.c", "2 files a.c=0 b.c=0" },
	{ "git diff --word-diff", DIFF, NULL },
	/* logs */
	{ "git log -n 2", LOG, "2 commits 0123456 fedcba9 2025-12-31 "
	    "2026-01-02" },
	{ "git log --oneline -5", "0123456 (HEAD -> main) One\n89ab Two",
	    "2 commits 0123456 89ab" },
	{ "git log --oneline", "0123456 One\nNot a commit", NULL },
	{ "git log -p", LOG DIFF, NULL },
	{ "git log", LOG "fatal: bad object", NULL },
	/* the state of a tree */
	{ "git status", "On branch main\nChanges to be committed:\n"
	    "  (use \"git\")\n\tnew file:   a.c\n\nChanges not staged for "
	    "commit:\n\tmodified:   b.c\n\nUntracked files:\n\tc:  d\n\te\n",
	    "1 staged 1 changed 2 untracked a.c=0 b.c=0 c:  d=0 e=0" },
	{ "git status", "On branch main\nnothing to commit\n", NULL },
	{ "git status -s", " M a.c\n?? b\n", "2 entries a.c=0 b=0" },
	{ "git status --short", "M a.c\n?? b", "2 entries a.c=0 b=0" },
	{ "git status -sb", "## main...o/main\nA  a.c",
	    "1 entries a.c=0" },
	{ "git status -s", " M a.c\nfatal: x", NULL },
	{ "git show", LOG DIFF, NULL },
	{ "wc -l a.c", "12 a.c", NULL },
};

/* What a tool returns, in its own words. */
static const struct {
	const char *text, *want;
} tools[] = {
	{ "Found 2 matches for pattern \"x\" in path \"s\":\n---\nFile: a.c\n"
	    "L1- File: b\nL2: x\nL3- y\n---\nFile: b.c\nL7: x",
	    "2 files 2 lines a.c=1 b.c=1" },
	{ "Found 1 match for pattern \"x\" in path \"s\":\n---\n/s/a.c:12:x:3:",
	    "1 files 1 lines /s/a.c=1" },
	{ "Found 3 matches\n/s/a.c:\n  Line 1: x\n  Line 2: x\n\n/s/b.c:\n"
	    "  Line 9: x", "2 files 3 lines /s/a.c=2 /s/b.c=1" },
	{ "Found 2 matches:\n\nsrc/a.c:12\n  x\n\nsrc/a.c:37\n  x",
	    "1 files 2 lines src/a.c=2" },
	{ "Found 1 result for pattern: x\n\nsrc/a.c:12:13\n  13: {\n\n",
	    "1 files 1 lines src/a.c=1" },
	{ "Found 2 file(s) matching \"*.c\" within /s, sorted by modification "
	    "time (newest first):\n/s/a.c\n/s/b.c",
	    "2 files /s/a.c=0 /s/b.c=0" },
	{ "Found 2 files\na.c\nb.c", "2 files a.c=0 b.c=0" },
	{ "Listed 2 item(s) in /s:\n---\n[DIR] x\na.c\n\n(1 git-ignored)",
	    "1 dirs 2 entries x=0 a.c=0" },
	{ "Directory listing for /s:\n[DIR] x\na.c (12 bytes)\n\n(3 ignored)",
	    "1 dirs 2 entries x=0 a.c=0" },
	{ "Files in /s:\nx (directory)\na (b).c (file, 12 bytes)",
	    "1 dirs 2 entries x=0 a (b).c=0" },
	{ "Search results for \"x\":\n  /s/a.c (3 matches)\n  /s/b.c (1 match)",
	    "2 files 4 lines /s/a.c=3 /s/b.c=1" },
	{ "[DIR] x\n[FILE] a (directory)\n[FILE] b",
	    "1 dirs 3 entries x=0 a (directory)=0 b=0" },
	{ "[DIR] x\nb", NULL },
	/* another number, a part, something else */
	{ "Found 3 matches for pattern \"x\":\n---\nFile: a.c\nL2: x", NULL },
	{ "Found 2 files\na.c", NULL },
	{ "Found 1 files limit: 1\na.c", NULL },
	{ "Found 2 matches\n/s/a.c:\n  Line 1: x\n  Line 2: x\n\n"
	    "(Some paths were inaccessible and skipped)", NULL },
	{ "Directory listing for /s:\na.c (12 bytes)\n\nNotes on this folder",
	    NULL },
	{ "Search results for \"x\":\n  /s/a.c (3 matches)\n  ... +9 more",
	    NULL },
	{ "No files found", NULL },
	{ "", NULL },
};

static void
check_one(struct ctx_listing *l, int rc, const char *want, const char *of)
{
	/* those that follow say what these are of */
	static const int order[CTX_LISTED] = { 1, 0, 2, 3, 4, 5, 6, 7, 8, 9,
	    10, 11, 12 };
	struct ctx_buf got = { 0 };
	size_t i;

	if (!CHECK_INT(rc, want != NULL))
		fprintf(stderr, "\tof: %s\n", of);
	if (rc != 1 || want == NULL)
		return;
	for (i = 0; i < CTX_LISTED; i++)
		if (l->has[order[i]])
			ctx_buf_addf(&got, " %u %s",
			    (unsigned)l->count[order[i]], words[order[i]]);
	if (l->first[0] != '\0')
		ctx_buf_addf(&got, " %s", l->first);
	if (l->last[0] != '\0')
		ctx_buf_addf(&got, " %s", l->last);
	if (l->since[0] != '\0')
		ctx_buf_addf(&got, " %s %s", l->since, l->until);
	for (i = 0; i < l->n; i++) {
		ctx_buf_addf(&got, " %.*s=%u", (int)l->name[i].len,
		    l->bytes.data + l->name[i].off, (unsigned)l->name[i].n);
		if (l->name[i].minus > 0)
			ctx_buf_addf(&got, "-%u", (unsigned)l->name[i].minus);
	}
	if (!CHECK_MEM(got.data + 1, got.len - 1, want))
		fprintf(stderr, "\tof: %s\n", of);
	ctx_buf_done(&got);
}

static void
test_commands(void)
{
	struct ctx_listing l = { 0 };
	struct ctx_listing_how how;
	struct ctx_str s;
	size_t i;
	int rc;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		s.p = cases[i].text;
		s.len = (uint32_t)strlen(s.p);
		rc = ctx_listing_command(cases[i].command,
		    strlen(cases[i].command), &how);
		if (rc == 1)
			rc = ctx_listing_read(&l, &how, s);
		check_one(&l, rc, cases[i].want, cases[i].command);
	}
	ctx_listing_done(&l);
}

static void
test_tools(void)
{
	struct ctx_listing_how how = { .form = CTX_LISTING_TOOL };
	struct ctx_listing l = { 0 };
	struct ctx_str s;
	size_t i;

	for (i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		s.p = tools[i].text;
		s.len = (uint32_t)strlen(s.p);
		check_one(&l, ctx_listing_read(&l, &how, s), tools[i].want,
		    tools[i].text);
	}
	ctx_listing_done(&l);
}

int
main(void)
{
	RUN(test_commands());
	RUN(test_tools());
	return CHECK_DONE("test_listing");
}
