/* SPDX-License-Identifier: MIT */
/* Transactions that memory runs out in. */
#include "store/db.h"

#include "nomem.h"
#include "stores.h"

/* After a read, whatever failed at its end, there is no transaction any more. */
static void
test_read_end(void)
{
	struct ctx_store *st = new_store();
	struct ctx_err err = { 0 };
	int failed, n = 0;

	do {
		if (!CHECK(ctx_db_read(st, &err) == 0))
			break;
		ctx_db_forget(st);
		nomem(n++);
		ctx_db_read_end(st);
		failed = nomem_failed();
	} while (failed);
	CHECK_STR(err.text, "");
	CHECK_INT(ctx_store_close(st, &err), 0);
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		return 1;
	RUN(test_read_end());
	remove_folder();
	return CHECK_DONE("db");
}
