/* SPDX-License-Identifier: MIT */
/* Paths in URLs; see url.h. */
#include "base/url.h"

#include <string.h>

void
ctx_url_path(struct ctx_buf *out, const char *path)
{
	const char *p;

	for (p = path; *p != '\0'; p++)
		if (strchr("/-._~", *p) != NULL || (*p >= '0' && *p <= '9') ||
		    (*p >= 'A' && *p <= 'Z') || (*p >= 'a' && *p <= 'z'))
			ctx_buf_addc(out, *p);
		else
			ctx_buf_addf(out, "%%%02X", (unsigned)(unsigned char)*p);
}
