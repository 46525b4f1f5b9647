/* SPDX-License-Identifier: MIT */
/* Finds secrets; see redact.h. */
#include "decide/redact.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <limits.h>
#include <pcre2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/utf8.h"
#include "decide/anchor.h"
#include "decide/redact_rules.h"

#define WINDOW		512	/* bytes that a rule's pattern first sees */
#define WINDOW_MAX	(1u << 20)	/* and last, of a token that long */
#define STEP		4096	/* the same for a user's pattern */
#define STEP_MAX	32768
#define REST_MAX	(64u << 20)	/* bytes beyond its windows */
#define REST_TIMES	16		/* and times the text */
#define MATCH_LIMIT	1000000	/* PCRE2's own count of steps in one match */
#define HEAP_LIMIT	(20 * 1024)	/* kibibytes */
#define JIT_STACK_MIN	(32 * 1024)
#define JIT_STACK_MAX	(1024 * 1024)
#define GROUPS		7	/* that a built-in pattern has at most */
#define ROUNDS		4
#define HEAD		"[REDACTED:"
#define HEAD_LEN	(sizeof(HEAD) - 1)
#define ESCAPE		UINT_MAX	/* tag of the escape literals */

struct rule {
	const struct ctx_redact_rule *def;	/* NULL: a user's pattern */
	char name[CTX_REDACT_ID_MAX + 1];	/* of a user's */
	pcre2_code *code;	/* NULL until it is needed */
	unsigned group;		/* of a user's: the secret's */
	size_t done;		/* end of the last match in this text */
	int off;		/* not asked for */
};

struct ctx_redact {
	struct ctx_anchors *anchors;
	struct rule *rule;	/* the table's, then the user's */
	size_t nrules;
	pcre2_compile_context *compile;
	pcre2_match_context *context;
	pcre2_match_data *match;
	pcre2_jit_stack *stack;	/* for users' patterns; NULL: a small one */
	unsigned char key[CTX_SHA256_LEN];
	struct ctx_redact_hit *hit;
	size_t nhits, cap;
	size_t last_end;	/* of the last hit: a border for the next */
	struct ctx_buf again;	/* the text with its placeholders */
};

/* One search, for the walk over the anchors. */
struct search {
	struct ctx_redact *r;
	const char *text;
	size_t len;
	struct ctx_err *err;
};

const char *
ctx_redact_id(const struct ctx_redact *r, unsigned rule)
{
	const struct rule *p = &r->rule[rule];

	return p->def != NULL ? p->def->id : p->name;
}

int
ctx_redact_rule_info(size_t i, const char **id, const char **what,
    const char **source)
{
	if (i >= ctx_redact_nrules)
		return 0;
	*id = ctx_redact_rules[i].id;
	*what = ctx_redact_rules[i].what;
	*source = ctx_redact_rules[i].source;
	return 1;
}

/*
 * Compile for the machine if it can be; the interpreter does the same, only
 * slower.  Partial matching is how a window learns that it is too small.
 */
static int
compile(struct ctx_redact *r, struct rule *rule, const char *pattern,
    uint32_t options, struct ctx_err *err)
{
	char text[128];
	size_t at;
	int code;

	rule->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
	    options, &code, &at, r->compile);
	if (rule->code == NULL) {
		if (code == PCRE2_ERROR_HEAP_FAILED)
			return ctx_fail_nomem(err);
		pcre2_get_error_message(code, (PCRE2_UCHAR *)text,
		    sizeof(text));
		return ctx_fail(err, CTX_EUSAGE,
		    "pattern '%s': %s at offset %zu", rule->def != NULL ?
		    rule->def->id : rule->name, text, at);
	}
	pcre2_jit_compile(rule->code, PCRE2_JIT_COMPLETE |
	    PCRE2_JIT_PARTIAL_HARD);
	return 0;
}

static int
is_id_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

/* NAME=PCRE2 */
static int
add_pattern(struct ctx_redact *r, struct rule *rule, const char *arg,
    struct ctx_err *err)
{
	const char *eq = strchr(arg, '=');
	size_t n = 0;
	int group;

