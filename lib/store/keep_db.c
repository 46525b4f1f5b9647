/* SPDX-License-Identifier: MIT */
/* Which SQLite this is; see keep.h. */
#include "store/keep.h"

#include <sqlite3.h>

int
ctx_keep_wal_defect(void)
{
	return sqlite3_libversion_number() >= 3007000 &&
	    sqlite3_libversion_number() < 3051003;
}

const char *
ctx_keep_library(void)
{
	return sqlite3_libversion();
}
