/* SPDX-License-Identifier: MIT */
/* Rules, patterns and placeholders of redaction; see redact.h. */
#include "redact/redact.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "base/sha256.h"
#include "redact/redact_impl.h"

#define MATCH_LIMIT	1000000	/* limit on the steps that PCRE2 takes in one
				   match */
#define HEAP_LIMIT	(20 * 1024)	/* kibibytes */
#define JIT_STACK_MIN	(32 * 1024)
#define JIT_STACK_MAX	(1024 * 1024)
#define GROUPS		7	/* most groups of any built-in pattern */
#define PLAIN	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ '-."

const char *
ctx_redact_id(const struct ctx_redact *r, unsigned rule)
{
	const struct rule *p = &r->rule[rule];

	return p->def != NULL ? p->def->id : p->name;
}

/* Partial matching tells whether a window is too small. */
int
ctx_redact_compile(struct ctx_redact *r, struct rule *rule, const char *pattern,
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
	if (ctx_regex_jit(rule->code, PCRE2_JIT_COMPLETE |
	    PCRE2_JIT_PARTIAL_HARD) == -1)
		return ctx_fail_nomem(err);
	return 0;
}

int
ctx_redact_is_id_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

/* Add a pattern given as NAME=PCRE2. */
static int
add_pattern(struct ctx_redact *r, struct rule *rule, const char *arg,
    struct ctx_err *err)
{
	const char *eq = strchr(arg, '=');
	size_t n = 0;
	int group;

