/* SPDX-License-Identifier: MIT */
/*
 * The option table: it stores the words of argv in a struct, or refuses them.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cli.h"

struct sub {
	uint32_t depth;
};

struct all {
	int flag, picked, word;
	uint32_t small;
	uint64_t large, age;
	struct ctx_ratio ratio;
	const char *text, *called;
	struct cli_args list;
	struct sub sub;
};

static const char *const hows[] = { "keep", "drop", "note", NULL };

static void
call(struct cli *c, void *place)
{
	const char **called = place;

	*called = c->arg != NULL ? c->arg : "none";
}

#define OPT_OF struct sub
static const struct cli_opt sub_opts[] = {
	OPT_NUM('d', "depth", "N", depth, 0, 9, "how deep"),
	OPT_END
};
#undef OPT_OF

#define OPT_OF struct all
static const struct cli_opt opts[] = {
	OPT_GROUP("All"),
	OPT_FLAG('f', "flag", flag, "a flag"),
	OPT_PICK(0, "one", picked, 1, "the first"),
	OPT_PICK(0, "two", picked, 2, "the second"),
	OPT_NUM('n', "small", "N", small, 1, 100, "a number"),
	OPT_NUM(0, "large", "=N", large, 0, UINT64_MAX / 4, "a large one",
	    .unless = 7),
	OPT_AGE(0, "age", "AGE", age, 100 * 86400, "how old"),
	OPT_RATIO(0, "ratio", "R", ratio, "a share"),
	OPT_WORD('w', "word", "HOW", word, hows, "a word"),
	OPT_TEXT('t', "text", "T", text, "a text", .needs = "flag small"),
	OPT_LIST('l', "list", "X", list, "one more", .excludes = "two"),
	OPT_CALL(0, "call", "=X", called, call, "a call"),
	OPT_SUB(sub, sub_opts),
	CLI_COMMON
};
#undef OPT_OF

static const struct cli_cmd cmd = { "ctx-test", "[FILE ...]", "Tests.", opts,
	NULL };

#define WORDS 12

/* The words after the command's name end with NULL. */
static void
parse(struct cli *c, struct all *a, char **argv, const char *const *word)
{
	int n = 0;

	argv[n++] = (char *)(uintptr_t)"ctx-test";
	for (; word[n - 1] != NULL; n++)
		argv[n] = (char *)(uintptr_t)word[n - 1];
	argv[n] = NULL;
	*a = (struct all){ 0 };
	cli_init(c, &cmd, n, argv);
	cli_options(c, a);
}

#define PARSE(...) parse(&c, &a, argv, (const char *const[WORDS]){ __VA_ARGS__ })

static void
test_values(void)
{
	char *argv[WORDS + 2];
	struct all a;
	struct cli c;

	PARSE("--flag", "--two", "--small", "8", "--large=5k", "--age", "2h");
	CHECK_INT(a.flag, 1);
	CHECK_INT(a.picked, 2);
	CHECK_INT(a.small, 8);
	CHECK_INT(a.large, 5000);
	CHECK_INT(a.age, 7200);
	CHECK_INT(c.nfile, 0);
	PARSE("--ratio", "50%", "--word=note", "--call", "--call=x", "-d3",
	    "--large");
	CHECK_INT(a.ratio.num * 2, a.ratio.den);
	CHECK_INT(a.word, 2);
	CHECK_STR(a.called, "x");
	CHECK_INT(a.sub.depth, 3);
	CHECK_INT(a.large, 7);
	/* an optional argument is never a separate word */
	PARSE("--call", "x");
	CHECK_STR(a.called, "none");
	CHECK_INT(c.nfile, 1);
}

static void
test_words(void)
{
	char *argv[WORDS + 2];
	struct all a;
	struct cli c;

	/* letters can be joined; the last one can have its argument */
	PARSE("-fn5", "-ta b", "-l", "1", "-l2");
	CHECK_INT(a.flag, 1);
	CHECK_INT(a.small, 5);
	CHECK_STR(a.text, "a b");
	CHECK_INT(a.list.n, 2);
	CHECK_STR(a.list.v[0], "1");
	CHECK_STR(a.list.v[1], "2");
	CHECK_INT(cli_given(&c, "small"), 1);
	CHECK_INT(cli_given(&c, "large"), 0);
	cli_args_done(&a.list);
	/*
	 * operands can be anywhere; "-" is one, and so is everything after --
	 */
	PARSE("a", "-f", "-", "--small", "7", "--", "-f", "--x");
	CHECK_INT(a.small, 7);
	CHECK_INT(c.nfile, 4);
	CHECK_STR(c.file[0], "a");
	CHECK_STR(c.file[1], "-");
	CHECK_STR(c.file[2], "-f");
	CHECK_STR(c.file[3], "--x");
	/* the last one takes effect */
	PARSE("--small", "7", "-n9");
	CHECK_INT(a.small, 9);
}

/* The messages before exit 2. */
static const struct {
	const char *word[5];
	const char *says;
} refused[] = {
	{ { "--smal", "3" }, "unknown option --smal; did you mean --small?" },
	{ { "--zzzzzz" }, "unknown option --zzzzzz" },
	{ { "-z" }, "unknown option -z" },
	{ { "-fz" }, "unknown option -z" },
	{ { "--small" }, "--small needs an argument" },
	{ { "-n" }, "-n needs an argument" },
	{ { "--flag=1" }, "--flag takes no argument" },
	{ { "-nx" }, "-n: 'x' is not a number such as 40, 8k or 8Ki" },
	{ { "--small=0" }, "--small: 0 is out of range (1 to 100)" },
	{ { "--small", "101" }, "--small: 101 is out of range (1 to 100)" },
	{ { "-w", "kep" }, "-w: 'kep' is not one of keep, drop, note; "
	    "did you mean keep?" },
	{ { "--one", "--two" }, "--one and --two cannot be used together" },
	{ { "-l1", "--two" }, "-l and --two cannot be used together" },
	{ { "-ta" }, "-t needs --flag or --small" },
	{ { "--depth", "10" }, "--depth: 10 is out of range (0 to 9)" }
};

static void
test_refused(size_t i)
{
	char *argv[WORDS + 2], said[400], want[400];
	struct all a;
	struct cli c;
	ssize_t n;
	int fd[2], status = 0;
	pid_t pid;

	if (pipe(fd) == -1 || (pid = fork()) == -1)
		abort();
	if (pid == 0) {
		dup2(fd[1], STDERR_FILENO);
		parse(&c, &a, argv, refused[i].word);
		_exit(0);
	}
	close(fd[1]);
	for (n = 0; n < (ssize_t)sizeof(said);) {
		ssize_t more = read(fd[0], said + n, sizeof(said) - (size_t)n);

		if (more <= 0)
			break;
		n += more;
	}
	close(fd[0]);
	waitpid(pid, &status, 0);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 2);
	snprintf(want, sizeof(want), "ctx-test: %s\nsee 'ctx-test --help'\n",
	    refused[i].says);
	CHECK_MEM(said, (size_t)n, want);
}

int
main(void)
{
	size_t i;

	RUN(test_values());
	RUN(test_words());
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		TEST("refused: %s", refused[i].says);
		test_refused(i);
	}
	return CHECK_DONE("cli_opt");
}
