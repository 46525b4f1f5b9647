/* SPDX-License-Identifier: MIT */
/* Server-sent events; see sse.h. */
#include "base/sse.h"

#include <string.h>

/* Handle one complete line, without its line end. */
static int
take_line(struct ctx_sse *s, const char *p, size_t len,
    int (*event)(void *arg, const char *data, size_t len), void *arg)
{
	int rc = 0;

	if (len == 0) {
		if (s->data.len > 0)
			rc = event(arg, s->data.data, s->data.len);
		ctx_buf_reset(&s->data);
		s->some = 0;
		return rc;
	}
	if (len < 4 || memcmp(p, "data", 4) != 0 || (len > 4 && p[4] != ':'))
		return 0;
	p += len > 4 ? 5 : 4;
	len -= len > 4 ? 5 : 4;
	if (len > 0 && *p == ' ') {
		p++;
		len--;
	}
	if (s->some)
		ctx_buf_addc(&s->data, '\n');
	s->some = 1;
	ctx_buf_add(&s->data, p, len);
	return s->data.failed ? -1 : 0;
}

int
ctx_sse_feed(struct ctx_sse *s, const char *p, size_t len,
    int (*event)(void *arg, const char *data, size_t len), void *arg)
{
	size_t i, from = 0;
	int rc;

	for (i = 0; i < len; i++) {
		if (s->cr && p[i] == '\n') {
			s->cr = 0;
			from = i + 1;
			continue;
		}
		s->cr = p[i] == '\r';
		if (p[i] != '\n' && p[i] != '\r')
			continue;
		if (s->line.len > 0) {
			if (ctx_buf_add(&s->line, p + from, i - from) == -1)
				return -1;
			rc = take_line(s, s->line.data, s->line.len, event,
			    arg);
			ctx_buf_reset(&s->line);
		} else
			rc = take_line(s, p + from, i - from, event, arg);
		from = i + 1;
		if (rc != 0)
			return rc;
	}
	return ctx_buf_add(&s->line, p + from, len - from);
}

void
ctx_sse_reset(struct ctx_sse *s)
{
	ctx_buf_reset(&s->line);
	ctx_buf_reset(&s->data);
	s->some = s->cr = 0;
}

void
ctx_sse_done(struct ctx_sse *s)
{
	ctx_buf_done(&s->line);
	ctx_buf_done(&s->data);
}