	while (ctx_redact_is_id_char(arg[n]))
		n++;
	if (eq == NULL || n == 0 || arg + n != eq || eq[1] == '\0' ||
	    n > CTX_REDACT_ID_MAX)
		return ctx_fail(err, CTX_EUSAGE,
		    "a pattern must be NAME=PCRE2; NAME has at most %d "
		    "letters, digits, '-', '_' or '.'",
		    CTX_REDACT_ID_MAX);
	memcpy(rule->name, arg, n);
	if (ctx_redact_compile(r, rule, eq + 1, PCRE2_UTF |
	    PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT, err) == -1)
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

static int
is_personal(const struct rule *rule)
{
	return (rule->def->flags & CTX_REDACT_PERSONAL) != 0;
}

static int
is_word(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(s, word, n) == 0;
}

/* Switch off or on what one item of the list names.  -1 if there is none. */
static int
choose_item(struct ctx_redact *r, const char *item, size_t n, int off)
{
	int all = is_word(item, n, "all"), pii = is_word(item, n,
	    CTX_REDACT_PII);
	struct rule *rule = find_rule(r, item, n);
	size_t i;

	if (rule != NULL)
		rule->off = off;
	for (i = 0; (all || pii) && i < ctx_redact_nrules; i++)
		if (is_personal(&r->rule[i]) == pii)
			r->rule[i].off = off;
	return rule != NULL || all || pii ? 0 : -1;
}

/*
 * Read opts->rules.  If the first item has a sign, the rules for secrets are
 * chosen before it, else none.
 */
static int
choose_rules(struct ctx_redact *r, const char *list, struct ctx_err *err)
{
	char name[64];
	size_t n, i;
	int off;

	for (i = 0; i < ctx_redact_nrules; i++)
		r->rule[i].off = is_personal(&r->rule[i]) || (list != NULL &&
		    *list != '-' && *list != '+');
	/* who gives names wants them found */
	(void)choose_item(r, "name", 4, r->opts.nnames == 0);
	if (list == NULL || strcmp(list, "none") == 0)
		return 0;
	for (;; list += n + 1) {
		off = *list == '-';
		list += off || *list == '+';
		n = strcspn(list, ",");
		if (choose_item(r, list, n, off) == -1)
			return ctx_fail(err, CTX_EUSAGE,
			    "no such redaction rule '%s'; see ctx-redact(7) "
			    "for the rules",
			    ctx_err_quote(name, sizeof(name), list, n));
		if (list[n] == '\0')
			return 0;
	}
}

/* Note which kinds of personal data are chosen, and look for the names. */
static int
setup_personal(struct ctx_redact *r, struct ctx_err *err)
{
	const struct ctx_redact_opts *o = &r->opts;
	size_t i;

	for (i = 0; i < ctx_redact_nrules && !is_personal(&r->rule[i]); i++)
		;
	r->personal = i;
	for (; i < ctx_redact_nrules; i++)
		if (!r->rule[i].off)
			r->kinds |= 1u << r->rule[i].def->back;
	if (!(r->kinds >> CTX_PERSONAL_NAME & 1) || o->nnames == 0)
		return 0;
	r->spelling = calloc(o->nnames, sizeof(*r->spelling));
	if (r->spelling == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < o->nnames; i++) {
		r->escapes |= o->names[i][strspn(o->names[i], PLAIN)] != '\0';
		if (ctx_people_add(r->anchors, o->names[i], CTX_REDACT_NAME +
		    (unsigned)i, &r->spelling[i], err) == -1)
			return -1;
	}
	return 0;
}

/*
 * Add the literals of all rules, and the escapes that JSON writers use for
 * characters that need none, since these may hide anything.
 */
static int
add_anchors(struct ctx_redact *r, struct ctx_err *err)
{
	static const char *const escape[] = {
		"\\u002", "\\u003", "\\u004", "\\u005", "\\u006", "\\u007",
		"\\/\\/"
	};
	const char *p, *sep;
	size_t i, n;

	for (i = 0; i < ctx_redact_nrules; i++) {
		if (r->rule[i].off)
			continue;
		p = r->rule[i].def->anchors;
		sep = strchr(p, ',') != NULL ? "," : " ";
		for (; *p != '\0'; p += n) {
			p += strspn(p, sep);
			n = strcspn(p, sep);
			if (ctx_anchors_add(r->anchors, p, n, (unsigned)i,
			    err) == -1)
				return -1;
		}
	}
	for (i = 0; i < sizeof(escape) / sizeof(escape[0]); i++)
		if (ctx_anchors_add(r->anchors, escape[i],
		    strlen(escape[i]), CTX_REDACT_ESCAPE, err) == -1)
			return -1;
	ctx_anchors_ready(r->anchors);
	return 0;
}

int
ctx_redact_env(struct ctx_redact_opts *opts, struct ctx_err *err)
{
	const char *key = getenv("CTX_REDACT_KEY");

	opts->key = key;
	opts->keylen = key != NULL ? strlen(key) : 0;
	if (opts->keylen == 0 || opts->keylen >= CTX_REDACT_KEY_LEAST)
		return 0;
	return ctx_fail(err, CTX_EUSAGE, "CTX_REDACT_KEY: a key has at least "
	    "%d bytes; 'openssl rand -hex 32' makes one",
	    CTX_REDACT_KEY_LEAST);
}

static int
make_key(struct ctx_redact *r, const struct ctx_redact_opts *opts,
    struct ctx_err *err)
{
	struct ctx_sha256 s;

	if (opts->keylen == 0) {
		if (getentropy(r->key, sizeof(r->key)) == -1)
			return ctx_fail(err, CTX_ESYSTEM,
			    "cannot get random numbers");
		return 0;
	}
	ctx_sha256_init(&s);
	ctx_sha256_update(&s, opts->key, opts->keylen);
	ctx_sha256_final(&s, r->key);
	return 0;
}

/*
 * Allocate room for the groups of the pattern with the most, and a stack if
 * users' patterns need one.
 */
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
	r->compile = ctx_regex_context();
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
	    setup_personal(r, err) == -1 || add_anchors(r, err) == -1)
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
	r->opts = *opts;
	if (setup(r, opts, err) == -1) {
		ctx_redact_free(r);
		return NULL;
	}
	return r;
}

