/* SPDX-License-Identifier: MIT */
/* The pages of a file; see measure.h. */
#include "store/measure.h"

#include "store/db.h"

int
ctx_measure_pages(struct ctx_store *st, struct ctx_measured_file *f,
    struct ctx_err *err)
{
	if (ctx_db_int(st, &f->used, err, "SELECT (page_count -"
	    " freelist_count) * page_size FROM pragma_page_count,"
	    " pragma_freelist_count, pragma_page_size", "") == -1)
		return -1;
	/* an empty table or index has one page */
	return ctx_db_int(st, &f->fixed, err, "SELECT count(*) * page_size"
	    " FROM sqlite_schema, pragma_page_size WHERE rootpage > 0",
	    "") == -1 ? -1 : 0;
}
