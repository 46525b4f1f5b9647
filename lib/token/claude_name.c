/* SPDX-License-Identifier: MIT */
/* Which tokenizer a Claude model has; see claude.h. */
#include "token/claude.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * The version in the name of a Claude model, times 100: claude-opus-4-7 has
 * 407, claude-3-5-sonnet 305; a date after it is not part of it.  0 if there
 * is no number.
 */
static unsigned
version_of(const char *model)
{
	const char *p = model;
	char *end;
	unsigned long major, minor;

	while (*p != '\0' && strncasecmp(p, "claude", 6) != 0)
		p++;
	p += strcspn(p, "0123456789");
	if (*p == '\0')
		return 0;
	major = strtoul(p, &end, 10);
	minor = *end == '-' || *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
	return major > 99 ? 0 : (unsigned)(major * 100 +
	    (minor > 99 ? 0 : minor));
}

int
ctx_claude_is_late(const char *model)
{
	unsigned version = version_of(model);

	return version == 0 || version >= 407;
}
