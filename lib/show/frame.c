/* SPDX-License-Identifier: MIT */
/* Lines before what a command printed; see frame.h. */
#include "show/frame.h"

#include <string.h>

#define CODE	"Process exited with code "

/* Of Codex (codex-rs, core, of 2025 and 2026), whose last line is "Output:". */
static const char *const begins[] = { "Chunk ID: ", "Wall time: ", CODE,
	"Process running with session ID ", "Original token count: ",
	"Exit code: ", "Total output lines: ", NULL };

/* The first line of a text, without its end. */
static struct ctx_str
first(struct ctx_str text)
{
	const char *nl = memchr(text.p, '\n', text.len);

	if (nl != NULL)
		text.len = (uint32_t)(nl - text.p);
	return text;
}

static int
is_known(struct ctx_str line)
{
	size_t i;

	for (i = 0; begins[i] != NULL; i++)
		if (ctx_str_starts(line, begins[i]))
			return 1;
	return 0;
}

uint32_t
ctx_frame_len(struct ctx_str text)
{
	struct ctx_str rest = text, line;

	while (rest.len > 0) {
		line = first(rest);
		if (line.len == rest.len)
			return 0;
		rest.p += line.len + 1;
		rest.len -= line.len + 1;
		if (ctx_str_is(line, "Output:"))
			return text.len - rest.len;
		if (!is_known(line))
			return 0;
	}
	return 0;
}

int
ctx_frame_fails(struct ctx_str line)
{
	static const char *const codes[] = { CODE, "Exit code: ", NULL };
	size_t i;

	for (i = 0; codes[i] != NULL; i++)
		if (ctx_str_starts(line, codes[i]))
			return line.len > strlen(codes[i]) &&
			    line.p[strlen(codes[i])] != '0';
	return 0;
}

struct ctx_str
ctx_frame_inside(struct ctx_str text)
{
	uint32_t n = ctx_frame_len(text), at, len;
	struct ctx_str rest;

	for (at = 0; at < n; at += len + 1) {
		rest = (struct ctx_str){ text.p + at, text.len - at };
		if (ctx_frame_fails(first(rest)))
			return rest;
		len = first(rest).len;
	}
	return (struct ctx_str){ text.p + n, text.len - n };
}
