/* SPDX-License-Identifier: MIT */
/* Text as messages; see plain.h. */
#include "job/plain.h"

#include <string.h>

#include "decide/summary.h"
#include "job/document.h"

static const struct {
	const char *prefix, *role;
} speakers[] = {
	{ "USER:", "user" }, { "ASSISTANT:", "assistant" },
	{ "SYSTEM:", "system" }
};

/* Pass on one message as a line in the simplest dialect. */
static int
give(struct ctx_job *j, const char *role, const char *text, size_t len,
    struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int rc;

	while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r'))
		len--;
	ctx_buf_addf(&b, "{\"role\":\"%s\",\"content\":\"", role);
	ctx_str_encode(&b, text, len);
	ctx_buf_adds(&b, "\"}\n");
	rc = ctx_buf_fail(&b, err) == -1 ? -1 :
	    ctx_document_give(j, b.data, b.len, err);
	ctx_buf_done(&b);
	return rc;
}

/*
 * The speaker named at the start of the line at p, or NULL; sets *n to the
 * length of the prefix.
 */
static const char *
speaker(const char *p, size_t len, size_t *n)
{
	size_t i;

	for (i = 0; i < sizeof(speakers) / sizeof(speakers[0]); i++) {
		*n = strlen(speakers[i].prefix);
		if (len < *n || memcmp(p, speakers[i].prefix, *n) != 0)
			continue;
		if (len > *n && p[*n] == ' ')
			(*n)++;
		return speakers[i].role;
	}
	return NULL;
}

/* Pass on what comes before the first speaker: a summary, or a user's words. */
static int
give_head(struct ctx_job *j, const char *p, size_t len,
    struct ctx_err *err)
{
	static const char head[] = CTX_SUMMARY_SAID;
	struct ctx_buf b = { 0 };
	int rc;

	if (len < sizeof(head) || memcmp(p, head, sizeof(head) - 1) != 0) {
		while (len > 0 && strchr(" \t\r\n", *p) != NULL) {
			p++;
			len--;
		}
		return len == 0 ? 0 : give(j, "user", p, len, err);
	}
	ctx_buf_adds(&b, CTX_SUMMARY_HEAD);
	ctx_buf_add(&b, p + sizeof(head) - 1, len - sizeof(head) + 1);
	rc = ctx_buf_fail(&b, err);
	if (rc == 0)
		rc = give(j, "user", b.data, b.len, err);
	if (rc == 0)
		rc = give(j, "assistant", CTX_SUMMARY_REPLY,
		    sizeof(CTX_SUMMARY_REPLY) - 1, err);
	ctx_buf_done(&b);
	return rc;
}

static int
give_transcript(struct ctx_job *j, const char *p, size_t len,
    struct ctx_err *err)
{
	const char *role = NULL, *next, *nl;
	size_t at = 0, from = 0, n;
	int rc = 0;

	while (at < len && rc == 0) {
		next = speaker(p + at, len - at, &n);
		if (next != NULL) {
			rc = role == NULL ? give_head(j, p + from, at - from,
			    err) : give(j, role, p + from, at - from, err);
			role = next;
			from = at + n;
		}
		nl = memchr(p + at, '\n', len - at);
		at = nl == NULL ? len : (size_t)(nl - p) + 1;
	}
	if (rc == -1)
		return -1;
	return role == NULL ? give_head(j, p + from, len - from, err) :
	    give(j, role, p + from, len - from, err);
}

int
ctx_plain(struct ctx_job *j, const char *role, struct ctx_reader *r,
    const struct ctx_line *first, struct ctx_err *err)
{
	struct ctx_buf all = { 0 };
	int rc = ctx_document_text(r, first, &all, err);

	if (rc == 0)
		rc = role != NULL ? give(j, role, all.data, all.len, err) :
		    give_transcript(j, all.data, all.len, err);
	ctx_buf_done(&all);
	return rc == -1 ? -1 : 1;
}