	while (is_id_char(arg[n]))
		n++;
	if (eq == NULL || n == 0 || arg + n != eq || eq[1] == '\0' ||
	    n > CTX_REDACT_ID_MAX)
		return ctx_fail(err, CTX_EUSAGE, "pattern is not NAME=PCRE2, "
		    "NAME of at most %d letters, digits, '-', '_' or '.'",
		    CTX_REDACT_ID_MAX);
	memcpy(rule->name, arg, n);
	if (compile(r, rule, eq + 1, PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C |
	    PCRE2_USE_OFFSET_LIMIT, err) == -1)
		return -1;
	group = pcre2_substring_number_from_name(rule->code,
	    (PCRE2_SPTR)"secret");
	rule->group = group > 0 ? (unsigned)group : 0;
	return 0;
}

static struct rule *
find_rule(struct ctx_redact *r, const char *id, size_t len)
{
	size_t i;

	for (i = 0; i < ctx_redact_nrules; i++)
		if (strlen(r->rule[i].def->id) == len &&
		    memcmp(r->rule[i].def->id, id, len) == 0)
			return &r->rule[i];
	return NULL;
}

/* Read opts->rules.  A first name without "-" means: only what is named. */
static int
choose_rules(struct ctx_redact *r, const char *list, struct ctx_err *err)
{
	struct rule *rule;
	char name[64];
	size_t n, i;
	int off;

	if (list == NULL || strcmp(list, "all") == 0)
		return 0;
	for (i = 0; i < ctx_redact_nrules; i++)
		r->rule[i].off = *list != '-';
	if (strcmp(list, "none") == 0)
		return 0;
	for (;; list += n + 1) {
		off = *list == '-';
		list += off;
		n = strcspn(list, ",");
		if ((rule = find_rule(r, list, n)) == NULL)
			return ctx_fail(err, CTX_EUSAGE,
			    "redaction rule '%s' unknown",
			    ctx_err_quote(name, sizeof(name), list, n));
		rule->off = off;
		if (list[n] == '\0')
			return 0;
	}
}

/*
 * The literals of all rules, and the escapes that JSON writers use for
 * characters that need none: behind them anything may be hidden.
 */
static int
add_anchors(struct ctx_redact *r, struct ctx_err *err)
{
	static const char *const escape[] = {
		"\\u002", "\\u003", "\\u004", "\\u005", "\\u006", "\\u007",
		"\\/\\/"
	};
	const char *p;
	size_t i, n;

	for (i = 0; i < ctx_redact_nrules; i++) {
		if (r->rule[i].off)
			continue;
		for (p = r->rule[i].def->anchors; *p != '\0'; p += n) {
			p += strspn(p, " ");
			n = strcspn(p, " ");
			if (ctx_anchors_add(r->anchors, p, n, (unsigned)i,
			    err) == -1)
				return -1;
		}
	}
	for (i = 0; i < sizeof(escape) / sizeof(escape[0]); i++)
		if (ctx_anchors_add(r->anchors, escape[i],
		    strlen(escape[i]), ESCAPE, err) == -1)
			return -1;
	ctx_anchors_ready(r->anchors);
	return 0;
}

static int
make_key(struct ctx_redact *r, const struct ctx_redact_opts *opts,
    struct ctx_err *err)
{
	struct ctx_sha256 s;

	if (opts->keylen == 0) {
		if (getentropy(r->key, sizeof(r->key)) == -1)
			return ctx_fail(err, CTX_ESYSTEM, "no random numbers");
		return 0;
	}
	ctx_sha256_init(&s);
	ctx_sha256_update(&s, opts->key, opts->keylen);
	ctx_sha256_final(&s, r->key);
	return 0;
}

/* Room for the groups of the pattern with most, and a stack if users need it */
static int
setup_match(struct ctx_redact *r, struct ctx_err *err)
{
	uint32_t groups = GROUPS, n;
	size_t i;

	for (i = ctx_redact_nrules; i < r->nrules; i++) {
		pcre2_pattern_info(r->rule[i].code, PCRE2_INFO_CAPTURECOUNT,
		    &n);
		groups = n > groups ? n : groups;
	}
	if ((r->match = pcre2_match_data_create(groups + 1, NULL)) == NULL)
		return ctx_fail_nomem(err);
	if (r->nrules == ctx_redact_nrules)
		return 0;
	r->stack = pcre2_jit_stack_create(JIT_STACK_MIN, JIT_STACK_MAX, NULL);
	pcre2_jit_stack_assign(r->context, NULL, r->stack);
	return 0;
}

static int
setup(struct ctx_redact *r, const struct ctx_redact_opts *opts,
    struct ctx_err *err)
{
	size_t i;

