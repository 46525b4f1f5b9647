/* SPDX-License-Identifier: MIT */
/* Import, export and compare; see verify.h. */
#include "store/port/verify.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "read/line.h"
#include "store/port/port_export.h"
#include "store/port/port_import.h"
#include "store/thread.h"

/* Reads the file again, while the store is exported. */
struct proof {
	struct ctx_import *im;		/* scans the lines */
	struct ctx_export x;
	struct ctx_reader in;
	struct ctx_line line;
	int held;			/* line was not compared yet */
	struct ctx_buf row, name;
};

/* The next line of the file, which must be there. */
static int
next_line(struct proof *p, struct ctx_err *err)
{
	int rc;

	if (p->held) {
		p->held = 0;
		return 0;
	}
	rc = ctx_reader_next(&p->in, &p->line, err);
	return rc == 1 ? 0 : rc == -1 ? -1 : ctx_fail(err, CTX_EINPUT,
	    "the store would give back more lines");
}

/*
 * Compare a line of the store's export.  What others write meanwhile makes an
 * export send contents twice.
 */
static int
compare(const char *line, size_t len, void *arg, struct ctx_err *err)
{
	static const char body[] = "{\"row\":\"body\",";
	struct proof *p = arg;

	do {
		if (next_line(p, err) == -1)
			return -1;
		if (p->line.len == len && memcmp(p->line.raw, line, len) == 0)
			return 0;
	} while (p->line.len > sizeof(body) &&
	    memcmp(p->line.raw, body, sizeof(body) - 1) == 0);
	err->line = p->line.no;
	return ctx_fail(err, CTX_EINPUT,
	    "the store would not give back this line");
}

/* The next line begins something: export it from the store. */
static int
prove_next(struct proof *p, struct ctx_err *err)
{
	struct ctx_where w = { NULL, NULL };
	struct ctx_ref ref;

	p->held = 1;
	if (ctx_import_scan(p->im, p->line.raw, p->line.len, &p->row,
	    err) == -1 || ctx_import_text(p->im, "name", &p->name, err) == -1)
		return -1;
	w.thread = p->name.data;
	if (strcmp(p->row.data, "ctx-store") == 0)
		return ctx_export_begin(&p->x, err);
	if (strcmp(p->row.data, "thread") == 0)
		return ctx_thread_find(p->x.st, &w, &ref, err) == -1 ? -1 :
		    ctx_export_thread(&p->x, ref.thread, err);
	if (strcmp(p->row.data, "user") == 0)
		return ctx_export_user(&p->x, p->name.data, err);
	/* the import has counted the lines */
	if (strcmp(p->row.data, "end") == 0)
		return 0;
	err->line = p->line.no;
	return ctx_fail(err, CTX_EINPUT,
	    "the store would not give back this line");
}

static int
prove(struct ctx_store *st, struct ctx_import *im, int fd,
    struct ctx_err *err)
{
	struct proof p = { .im = im };
	int rc;

	p.x.st = st;
	p.x.what = im->memory ? CTX_PORT_MEMORY : CTX_PORT_ALL;
	p.x.fn = compare;
	p.x.arg = &p;
	ctx_reader_init(&p.in, fd);
	while ((rc = ctx_reader_next(&p.in, &p.line, err)) == 1)
		if (prove_next(&p, err) == -1) {
			rc = -1;
			break;
		}
	ctx_reader_done(&p.in);
	ctx_export_done(&p.x);
	ctx_buf_done(&p.row);
	ctx_buf_done(&p.name);
	return rc;
}

static int
take(struct ctx_import *im, int fd, struct ctx_err *err)
{
	int64_t threads;

	if (ctx_import_lines(im, fd, err) == -1 ||
	    ctx_import_end(im, &threads, err) == -1)
		return -1;
	return im->sum_is != CTX_IMPORT_BAD_SUM ? 0 : ctx_fail(err,
	    CTX_EINPUT, "the lines do not match the sum in the last line: "
	    "the export was changed");
}

int
ctx_verify_import(struct ctx_store *st, int fd, struct ctx_verified *sum,
    struct ctx_err *err)
{
	off_t start = lseek(fd, 0, SEEK_CUR);
	struct ctx_import *im = NULL;
	int ok = 0;

	if (start == -1)
		return ctx_fail_errno(err, errno, "cannot read it twice");
	if (ctx_import_new(&im, st, err) == -1 || ctx_db_begin(st, err) == -1)
		goto out;
	ok = take(im, fd, err) == 0;
	if (ok && lseek(fd, start, SEEK_SET) == -1)
		ok = ctx_fail_errno(err, errno, "cannot read it twice") == 0;
	ok = ok && prove(st, im, fd, err) == 0;
	sum->threads = im->threads;
	sum->messages = im->messages;
	sum->sum = im->sum_is == CTX_IMPORT_SUM;
	/* the statements must be gone before a rollback */
	ctx_import_free(im);
	im = NULL;
	ok = ctx_db_end(st, ok, err) == 0;
out:
	ctx_import_free(im);
	return ok ? 0 : -1;
}
