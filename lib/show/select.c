/* SPDX-License-Identifier: MIT */
/* Which messages of a history are shown; see select.h. */
#include "show/select.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Read a number of a turn; *p moves past it.  0 if there is none. */
static uint64_t
read_turn(const char **p)
{
	char *end;
	uint64_t n;

	if (!isdigit((unsigned char)**p))
		return 0;
	errno = 0;
	n = strtoull(*p, &end, 10);
	*p = errno == 0 ? end : "?";
	return n;
}

int
ctx_select_turns(struct ctx_select *s, const char *turns, struct ctx_err *err)
{
	char quoted[64];
	const char *p = turns;
	int has_first = *p != '-', has_last = 1;

	s->first = has_first ? read_turn(&p) : 1;
	if (*p == '-') {
		has_last = *++p != '\0' || !has_first;
		s->last = has_last ? read_turn(&p) : 0;
	} else
		s->last = s->first;
	if (*p != '\0' || s->first == 0 || (has_last && s->last < s->first))
		return ctx_fail(err, CTX_EUSAGE, "no range of turns: '%s'; "
		    "turns count from 1, as in 3, 3-5, 3- or -5",
		    ctx_err_quote(quoted, sizeof(quoted), turns,
		    strlen(turns)));
	return 0;
}

/* Has a pattern an upper-case letter?  \S and \W are none.  -1: no memory. */
static int
has_upper(const char *pattern)
{
	static const char upper[] = "\\A(?:\\\\.|[^\\\\\\p{Lu}])*+\\p{Lu}";
	pcre2_match_data *match = pcre2_match_data_create(1, NULL);
	PCRE2_SIZE at;
	int rc;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)upper,
	    PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_DOTALL, &rc, &at, NULL);

	rc = PCRE2_ERROR_NOMEMORY;
	if (code != NULL && match != NULL)
		rc = pcre2_match(code, (PCRE2_SPTR)pattern,
		    strlen(pattern), 0, 0, match, NULL);
	pcre2_match_data_free(match);
	pcre2_code_free(code);
	return rc == PCRE2_ERROR_NOMEMORY || rc == PCRE2_ERROR_HEAPLIMIT ? -1 :
	    rc >= 0;
}

int
ctx_select_grep(struct ctx_select *s, const char *pattern, struct ctx_err *err)
{
	uint32_t how = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE;
	PCRE2_UCHAR why[128];
	PCRE2_SIZE at;
	int code;

	if ((s->cased = has_upper(pattern)) == -1)
		return ctx_fail_nomem(err);
	if (!s->cased)
		how |= PCRE2_CASELESS;
	s->pattern = pcre2_compile((PCRE2_SPTR)pattern, strlen(pattern), how,
	    &code, &at, NULL);
	if (s->pattern == NULL) {
		if (code == PCRE2_ERROR_HEAP_FAILED)
			return ctx_fail_nomem(err);
		pcre2_get_error_message(code, why, sizeof(why));
		return ctx_fail(err, CTX_EUSAGE, "no pattern: %s at character "
		    "%zu", (const char *)why, (size_t)at + 1);
	}
	s->match = pcre2_match_data_create(1, NULL);
	return s->match == NULL ? ctx_fail_nomem(err) : 0;
}

void
ctx_select_done(struct ctx_select *s)
{
	pcre2_match_data_free(s->match);
	pcre2_code_free(s->pattern);
	ctx_strmap_done(&s->seen.tools);
	memset(s, 0, sizeof(*s));
}

int
ctx_select_match(struct ctx_select *s, struct ctx_str text, size_t at,
    size_t *off, size_t *end, struct ctx_err *err)
{
	const PCRE2_SIZE *v;
	int rc;

	if (s->pattern == NULL || at >= text.len)
		return 0;
	/* PCRE2 has looked at the whole text before it found the first match */
	rc = pcre2_match(s->pattern, (PCRE2_SPTR)text.p, text.len, at,
	    PCRE2_NOTEMPTY | (at > 0 ? PCRE2_NO_UTF_CHECK : 0), s->match,
	    NULL);
	if (rc == PCRE2_ERROR_NOMATCH)
		return 0;
	if (rc == PCRE2_ERROR_NOMEMORY || rc == PCRE2_ERROR_HEAPLIMIT)
		return ctx_fail_nomem(err);
	if (rc < 0)
		return ctx_fail(err, CTX_EUSAGE, "the pattern takes too long "
		    "to match; make it simpler");
	v = pcre2_get_ovector_pointer(s->match);
	*off = v[0];
	*end = v[1];
	return *end > *off;	/* with \K, it need not be */
}

int
ctx_select_part(const struct ctx_select *s, const struct ctx_shown *m,
    size_t i)
{
	char name[CTX_SELECT_NAME];
	const struct ctx_shown_part *p;

	if (s->ntool == 0)
		return 1;
	while (i > 0 && m->part[i].flags & CTX_INNER)
		i--;
	p = &m->part[i];
	if ((p->kind != CTX_CALL && p->kind != CTX_RESULT) ||
	    p->name.p == NULL || p->name.len >= sizeof(name))
		return 0;
	memcpy(name, p->name.p, p->name.len);
	name[p->name.len] = '\0';
	for (i = 0; i < s->ntool; i++)
		if (fnmatch(s->tool[i], name, 0) == 0)
			return 1;
	return 0;
}

/* Does the pattern match a text or a name of part p?  As ctx_select_match. */
static int
part_matches(struct ctx_select *s, const struct ctx_shown_part *p,
    struct ctx_err *err)
{
	size_t off, end;
	int rc = ctx_select_match(s, p->text, 0, &off, &end, err);

	return rc != 0 ? rc : ctx_select_match(s, p->name, 0, &off, &end, err);
}

/* Note which tools are called, of which some are wanted. */
static int
see_tools(struct ctx_select *s, const struct ctx_shown *m, struct ctx_err *err)
{
	struct ctx_strmap *tools = &s->seen.tools;
	size_t i;

	for (i = 0; i < m->npart && tools->n < CTX_SELECT_TOOLS; i++)
		if (m->part[i].kind == CTX_CALL &&
		    m->part[i].name.len > 0 &&
		    m->part[i].name.len < CTX_SELECT_NAME &&
		    ctx_strmap_add(tools, m->part[i].name.p,
		    m->part[i].name.len) == CTX_STRMAP_FULL)
			return ctx_fail_nomem(err);
	return 0;
}

int
ctx_select_msg(struct ctx_select *s, const struct ctx_shown *m,
    struct ctx_err *err)
{
	int tool = s->ntool == 0, match = s->pattern == NULL;
	struct ctx_select_seen *seen = &s->seen;
	size_t i;

	seen->messages++;
	seen->turns = m->turn > seen->turns ? m->turn : seen->turns;
	seen->several |= m->conversation > 1;
	if (m->turn < s->first || (s->last != 0 && m->turn > s->last))
		return 0;
	seen->in_turns++;
	if (!tool && see_tools(s, m, err) == -1)
		return -1;
	for (i = 0; i < m->npart && !(tool && match); i++) {
		if (!ctx_select_part(s, m, i))
			continue;
		tool = 1;
		if (!match && (match = part_matches(s, &m->part[i],
		    err)) == -1)
			return -1;
	}
	seen->of_tools += (uint64_t)tool;
	seen->selected += (uint64_t)(tool && match);
	return tool && match;
}
