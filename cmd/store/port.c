/* SPDX-License-Identifier: MIT */
/* ctx-store export, import: whole threads as JSON lines. */
#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "read/line.h"
#include "cmd/store/cmd.h"
#include "store/port/foreign.h"
#include "store/port/port.h"

static int
print_line(const char *line, size_t len, void *arg, struct ctx_err *err)
{
	(void)arg;
	return store_write(line, len, err);
}

enum { OPT_TO = CLI_LONG };

static const struct cli_opt plain_opts[] = { STORE_COMMON };

static const struct cli_opt export_opts[] = {
	{ OPT_TO, "to", "PROGRAM", "as a new file of langgraph" },
	STORE_COMMON
};

/* The first operand is the file. */
static int
export_langgraph(struct store *s, struct ctx_err *err)
{
	const char *const *file = (const char *const *)s->cli.file;
	size_t n = (size_t)s->cli.nfile - 1;
	struct ctx_foreign_sum sum = { 0 };

	if (ctx_langgraph_export(s->st, file[0], n > 0 ? file + 1 : NULL, n,
	    &sum, err) == -1)
		return -1;
	cli_warn(&s->cli, "wrote %lld checkpoints of %lld threads",
	    (long long)sum.checkpoints, (long long)sum.threads);
	return 0;
}

static void
export_what(struct store *s, enum ctx_port_what what)
{
	static const char *const programs[] = { "langgraph", NULL };
	struct ctx_err err = { 0 };
	int langgraph = 0, rc;

	while (store_getopt(s) != -1)
		langgraph = cli_word(&s->cli, programs) == 0;
	store_operands(s, langgraph, 1 << 20, "a file");
	if (store_open(s) == -1)
		return;
	if (langgraph)
		rc = export_langgraph(s, &err);
	else
		rc = ctx_port_export(s->st, what, s->cli.nfile > 0 ?
		    (const char *const *)s->cli.file : NULL,
		    (size_t)s->cli.nfile, print_line, NULL, &err);
	if (rc == -1)
		store_report(s, NULL, &err);
	if (rc == -1 && strstr(err.text, ": damaged") != NULL)
		cli_error(&s->cli, CLI_SYSTEM, "the export is not complete; "
		    "ctx-store recover OLD NEW writes all that is whole into a "
		    "new store");
}

static void
export_run(struct store *s)
{
	export_what(s, CTX_PORT_ALL);
}

static void
memory_export_run(struct store *s)
{
	export_what(s, CTX_PORT_MEMORY);
}

/*
 * A thread is one transaction, and nobody may wait for our input while we hold
 * the writers' lock: what is not a file goes to one first.  Returns its
 * descriptor, or -1.
 */
static int
spool(struct ctx_err *err)
{
	struct stat sb;
	FILE *tmp;
	int fd = -1;

	if (fstat(STDIN_FILENO, &sb) == 0 && S_ISREG(sb.st_mode))
		return dup(STDIN_FILENO);
	if ((tmp = tmpfile()) != NULL) {
		fd = dup(fileno(tmp));
		fclose(tmp);
	}
	if (fd != -1 && ctx_fd_copy(STDIN_FILENO, fd) == 0 &&
	    lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	ctx_fail_errno(err, errno, "temporary file");
	if (fd != -1)
		close(fd);
	return -1;
}

static void
take_lines(struct store *s, struct ctx_import *im, int fd, const char *file)
{
	struct ctx_reader in;
	struct ctx_err err = { 0 };
	struct ctx_line line;
	int64_t threads;
	int rc;

	ctx_reader_init(&in, fd);
	while ((rc = ctx_reader_next(&in, &line, &err)) == 1)
		if (ctx_import_line(im, line.raw, line.len, &err) == -1) {
			err.line = line.no;
			rc = -1;
			break;
		}
	if (ctx_import_end(im, &threads, rc == 0 ? &err : NULL) == -1 ||
	    rc == -1)
		store_report(s, file, &err);
	ctx_reader_done(&in);
	cli_warn(&s->cli, "imported %lld threads", (long long)threads);
}

enum { OPT_FROM = CLI_LONG };

static const struct cli_opt import_opts[] = {
	{ OPT_FROM, "from", "PROGRAM", "claude-code, codex, langgraph, "
	    "openai-agents, llm" },
	STORE_COMMON
};

static void
import_foreign(struct store *s, enum ctx_foreign kind)
{
	struct ctx_foreign_sum sum = { 0 };
	struct ctx_err err = { 0 };
	int i;

	store_operands(s, 1, 1 << 20, "a file");
	if (store_open(s) == -1)
		return;
	for (i = 0; i < s->cli.nfile; i++) {
		if (ctx_foreign_import(s->st, kind, s->cli.file[i], &sum,
		    &err) == -1)
			store_report(s, s->cli.file[i], &err);
		ctx_err_clear(&err);
	}
	cli_warn(&s->cli, "imported %lld threads, %lld messages, %lld "
	    "checkpoints", (long long)sum.threads, (long long)sum.messages,
	    (long long)sum.checkpoints);
}

static void
import_run(struct store *s)
{
	static const char *const programs[] = { "claude-code", "codex",
	    "langgraph", "openai-agents", "llm", NULL };
	const char *file = "-";
	struct ctx_import *im = NULL;
	struct ctx_err err = { 0 };
	int fd, kind = -1;

	while (store_getopt(s) != -1)
		kind = cli_word(&s->cli, programs);
	if (kind != -1) {
		import_foreign(s, (enum ctx_foreign)kind);
		return;
	}
	store_operands(s, 0, 1, "");
	if (s->cli.nfile == 1)
		file = s->cli.file[0];
	fd = strcmp(file, "-") == 0 ? spool(&err) :
	    store_open_input(file, &err);
	if (fd == -1) {
		store_report(s, file, &err);
		return;
	}
	if (store_open(s) == 0) {
		if (ctx_import_new(&im, s->st, &err) == -1)
			store_report(s, NULL, &err);
		else
			take_lines(s, im, fd, file);
		ctx_import_free(im);
	}
	close(fd);
}

const struct store_cmd store_port_cmds[] = {
	{ "export", CTX_STORE_READ, export_run, { "ctx-store export",
	    "[--to PROGRAM FILE] [THREAD ...]", "Write threads, all of them "
	    "by default, as JSON lines for import.", export_opts } },
	{ "memory export", CTX_STORE_READ, memory_export_run,
	    { "ctx-store memory export", "[THREAD ...]",
	    "Write what threads remember, and nothing else, for import.",
	    plain_opts } },
	{ "import", CTX_STORE_CREATE, import_run, { "ctx-store import",
	    "[--from PROGRAM FILE ...] [FILE]",
	    "Take in what export wrote, or another program's sessions.",
	    import_opts } },
	{ 0 }
};
