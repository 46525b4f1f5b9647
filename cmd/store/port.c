/* SPDX-License-Identifier: MIT */
/* ctx-store export, import: whole threads as JSON lines. */
#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "cli_kind.h"
#include "cmd/store/follow.h"
#include "session/intake_line.h"
#include "store/port/foreign.h"
#include "store/port/port.h"
#include "store/port/verify.h"

static int
print_line(const char *line, size_t len, void *arg, struct ctx_err *err)
{
	(void)arg;
	return store_write(line, len, err);
}

/* Options as indexes of words; -1 if not given. */
struct port {
	int to, only, from;
	int verify, dry_run;
	int follow, put_position;
	const char *position;
};

static const char *const targets[] = { "langgraph", NULL };
static const char *const parts[] = { "memory", NULL };
static const char *const sources[] = { "claude-code", "codex", "langgraph",
	"openai-agents", "llm", NULL };

#define OPT_OF struct port
static const struct cli_opt export_opts[] = {
	OPT_WORD(0, "only", "WHAT", only, parts, "export only this part"),
	OPT_WORD(0, "to", "PROGRAM", to, targets,
	    "write a file for this program, named by the first operand",
	    .excludes = "only"),
	OPT_GROUP("A store that follows"),
	OPT_FLAG(0, "follow", follow,
	    "write all that changes for import --follow, until a signal",
	    .excludes = "only to"),
	OPT_TEXT(0, "position", "FILE", position,
	    "write only what changed since this position",
	    .excludes = "only to"),
	STORE_COMMON
};
static const struct cli_opt import_opts[] = {
	OPT_WORD(0, "from", "PROGRAM", from, sources,
	    "program that wrote the files"),
	OPT_FLAG(0, "verify", verify,
	    "store all or nothing, and only what export gives back unchanged",
	    .excludes = "from"),
	OPT_FLAG(0, "dry-run", dry_run,
	    "with --verify, use an empty store that is removed again",
	    .excludes = "from"),
	OPT_GROUP("A store that follows"),
	OPT_FLAG(0, "follow", follow,
	    "read what export --follow or --position writes",
	    .excludes = "from verify"),
	OPT_FLAG(0, "position", put_position,
	    "print the position that export --position takes",
	    .excludes = "from verify follow"),
	STORE_COMMON
};

/* Export to a LangGraph database; the first operand is the file. */
static int
export_langgraph(struct store *s, struct ctx_err *err)
{
	const char *const *file = (const char *const *)s->cli.file;
	size_t n = (size_t)s->cli.nfile - 1;
	struct ctx_foreign_sum sum = { 0 };

	if (ctx_langgraph_export(s->st, file[0], n > 0 ? file + 1 : NULL, n,
	    &sum, err) == -1)
		return -1;
	cli_warn(&s->cli, "wrote %lld checkpoint%s of %lld thread%s",
	    (long long)sum.checkpoints, CLI_S(sum.checkpoints),
	    (long long)sum.threads, CLI_S(sum.threads));
	return 0;
}

static void
refuse_user(struct store *s, int follows)
{
	if (follows && s->user != NULL)
		cli_usage(&s->cli, "a whole store is followed, not the threads "
		    "of one user (--user or CTX_USER)");
}

static int
export_run(struct store *s, struct ctx_err *err)
{
	struct ctx_port_want want = { CTX_PORT_ALL, NULL, 0 };
	struct port o = { .to = -1, .only = -1, .from = -1 };
	int rc;

	store_options(s, &o);
	if (o.only != -1)
		want.what = CTX_PORT_MEMORY;
	if (s->cli.nfile > 0)
		want.names = (const char *const *)s->cli.file;
	want.n = (size_t)s->cli.nfile;
	if (o.to != -1 && s->cli.nfile == 0)
		cli_usage(&s->cli, "--to needs the name of the file to write");
	if ((o.follow || o.position != NULL) && s->cli.nfile > 0)
		cli_usage(&s->cli, "a whole store is followed, not a thread");
	refuse_user(s, o.follow || o.position != NULL);
	if (o.follow || o.position != NULL)
		return store_follow_export(s, o.position, o.follow, err);
	if ((rc = store_open(s, err)) == 0)
		rc = o.to != -1 ? export_langgraph(s, err) :
		    ctx_port_export(s->st, &want, print_line, NULL, err);
	if (rc == 0 || strstr(err->text, ": damaged") == NULL)
		return rc;
	store_report(s, NULL, err);
	cli_error(&s->cli, CLI_SYSTEM, "the export is incomplete; 'ctx-store "
	    "recover OLD NEW' saves what is undamaged to a new store");
	return -1;
}

/*
 * A thread is one transaction, and other writers must not wait for our input
 * while we hold their lock, so input that is not a file is copied to one
 * first.  Returns its descriptor, or -1.
 */
static int
spool(const char *file, struct ctx_err *err)
{
	int in = store_open_input(file, err), fd = -1;
	struct stat sb;
	FILE *tmp;

	if (in == -1)
		return -1;
	if (fstat(in, &sb) == 0 && S_ISREG(sb.st_mode))
		return in == STDIN_FILENO ? dup(in) : in;
	if ((tmp = tmpfile()) != NULL) {
		fd = dup(fileno(tmp));
		fclose(tmp);
	}
	if (fd == -1 || ctx_fd_copy(in, fd) == -1 ||
	    lseek(fd, 0, SEEK_SET) == -1) {
		ctx_fail_errno(err, errno, "temporary file");
		if (fd != -1)
			close(fd);
		fd = -1;
	}
	if (in != STDIN_FILENO)
		close(in);
	return fd;
}

