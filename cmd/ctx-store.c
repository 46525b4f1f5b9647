/* SPDX-License-Identifier: MIT */
/* ctx-store - keep sessions: their messages, checkpoints, memory and files. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_help.h"
#include "cmd/store/cmd.h"
#include "store/row.h"

/* The commands in the groups of --help. */
static const struct group {
	const char *name;
	const struct store_cmd *table[6];	/* ends with NULL */
} groups[] = {
	{ "Messages", { store_append_cmds, store_load_cmds,
	    store_search_cmds, store_relevant_cmds, store_embed_cmds } },
	{ "Threads", { store_list_cmds } },
	{ "Checkpoints, views, state", { store_checkpoint_cmds,
	    store_view_cmds, store_state_cmds, store_summary_cmds } },
	{ "Memory and files", { store_memory_cmds, store_code_cmds,
	    store_extract_cmds, store_expand_cmds, store_upload_cmds } },
	{ "Agents", { store_agent_cmds } },
	{ "The store itself", { store_port_cmds, store_recover_cmds,
	    store_keep_cmds } },
};
#define NGROUPS (sizeof(groups) / sizeof(groups[0]))

/* Every command; all zero is before the first. */
struct each {
	size_t group, table, row;
};

static const struct store_cmd *
next_command(struct each *e)
{
	const struct store_cmd *const *table;

	for (; e->group < NGROUPS; e->group++, e->table = 0) {
		table = groups[e->group].table;
		for (; table[e->table] != NULL; e->table++, e->row = 0)
			if (table[e->table][e->row].run != NULL)
				return &table[e->table][e->row++];
	}
	return NULL;
}

static void
list_commands(int for_programs)
{
	const char *group = NULL;
	const struct store_cmd *cmd;
	struct each e = { 0 };
	char name[40];

	while ((cmd = next_command(&e)) != NULL) {
		if (for_programs) {
			printf("command\t%s\t%s\t%s\n", STORE_NAME(cmd),
			    groups[e.group].name, cmd->cli.about);
			continue;
		}
		if (group != groups[e.group].name)
			printf("\n%s:\n", groups[e.group].name);
		group = groups[e.group].name;
		snprintf(name, sizeof(name), "  %s", STORE_NAME(cmd));
		cli_help_row(name, 17, cmd->cli.about);
	}
}

static void
take_db(struct cli *c, void *place)
{
	(void)place;
	((struct store *)c)->db = c->arg;
}

static void
take_context(struct cli *c, void *place)
{
	(void)place;
	((struct store *)c)->where.context = c->arg;
}

static void
take_commands(struct cli *c, void *place)
{
	const struct store_cmd *cmd;
	struct each e = { 0 };

	(void)place;
	while ((cmd = next_command(&e)) != NULL)
		printf("%-16s %s\n", STORE_NAME(cmd), cmd->cli.about);
	exit(cli_end(c));
}

const struct cli_opt store_common[] = {
	OPT_GROUP(CLI_EVERY),
	OPT_DO(0, "db", "FILE", take_db, "the database"),
	OPT_ROWS(cli_common),
	OPT_END
};
const struct cli_opt store_context[] = {
	OPT_DO('c', "context", "NAME", take_context,
	    "this context, not the thread's head"),
	OPT_END
};
const struct cli_opt store_plain_opts[] = { STORE_COMMON };
const struct cli_opt store_context_opts[] = { STORE_CONTEXT, STORE_COMMON };

static const struct cli_opt opts[] = {
	OPT_DO(0, "commands", NULL, take_commands, "list the commands"),
	STORE_COMMON
};
static const struct cli_cmd top = {
	"ctx-store", "COMMAND [ARGUMENT ...]",
	"Keep sessions in one SQLite file.  ctx-store COMMAND --help explains "
	"one.", opts, list_commands
};

/* Nobody reads our output: what SIGPIPE would have done, after closing. */
int store_no_reader;

/* Does "ID", "[ID" or "[@N" begin at p, and no part of another? */
static int
begins_operand(const char *usage, const char *p)
{
	if ((*p < 'A' || *p > 'Z') && *p != '@')
		return 0;
	if (p > usage && p[-1] == '[')
		p--;
	return p == usage || p[-1] == ' ';
}

/* How many operands a usage asks for; *max of them at most. */
static int
count_operands(const char *usage, int *max)
{
	int min = 0, depth = 0;
	const char *p;

	*max = 0;
	for (p = usage; *p != '\0'; p++) {
		depth += *p == '[' ? 1 : *p == ']' ? -1 : 0;
		if (strncmp(p, "...", 3) == 0)
			*max = INT_MAX;
		if (!begins_operand(usage, p))
			continue;
		min += depth == 0;
		*max += *max < INT_MAX;
	}
	return min;
}

