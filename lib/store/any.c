/* SPDX-License-Identifier: MIT */
/* What is the same for every kind of store; see store.h. */
#include "store/store.h"

#include <string.h>

#include "base/utf8.h"
#include "store/db.h"

int
ctx_store_name_check(const char *what, const char *name, size_t len,
    struct ctx_err *err)
{
	if (len == 0)
		return ctx_fail(err, CTX_EUSAGE, "%s: the name is empty", what);
	if (len > CTX_NAME_MAX)
		return ctx_fail(err, CTX_EUSAGE,
		    "%s: the name has %zu bytes; the limit is %d", what, len,
		    CTX_NAME_MAX);
	if (memchr(name, '\0', len) != NULL)
		return ctx_fail(err, CTX_EUSAGE,
		    "%s: the name contains a NUL byte", what);
	if (ctx_utf8_check(name, len) != len)
		return ctx_fail(err, CTX_EUSAGE, "%s: the name is not UTF-8",
		    what);
	return 0;
}

void
ctx_store_user(struct ctx_store *st, const char *user)
{
	st->user = user;
	st->last = 0;
}

const char *
ctx_store_path(const struct ctx_store *st)
{
	return st->path;
}

int
ctx_store_is_url(const char *path)
{
	return strncmp(path, "postgresql://", 13) == 0 ||
	    strncmp(path, "postgres://", 11) == 0 ||
	    strncmp(path, "service=", 8) == 0;
}