/* Say what the file is, if its first line shows that. */
static void
explain(int fd, struct ctx_err *err)
{
	char begin[512];
	ssize_t n = pread(fd, begin, sizeof(begin), 0);

	if (n > 0)
		cli_kind(begin, (size_t)n, err->col, "ctx-store import",
		    err->text, sizeof(err->text));
}

static void
take_lines(struct store *s, struct ctx_import *im, int fd, const char *file)
{
	struct ctx_err err = { 0 };
	int64_t threads;
	int rc = ctx_import_lines(im, fd, &err);

	if (rc == -1 && err.code == CTX_EINPUT && err.line == 1)
		explain(fd, &err);

	if (ctx_import_end(im, &threads, rc == 0 ? &err : NULL) == -1 ||
	    rc == -1)
		store_report(s, file, &err);
	cli_warn(&s->cli, "imported %lld thread%s", (long long)threads,
	    CLI_S(threads));
}

/* A ctx_foreign_role_fn: as append does. */
static int
set_role(void *intake, struct ctx_entry *line, struct ctx_err *err)
{
	return ctx_intake_line_role(intake, line, err);
}

static int
import_foreign(struct store *s, enum ctx_foreign kind, struct ctx_err *err)
{
	struct ctx_intake intake = { 0 };
	struct ctx_foreign_sum sum = { .role = set_role, .arg = &intake };
	int i;

	if (store_open(s, err) == -1)
		return -1;
	for (i = 0; i < s->cli.nfile; i++) {
		intake.dialect = NULL;
		if (ctx_foreign_import(s->st, kind, s->cli.file[i], &sum,
		    err) == -1)
			store_report(s, s->cli.file[i], err);
	}
	ctx_intake_done(&intake);
	/* a log has records that are no messages, too */
	cli_warn(&s->cli, "imported %lld thread%s, %lld %s%s, %lld "
	    "checkpoint%s", (long long)sum.threads, CLI_S(sum.threads),
	    (long long)sum.messages, kind == CTX_FOREIGN_CLAUDE_CODE ||
	    kind == CTX_FOREIGN_CODEX ? "record" : "message",
	    CLI_S(sum.messages),
	    (long long)sum.checkpoints, CLI_S(sum.checkpoints));
	return 0;
}

/* Import a file, all or nothing. */
static int
verify(struct store *s, int fd, const char *file)
{
	struct ctx_verified sum = { 0 };
	struct ctx_err err = { 0 };

	if (ctx_verify_import(s->st, fd, &sum, &err) == -1)
		return store_report(s, file, &err);
	cli_warn(&s->cli, "verified %lld thread%s, %lld message%s%s",
	    (long long)sum.threads, CLI_S(sum.threads),
	    (long long)sum.messages, CLI_S(sum.messages),
	    sum.sum ? "" : "; an older version wrote the export, without a "
	    "sum of all lines");
	return 0;
}

static int
import_lines(struct store *s, const struct port *o, int fd,
    const char *file, struct ctx_err *err)
{
	struct ctx_import *im = NULL;
	int rc = o->dry_run ? ctx_store_open_temp(&s->st, NULL, err) :
	    store_open(s, err);

	if (rc == 0 && o->verify) {
		store_watch_file(s, file, fd);
		return verify(s, fd, file);
	}
	if (rc == 0)
		rc = ctx_import_new(&im, s->st, err);
	store_watch_file(s, file, fd);
	if (rc == 0)
		take_lines(s, im, fd, file);
	ctx_import_free(im);
	return rc;
}

static int
import_run(struct store *s, struct ctx_err *err)
{
	struct port o = { .to = -1, .only = -1, .from = -1 };
	const char *file;
	int fd, rc;

	store_options(s, &o);
	if (o.from != -1 && s->cli.nfile == 0)
		cli_usage(&s->cli, "--from needs a FILE to read");
	if (o.dry_run && !o.verify)
		cli_usage(&s->cli, "--dry-run needs --verify");
	if (o.from != -1)
		return import_foreign(s, (enum ctx_foreign)o.from, err);
	if (s->cli.nfile > 1)
		cli_usage(&s->cli,
		    "too many arguments: only --from takes more than one FILE");
	file = s->cli.nfile == 1 ? s->cli.file[0] : "-";
	refuse_user(s, o.follow || o.put_position);
	if (o.put_position)
		return store_follow_position(s, err);
	if (o.follow)
		return store_follow_import(s, file, err);
	fd = strcmp(file, "-") == 0 || o.verify ? spool(file, err) :
	    store_open_input(file, err);
	if (fd == -1)
		return store_report(s, file, err);
	rc = import_lines(s, &o, fd, file, err);
	close(fd);
	return rc;
}

const struct store_cmd store_port_cmds[] = {
	STORE_CMD("export", READ, export_run, "[THREAD ...]",
	    "Write threads, by default all, as JSON lines for import.",
	    export_opts),
	STORE_CMD("import", CREATE, import_run, "[FILE ...]",
	    "Import exported threads, or the sessions of another program.",
	    import_opts),
	STORE_END
};
