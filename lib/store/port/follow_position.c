/* SPDX-License-Identifier: MIT */
/* Positions of stores that follow others; see follow.h. */
#include "store/port/follow.h"

#include <stdlib.h>
#include <string.h>

#include "read/node.h"
#include "store/change.h"
#include "store/port/follow_impl.h"
#include "store/port/port_import.h"
#include "store/row.h"

int
ctx_position_place(struct ctx_store *st, struct ctx_position *pos,
    struct ctx_err *err)
{
	char *place;
	int rc = ctx_db_text(st, &place, err, "SELECT value FROM meta WHERE"
	    " key = 'place'", "");

	if (rc == -1)
		return -1;
	if (rc == 0 || strlen(place) >= sizeof(pos->store))
		rc = ctx_fail(err, CTX_ESYSTEM, "%s: damaged: it has no name",
		    st->path);
	else
		memcpy(pos->store, place, strlen(place) + 1);
	free(place);
	return rc == -1 ? -1 : 0;
}

/* The position of a copy of the store as it is. */
static int
own_position(struct ctx_store *st, struct ctx_position *pos,
    struct ctx_err *err)
{
	int64_t n = 0;

	if (ctx_db_int(st, &n, err, "SELECT EXISTS (SELECT 1 FROM thread) OR"
	    " EXISTS (SELECT 1 FROM user_state) OR EXISTS (SELECT 1 FROM"
	    " event)", "") == -1)
		return -1;
	if (n == 0)
		return 0;
	if (ctx_changes_copy(st, &pos->change, &pos->thread, &pos->message,
	    err) == -1)
		return -1;
	return ctx_position_place(st, pos, err);
}

int
ctx_position_get(struct ctx_store *st, struct ctx_position *pos,
    struct ctx_err *err)
{
	char *row = NULL;
	int rc;

	memset(pos, 0, sizeof(*pos));
	if (ctx_db_read(st, err) == -1)
		return -1;
	rc = ctx_db_text(st, &row, err, "SELECT value FROM meta WHERE"
	    " key = 'follows'", "");
	if (rc == 1)
		rc = ctx_position_scan(pos, row, strlen(row), err);
	else if (rc == 0)
		rc = own_position(st, pos, err);
	ctx_db_read_end(st);
	free(row);
	return rc;
}

int
ctx_position_put(struct ctx_store *st, const struct ctx_position *pos,
    struct ctx_err *err)
{
	struct ctx_buf row = { 0 };
	int rc;

	ctx_position_row(&row, pos);
	rc = ctx_buf_fail(&row, err);
	if (rc == 0)
		rc = ctx_db_run(st, err, "INSERT INTO meta VALUES('follows',"
		    " ?1) ON CONFLICT(key) DO UPDATE SET value = ?1", "t",
		    row.data, row.len - 1);
	ctx_buf_done(&row);
	return rc;
}

void
ctx_position_row(struct ctx_buf *row, const struct ctx_position *pos)
{
	ctx_row_begin(row);
	ctx_row_text(row, "store", *pos->store != '\0' ? pos->store : NULL);
	if (*pos->store != '\0')
		ctx_position_add(row, pos);
	ctx_row_end(row);
}

void
ctx_position_add(struct ctx_buf *row, const struct ctx_position *pos)
{
	ctx_row_int(row, "change", pos->change);
	ctx_row_int(row, "thread", pos->thread);
	ctx_row_text(row, "sum", pos->sum);
	ctx_row_int(row, "message", pos->message);
}

int
ctx_position_members(const struct ctx_import *im, struct ctx_position *pos,
    struct ctx_err *err)
{
	struct ctx_buf sum = { 0 };
	int ok = ctx_import_text(im, "sum", &sum, err) == 0 &&
	    sum.len < sizeof(pos->sum);

	if (ok)
		memcpy(pos->sum, sum.data, sum.len + 1);
	ctx_buf_done(&sum);
	return !ok || ctx_import_number(im, "change", &pos->change) == -1 ||
	    ctx_import_number(im, "thread", &pos->thread) == -1 ||
	    ctx_import_number(im, "message", &pos->message) == -1 ||
	    pos->change < 0 || pos->thread < 0 || pos->message < 0 ? -1 : 0;
}

int
ctx_position_same(const struct ctx_position *a, const struct ctx_position *b)
{
	return strcmp(a->store, b->store) == 0 && a->change == b->change &&
	    a->thread == b->thread && strcmp(a->sum, b->sum) == 0 &&
	    a->message == b->message;
}

/* The member "store" is null in the position of an empty store. */
static int
scan(struct ctx_position *pos, struct ctx_import *im, const char *line,
    size_t len, struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	int rc = ctx_import_scan(im, line, len, &text, err);

	memset(pos, 0, sizeof(*pos));
	if (rc == 0 && CTX_GET(&im->doc, 0, "store") == CTX_NONE)
		rc = -1;
	if (rc == 0 && ctx_node_given(&im->doc, CTX_GET(&im->doc, 0,
	    "store")) != CTX_NONE) {
		rc = ctx_import_text(im, "store", &text, err);
		if (rc == 0 && (text.len == 0 ||
		    text.len >= sizeof(pos->store) ||
		    ctx_position_members(im, pos, err) == -1))
			rc = -1;
		if (rc == 0)
			memcpy(pos->store, text.data, text.len + 1);
	}
	ctx_buf_done(&text);
	return rc;
}

int
ctx_position_scan(struct ctx_position *pos, const char *line, size_t len,
    struct ctx_err *err)
{
	struct ctx_import *im = NULL;
	int rc;

	if (ctx_import_new(&im, NULL, err) == -1)
		return -1;
	rc = scan(pos, im, line, len, err);
	ctx_import_free(im);
	if (rc == -1 && err->code != CTX_ENOMEM) {
		ctx_err_clear(err);
		ctx_fail(err, CTX_EINPUT, "not a position as 'ctx-store import "
		    "--position' writes it");
	}
	return rc;
}