void
store_options(struct store *s, void *place)
{
	const char *usage = s->cmd->cli.operands;
	int max, min = count_operands(usage, &max);

	cli_options(&s->cli, place);
	if (s->cli.nfile < min)
		cli_usage(&s->cli, "needs %s", usage);
	if (s->cli.nfile > max)
		cli_usage(&s->cli, max == 0 ? "takes no operands" :
		    "too many operands: it takes %s", usage);
	if (s->cli.nfile > 0)
		s->where.thread = s->cli.file[0];
}

int64_t
store_version(char *name)
{
	char *at = strrchr(name, '@'), *end;
	long long n;

	if (at == NULL || at[1] < '1' || at[1] > '9')
		return 0;
	n = strtoll(at + 1, &end, 10);
	if (*end != '\0')
		return 0;
	*at = '\0';
	return n;
}

const char *
store_operand(const struct store *s, int i)
{
	return i < s->cli.nfile ? s->cli.file[i] : NULL;
}

int
store_report(struct store *s, const char *file, struct ctx_err *err)
{
	static const struct ctx_err none = { .code = CTX_ERANGE,
	    .text = "failed, and did not say why" };

	/* whatever failed, it is not success */
	if (!store_no_reader)
		cli_report(&s->cli, file, err->code != CTX_OK ? err : &none);
	ctx_err_clear(err);
	return -1;
}

int
store_open(struct store *s, struct ctx_err *err)
{
	return ctx_store_open(&s->st, s->db, s->cmd->mode, err);
}

int
store_each_name(struct store *s, store_name_fn *fn, void *arg,
    struct ctx_err *err)
{
	int i;

	if (store_open(s, err) == -1)
		return -1;
	for (i = 1; i < s->cli.nfile; i++)
		if (fn(s, s->cli.file[i], arg, err) == -1)
			store_report(s, NULL, err);
	return 0;
}

int
store_write(const void *p, size_t n, struct ctx_err *err)
{
	if (fwrite(p, 1, n, stdout) == n)
		return 0;
	store_no_reader = errno == EPIPE;
	return ctx_fail_errno(err, errno, "standard output");
}

int
store_flush(struct ctx_err *err)
{
	if (fflush(stdout) == 0)
		return 0;
	store_no_reader = errno == EPIPE;
	return ctx_fail_errno(err, errno, "standard output");
}

int
store_write_buf(const struct ctx_buf *b, struct ctx_err *err)
{
	return ctx_buf_fail(b, err) == -1 ? -1 :
	    store_write(b->data, b->len, err);
}

int
store_row(struct store *s, struct ctx_err *err)
{
	return store_write_buf(&s->row, err);
}

int
store_put_text(struct store *s, const char *name, const char *text,
    struct ctx_err *err)
{
	ctx_row_begin(&s->row);
	ctx_row_text(&s->row, name, text);
	ctx_row_end(&s->row);
	return store_row(s, err);
}

int
store_open_input(const char *file, struct ctx_err *err)
{
	int fd;

	if (strcmp(file, "-") == 0)
		return STDIN_FILENO;
	if ((fd = open(file, O_RDONLY | O_CLOEXEC)) == -1)
		return ctx_fail_errno(err, errno, "cannot open");
	return fd;
}

int
store_slurp(const char *file, size_t max, struct ctx_buf *out,
    struct ctx_err *err)
{
	int fd = store_open_input(file == NULL ? "-" : file, err), rc = -1;
	ssize_t n;

	if (fd == -1)
		return -1;
	for (;;) {
		if (ctx_buf_reserve(out, 65536) == -1) {
			ctx_fail_nomem(err);
			break;
		}
		n = read(fd, out->data + out->len, out->cap - out->len);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			ctx_fail_errno(err, errno, "reading");
		else if (n == 0)
			rc = 0;
		else if ((out->len += (size_t)n) <= max)
			continue;
		else
			ctx_fail(err, CTX_EINPUT, "more than %zu bytes", max);
		break;
	}
	if (fd != STDIN_FILENO)
		close(fd);
	return rc;
}

/* Is cmd what argv[0], or argv[0] and argv[1], say?  Words, 0: no. */
static int
words_match(const struct store_cmd *cmd, int argc, char *argv[])
{
	const char *name = STORE_NAME(cmd);
	size_t n = strcspn(name, " ");

	if (argc < 1 || strlen(argv[0]) != n || memcmp(argv[0], name, n) != 0)
		return 0;
	if (name[n] == '\0')
		return 1;
	return argc > 1 && strcmp(argv[1], name + n + 1) == 0 ? 2 : 0;
}