struct ctx_redact *
ctx_redact_like(const struct ctx_redact *r, struct ctx_err *err)
{
	struct ctx_redact *new = ctx_redact_new(&r->opts, err);

	if (new != NULL)
		memcpy(new->key, r->key, sizeof(r->key));
	return new;
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
	free(r->spelling);
	ctx_anchors_free(r->anchors);
	pcre2_match_data_free(r->match);
	pcre2_jit_stack_free(r->stack);
	pcre2_match_context_free(r->context);
	pcre2_compile_context_free(r->compile);
	ctx_buf_done(&r->pair);
	ctx_buf_done(&r->again);
	ctx_buf_done(&r->decoded);
	ctx_encoded_done(&r->plain);
	free(r->hit);
	free(r->place);
	free(r);
}

/* Write the first n digits of the keyed hash of s to out. */
static char *
put_digits(const struct ctx_redact *r, const char *s, size_t len, size_t n,
    char *out)
{
	unsigned char mac[CTX_SHA256_LEN];
	char hex[CTX_SHA256_HEX];

	ctx_sha256_hmac(r->key, sizeof(r->key), s, len, mac);
	memcpy(out, ctx_sha256_text(mac, hex), n);
	return out + n;
}

char *
ctx_redact_placeholder(const struct ctx_redact *r, const char *text,
    const struct ctx_redact_hit *hit, char out[CTX_REDACT_PLACEHOLDER])
{
	const char *id = ctx_redact_id(r, hit->rule);
	size_t n = strlen(id);
	char *p = out;

	memcpy(p, CTX_REDACT_HEAD, CTX_REDACT_HEAD_LEN);
	memcpy(p + CTX_REDACT_HEAD_LEN, id, n);
	p += CTX_REDACT_HEAD_LEN + n;
	*p++ = ':';
	p = put_digits(r, text + hit->off, hit->len, r->opts.unique ?
	    CTX_REDACT_UNIQUE : CTX_REDACT_DIGITS, p);
	memcpy(p, "]", 2);
	return out;
}

char *
ctx_redact_spelled(const struct ctx_redact *r, const char *spelling,
    size_t len, char out[CTX_REDACT_PLACEHOLDER])
{
	char *p = out + strlen(out) - 1;

	*p++ = '-';
	p = put_digits(r, spelling, len, CTX_REDACT_SPELLING, p);
	memcpy(p, "]", 2);
	return out;
}

int
ctx_redact_replace(const struct ctx_redact *r, const char *text, size_t len,
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

int
ctx_redact_follow(struct ctx_redact *r, const struct ctx_redact_value *v,
    struct ctx_pem_block *b, const struct ctx_redact_hit **hit, size_t *n)
{
	struct ctx_redact_hit rest = { 0 };
	int open = ctx_pem_opens(v->text, v->len);
	size_t end;

	if (b->left > 0 && ctx_pem_goes_on(v->text, v->len, &rest.off, &end,
	    &open)) {
		b->ends |= !open;
		rest.len = end - rest.off;
		if (ctx_redact_add(r, CTX_PEM_RULE, &rest, hit, n) == -1)
			return -1;
	}
	b->opens |= open;
	return 0;
}

int
ctx_redact_value(struct ctx_redact *r, const struct ctx_redact_value *v,
    struct ctx_pem_block *b, struct ctx_buf *out, size_t *n,
    struct ctx_err *err)
{
	const struct ctx_redact_hit *hit;
	size_t count;

	if (ctx_redact_find_value(r, v, &hit, &count, err) == -1)
		return -1;
	if (b != NULL && ctx_redact_follow(r, v, b, &hit, &count) == -1)
		return ctx_fail_nomem(err);
	if (n != NULL)
		*n = count;
	return ctx_redact_replace(r, v->text, v->len, out, err);
}

int
ctx_redact_text(struct ctx_redact *r, const char *text, size_t len,
    struct ctx_buf *out, size_t *n, struct ctx_err *err)
{
	const struct ctx_redact_value v = { .text = text, .len = len };

	return ctx_redact_value(r, &v, NULL, out, n, err);
}