	r->nrules = ctx_redact_nrules + opts->npatterns;
	r->rule = calloc(r->nrules, sizeof(*r->rule));
	r->compile = pcre2_compile_context_create(NULL);
	r->context = pcre2_match_context_create(NULL);
	if (r->rule == NULL || r->compile == NULL || r->context == NULL)
		return ctx_fail_nomem(err);
	pcre2_set_match_limit(r->context, MATCH_LIMIT);
	pcre2_set_heap_limit(r->context, HEAP_LIMIT);
	for (i = 0; i < ctx_redact_nrules; i++)
		r->rule[i].def = &ctx_redact_rules[i];
	if (choose_rules(r, opts->rules, err) == -1 ||
	    make_key(r, opts, err) == -1 ||
	    (r->anchors = ctx_anchors_new(err)) == NULL ||
	    add_anchors(r, err) == -1)
		return -1;
	for (i = 0; i < opts->npatterns; i++)
		if (add_pattern(r, &r->rule[ctx_redact_nrules + i],
		    opts->patterns[i], err) == -1)
			return -1;
	return setup_match(r, err);
}

struct ctx_redact *
ctx_redact_new(const struct ctx_redact_opts *opts, struct ctx_err *err)
{
	struct ctx_redact *r = calloc(1, sizeof(*r));

	if (r == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	if (setup(r, opts, err) == -1) {
		ctx_redact_free(r);
		return NULL;
	}
	return r;
}

void
ctx_redact_free(struct ctx_redact *r)
{
	size_t i;

	if (r == NULL)
		return;
	for (i = 0; r->rule != NULL && i < r->nrules; i++)
		pcre2_code_free(r->rule[i].code);
	free(r->rule);
	ctx_anchors_free(r->anchors);
	pcre2_match_data_free(r->match);
	pcre2_jit_stack_free(r->stack);
	pcre2_match_context_free(r->context);
	pcre2_compile_context_free(r->compile);
	ctx_buf_done(&r->again);
	free(r->hit);
	free(r);
}

/*
 * The length of the placeholder at p[0 .. len), 0 if there is none.
 */
static size_t
placeholder_len(const char *p, size_t len)
{
	size_t i = HEAD_LEN, n;

	if (len < HEAD_LEN || memcmp(p, HEAD, HEAD_LEN) != 0)
		return 0;
	for (n = 0; i < len && is_id_char(p[i]); i++)
		n++;
	if (n == 0 || n > CTX_REDACT_ID_MAX || i == len || p[i++] != ':')
		return 0;
	for (n = 0; i < len && strchr("0123456789abcdef", p[i]) != NULL &&
	    p[i] != '\0'; i++)
		n++;
	return n == 8 && i < len && p[i] == ']' ? i + 1 : 0;
}

/* Does a placeholder share a byte with text[off .. end)? */
static int
has_placeholder(const char *text, size_t len, size_t off, size_t end)
{
	size_t i = off < CTX_REDACT_PLACEHOLDER ? 0 :
	    off - CTX_REDACT_PLACEHOLDER, n;
	const char *p;

	while (i < end && (p = memchr(text + i, '[', end - i)) != NULL) {
		i = (size_t)(p - text);
		n = placeholder_len(p, len - i);
		if (n > 0 && i + n > off)
			return 1;
		i++;
	}
	return 0;
}

/* The next character's first byte at or behind off. */
static size_t
next_char(const struct search *s, size_t off)
{
	while (off < s->len && ((unsigned char)s->text[off] & 0xc0) == 0x80)
		off++;
	return off;
}

/* Note text[off .. end), up to the end of a character, as a secret. */
static int
add_hit(const struct search *s, size_t off, size_t end, size_t rule)
{
	struct ctx_redact *r = s->r;
	struct ctx_redact_hit *p;

	end = next_char(s, end);
	if (has_placeholder(s->text, s->len, off, end))
		return 0;
	p = ctx_grow(r->hit, r->nhits, &r->cap, sizeof(*p));
	if (p == NULL)
		return ctx_fail_nomem(s->err);
	r->hit = p;
	p[r->nhits].off = off;
	p[r->nhits].len = end - off;
	p[r->nhits++].rule = (unsigned)rule;
	r->last_end = end;
	return 0;
}

/*
 * Match from text[start] on with the end of the text held back at start plus
 * a window, which grows from least to most as long as the match would read on.
 * Returns PCRE2's answer; PCRE2_ERROR_PARTIAL: not even the largest window
 * shows how the match at ov[0] ends.
 */
static int
match_window(const struct search *s, const struct rule *rule, size_t start,
    size_t least, size_t most, uint32_t options)
{
	size_t window = least, end, at = start;
	PCRE2_SIZE *ov = pcre2_get_ovector_pointer(s->r->match);
	int rc;

	for (;;) {
		end = s->len - at > window ? at + window : s->len;
		end = next_char(s, end);
		rc = pcre2_match(rule->code, (PCRE2_SPTR)s->text, end, at,
		    options | (end < s->len ? PCRE2_PARTIAL_HARD : 0),
		    s->r->match, s->r->context);
		if (rc != PCRE2_ERROR_PARTIAL)
			return rc;
		at = ov[0];
		if (window >= most)
			return rc;
		window *= 2;
	}
}

/* The secret of a match: the last group that took part, else all of it. */
static void
secret_of(const struct ctx_redact *r, int rc, size_t *off, size_t *end)
{
	PCRE2_SIZE *ov = pcre2_get_ovector_pointer(r->match);

	*off = ov[2 * (rc - 1)];
	*end = ov[2 * (rc - 1) + 1];
}

static int
is_secret(const struct ctx_redact_rule *def, const char *s, size_t n)
{
	return (def->entropy <= 0 ||
	    ctx_redact_entropy(s, n) >= (double)def->entropy) &&
	    (def->check != NULL ? def->check : ctx_redact_check_any)(s, n);
}

/*
 * May a match of the rule be at the anchor text[off .. off + n)?  What can be
 * said before its pattern is run.  *start is where the match may begin.
 */
static int
may_match(const struct search *s, const struct rule *rule, size_t off,
    size_t n, size_t *start)
{
	const struct ctx_redact_rule *def = rule->def;
	int exact = def->back == 0 || (def->flags & CTX_REDACT_FIXED);

	if (off < rule->done)
		return 0;
	*start = off < def->back ? 0 : off - def->back;
	if (*start < rule->done)
		*start = rule->done;
	if (exact && off - *start != def->back)
		return 0;
	if (exact && (def->flags & CTX_REDACT_BORDER) &&
	    *start != s->r->last_end &&
	    !ctx_redact_at_border(s->text, *start))
		return 0;
	return !(def->flags & CTX_REDACT_ASSIGN) ||
	    ctx_redact_is_assigned(s->text, s->len, off + n);
}

static int
compile_rule(struct ctx_redact *r, struct rule *rule, struct ctx_err *err)
{
	const struct ctx_redact_rule *def = rule->def;

	if (rule->code != NULL)
		return 0;
	return compile(r, rule, def->pattern, def->back == 0 ||
	    (def->flags & CTX_REDACT_FIXED) ? PCRE2_ANCHORED |
	    PCRE2_USE_OFFSET_LIMIT : PCRE2_USE_OFFSET_LIMIT, err);
}

/* An anchor of a rule: is there what the rule describes? */
static int
on_anchor(void *arg, size_t off, size_t n, unsigned tag)
{
	const struct search *s = arg;
	struct ctx_redact *r = s->r;
	PCRE2_SIZE *ov = pcre2_get_ovector_pointer(r->match);
	const struct ctx_redact_rule *def;
	struct rule *rule;
	size_t start, from, end;
	int rc;

	if (tag == ESCAPE)
		return 0;
	rule = &r->rule[tag];
	def = rule->def;
	if (!may_match(s, rule, off, n, &start))
		return 0;
	if (compile_rule(r, rule, s->err) == -1)
		return -1;
	pcre2_set_offset_limit(r->context, off);
	rc = match_window(s, rule, start, def->back + WINDOW, WINDOW_MAX, 0);
	if (rc == PCRE2_ERROR_NOMEMORY)
		return ctx_fail_nomem(s->err);
	if (rc < 0)	/* no secret runs into a limit */
		return 0;
	if ((def->flags & CTX_REDACT_BORDER) && ov[0] != r->last_end &&
	    !ctx_redact_at_border(s->text, ov[0]))
		return 0;
	secret_of(r, rc, &from, &end);
	if (!is_secret(def, s->text + from, end - from))
		return 0;
	rule->done = ov[1];
	return add_hit(s, from, end, tag);
}

/*
 * Find the next match of a user's pattern from *off on, window by window, so
 * that a bad pattern costs at most STEP times the text.  A match that no
 * window shows to its end is tried on the whole rest, at that place only, as
 * long as *budget, in bytes, lasts.  Returns as pcre2_match.
 */
static int
next_match(const struct search *s, const struct rule *rule, size_t *off,
    size_t *budget)
{
	const uint32_t options = PCRE2_NOTEMPTY | PCRE2_NO_UTF_CHECK;
	struct ctx_redact *r = s->r;
	PCRE2_SIZE *ov = pcre2_get_ovector_pointer(r->match);
	int rc = PCRE2_ERROR_NOMATCH;

	while (*off < s->len && rc == PCRE2_ERROR_NOMATCH) {
		pcre2_set_offset_limit(r->context, PCRE2_UNSET);
		rc = match_window(s, rule, *off, STEP, STEP_MAX, options);
		if (rc == PCRE2_ERROR_NOMATCH)
			*off = s->len - *off <= STEP ? s->len :
			    next_char(s, *off + STEP);
		if (rc != PCRE2_ERROR_PARTIAL)
			continue;
		*off = ov[0];
		if (*budget < s->len - *off)
			return PCRE2_ERROR_MATCHLIMIT;
		*budget -= s->len - *off;
		pcre2_set_offset_limit(r->context, *off);
		rc = pcre2_match(rule->code, (PCRE2_SPTR)s->text, s->len,
		    *off, options, r->match, r->context);
		if (rc == PCRE2_ERROR_NOMATCH)
			*off = next_char(s, *off + 1);
	}
	return rc;
}

static int
find_pattern(const struct search *s, size_t at)
{
	struct ctx_redact *r = s->r;
	struct rule *rule = &r->rule[at];
	PCRE2_SIZE *ov = pcre2_get_ovector_pointer(r->match);
	size_t off = 0, budget = REST_MAX + REST_TIMES * s->len;
	size_t g = 2 * rule->group;
	int rc;

	while ((rc = next_match(s, rule, &off, &budget)) > 0) {
		if ((size_t)rc > rule->group && ov[g] < ov[g + 1] &&
		    add_hit(s, ov[g], ov[g + 1], at) == -1)
			return -1;
		off = ov[1] > off ? ov[1] : next_char(s, off + 1);
	}
	if (rc == PCRE2_ERROR_NOMATCH)
		return 0;
	if (rc == PCRE2_ERROR_NOMEMORY)
		return ctx_fail_nomem(s->err);
	return ctx_fail(s->err, CTX_EINPUT,
	    "pattern '%s' takes too long at byte %zu", rule->name, off + 1);
}

/* By offset; at one offset the longest first, then the table's order. */
static int
by_place(const void *a, const void *b)
{
	const struct ctx_redact_hit *x = a, *y = b;

	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	if (x->len != y->len)
		return x->len > y->len ? -1 : 1;
	return x->rule < y->rule ? -1 : x->rule > y->rule;
}

/* Sort the hits and join those that overlap, under the rule of the longest. */
static void
join_hits(struct ctx_redact *r)
{
	struct ctx_redact_hit *h = r->hit;
	size_t longest = 0, n = 0, i, end;

	if (r->nhits == 0)
		return;
	qsort(h, r->nhits, sizeof(*h), by_place);
	for (i = 0; i < r->nhits; i++) {
		if (n == 0 || h[i].off >= h[n - 1].off + h[n - 1].len) {
			longest = h[i].len;
			h[n++] = h[i];
			continue;
		}
		end = h[i].off + h[i].len;
		if (h[i].len > longest || (h[i].len == longest &&
		    h[i].rule < h[n - 1].rule)) {
			longest = h[i].len;
			h[n - 1].rule = h[i].rule;
		}
		if (end > h[n - 1].off + h[n - 1].len)
			h[n - 1].len = end - h[n - 1].off;
	}
	r->nhits = n;
}

/* Add the hits of one search of s->text to r->hit. */
static int
find_once(const struct search *s)
{
	struct ctx_redact *r = s->r;
	struct search walk = *s;
	size_t i;

	for (i = 0; i < r->nrules; i++)
		r->rule[i].done = 0;
	r->last_end = SIZE_MAX;
	if (ctx_anchors_walk(r->anchors, s->text, s->len, on_anchor,
	    &walk) == -1)
		return -1;
	for (i = ctx_redact_nrules; i < r->nrules; i++)
		if (find_pattern(s, i) == -1)
			return -1;
	return 0;
}

/* Append text to out with a placeholder for each of r's hits. */
static int
replace(const struct ctx_redact *r, const char *text, size_t len,
    struct ctx_buf *out, struct ctx_err *err)
{
	char word[CTX_REDACT_PLACEHOLDER];
	size_t at = 0, i;

	for (i = 0; i < r->nhits; i++) {
		ctx_buf_add(out, text + at, r->hit[i].off - at);
		ctx_buf_adds(out, ctx_redact_placeholder(r, text, &r->hit[i],
		    word));
		at = r->hit[i].off + r->hit[i].len;
	}
	ctx_buf_add(out, text + at, len - at);
	return ctx_buf_fail(out, err);
}

/*
 * The hits from first on were found in the text with placeholders for those
 * before: give them their offsets in the text itself.  A hit never touches a
 * placeholder, so each is moved by what those before it have added.
 */
static void
move_back(struct ctx_redact *r, size_t first)
{
	size_t added = 0, k = 0, i;	/* added may be below 0: it wraps */
	struct ctx_redact_hit *h = r->hit;

	qsort(h + first, r->nhits - first, sizeof(*h), by_place);
	for (i = first; i < r->nhits; i++) {
		for (; k < first && h[k].off + added < h[i].off; k++)
			added += HEAD_LEN + strlen(ctx_redact_id(r,
			    h[k].rule)) + 10 - h[k].len;
		h[i].off -= added;
	}
}

int
ctx_redact_find(struct ctx_redact *r, const char *text, size_t len,
    const struct ctx_redact_hit **hit, size_t *n, struct ctx_err *err)
{
	struct search s = { r, text, len, err };
	size_t first, at;
	int round;

	r->nhits = 0;
	if (r->nrules > ctx_redact_nrules &&
	    (at = ctx_utf8_check(text, len)) < len)
		return ctx_fail(err, CTX_EINPUT, "text is not UTF-8 at byte "
		    "%zu", at + 1);
	if (find_once(&s) == -1)
		return -1;
	join_hits(r);
	/*
	 * What stands beside a placeholder may look different there: search
	 * again as the next run of a command would, so that it finds nothing.
	 */
	for (round = 1; round < ROUNDS && r->nhits > 0; round++) {
		first = r->nhits;
		ctx_buf_reset(&r->again);
		if (replace(r, text, len, &r->again, err) == -1)
			return -1;
		s.text = r->again.data;
		s.len = r->again.len;
		if (find_once(&s) == -1)
			return -1;
		if (r->nhits == first)
			break;
		move_back(r, first);
		join_hits(r);
	}
	*hit = r->hit;
	*n = r->nhits;
	return 0;
}

static int
on_suspect(void *arg, size_t off, size_t n, unsigned tag)
{
	const struct search *s = arg;

	if (tag == ESCAPE)
		return 1;
	return !(ctx_redact_rules[tag].flags & CTX_REDACT_ASSIGN) ||
	    ctx_redact_is_assigned(s->text, s->len, off + n);
}

int
ctx_redact_suspect(const struct ctx_redact *r, const char *p, size_t len)
{
	struct search s = { NULL, p, len, NULL };

	return r->nrules > ctx_redact_nrules ||
	    ctx_anchors_walk(r->anchors, p, len, on_suspect, &s);
}

char *
ctx_redact_placeholder(const struct ctx_redact *r, const char *text,
    const struct ctx_redact_hit *hit, char out[CTX_REDACT_PLACEHOLDER])
{
	unsigned char mac[CTX_SHA256_LEN];
	char hex[CTX_SHA256_HEX], *p = out;
	const char *id = ctx_redact_id(r, hit->rule);
	size_t n = strlen(id);

	ctx_sha256_hmac(r->key, sizeof(r->key), text + hit->off, hit->len,
	    mac);
	ctx_sha256_text(mac, hex);
	memcpy(p, HEAD, HEAD_LEN);
	memcpy(p + HEAD_LEN, id, n);
	p += HEAD_LEN + n;
	*p++ = ':';
	memcpy(p, hex, 8);
	memcpy(p + 8, "]", 2);
	return out;
}

int
ctx_redact_text(struct ctx_redact *r, const char *text, size_t len,
    struct ctx_buf *out, size_t *n, struct ctx_err *err)
{
	const struct ctx_redact_hit *hit;
	size_t count;

	if (ctx_redact_find(r, text, len, &hit, &count, err) == -1)
		return -1;
	if (n != NULL)
		*n = count;
	return replace(r, text, len, out, err);
}