static const struct store_cmd *
find_command(int argc, char *argv[], int *words)
{
	const struct store_cmd *cmd;
	struct each e = { 0 };

	while ((cmd = next_command(&e)) != NULL)
		if ((*words = words_match(cmd, argc, argv)) > 0)
			break;
	return cmd;
}

/* Options before the command end at its name. */
static int
count_leading(int argc, char *argv[])
{
	int i = 1;

	while (i < argc && argv[i][0] == '-' && argv[i][1] != '\0') {
		if (strcmp(argv[i], "--") == 0)
			return i;
		if (strcmp(argv[i], "--db") == 0 && i + 1 < argc)
			i++;
		i++;
	}
	return i;
}

/* What others call them, and what they were called. */
static const char *const called[][2] = {
	{ "list", "threads" }, { "ls", "threads" }, { "sessions", "threads" },
	{ "show", "load" }, { "cat", "load" }, { "get", "load" },
	{ "add", "append" }, { "put", "append" }, { "write", "append" },
	{ "find", "search" }, { "grep", "search" },
	{ "delete", "rm" }, { "remove", "rm" }, { "pin", "keep" },
	{ "branch", "fork" }, { "rollback", "fork --head" },
	{ "ckpt", "checkpoint" }, { "remember", "memory put" },
	{ "recall", "memory get" }, { "dump", "export" },
	{ "restore", "import" }, { "repair", "recover" },
};

/* Commands of a noun, of which word is none. */
static void
list_verbs(struct store *s, const char *noun, const char *word)
{
	struct ctx_buf verbs = { 0 };
	const struct store_cmd *cmd;
	struct each e = { 0 };
	size_t n = strlen(noun);
	char quoted[80];

	while ((cmd = next_command(&e)) != NULL)
		if (strncmp(STORE_NAME(cmd), noun, n) == 0 &&
		    STORE_NAME(cmd)[n] == ' ')
			ctx_buf_addf(&verbs, "%s%s", verbs.len > 0 ? ", " : "",
			    STORE_NAME(cmd) + n + 1);
	if (verbs.len == 0)
		return;
	if (ctx_buf_str(&verbs) == NULL)
		cli_nomem(&s->cli);
	if (word == NULL)
		cli_usage(&s->cli, "%s needs one of %s", noun, verbs.data);
	cli_usage(&s->cli, "%s: '%s' is none of %s", noun,
	    ctx_err_quote(quoted, sizeof(quoted), word, strlen(word)),
	    verbs.data);
}

static _Noreturn void
unknown(struct store *s, int argc, char *argv[])
{
	struct cli_like best = { 0 };
	const struct store_cmd *cmd;
	struct each e = { 0 };
	char quoted[80];
	size_t i;

	if (argc < 1)
		cli_usage(&s->cli, "needs a command");
	list_verbs(s, argv[0], argc > 1 ? argv[1] : NULL);
	while ((cmd = next_command(&e)) != NULL)
		cli_like(&best, argv[0], strlen(argv[0]), STORE_NAME(cmd));
	for (i = 0; i < sizeof(called) / sizeof(called[0]); i++)
		if (strcmp(called[i][0], argv[0]) == 0)
			best.word = called[i][1];
	ctx_err_quote(quoted, sizeof(quoted), argv[0], strlen(argv[0]));
	if (best.word != NULL)
		cli_usage(&s->cli, "unknown command '%s'; did you mean '%s'?",
		    quoted, best.word);
	cli_usage(&s->cli, "unknown command '%s'", quoted);
}

static int
finish(struct store *s)
{
	struct ctx_err err = { 0 };

	store_flush(NULL);
	if (ctx_store_close(s->st, &err) == -1)
		store_report(s, NULL, &err);
	ctx_buf_done(&s->row);
	if (store_no_reader) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	return cli_end(&s->cli);
}

int
main(int argc, char *argv[])
{
	int n = count_leading(argc, argv), words;
	struct ctx_err err = { 0 };
	struct store s = { 0 };

	/*
	 * Killed by SIGPIPE, a reader would leave the log's files behind; so
	 * writing fails instead, and finish does the rest.
	 */
	signal(SIGPIPE, SIG_IGN);
	cli_init(&s.cli, &top, n, argv);
	cli_options(&s.cli, &s);
	s.cmd = find_command(argc - n, argv + n, &words);
	if (s.cmd == NULL)
		unknown(&s, argc - n, argv + n);
	cli_init(&s.cli, &s.cmd->cli, argc - n - words + 1,
	    argv + n + words - 1);
	/* what has been said already left no error, but an exit code */
	if (s.cmd->run(&s, &err) == -1 && (err.code != CTX_OK ||
	    s.cli.worst == CLI_OK))
		store_report(&s, NULL, &err);
	return finish(&s);
}
