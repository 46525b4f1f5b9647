/* SPDX-License-Identifier: MIT */
/*
 * The summarizer against a naive one that does what EXTRACT.md says, for
 * conversations of the words below.  It has no heap, no sorting and no hashes.
 */
#include "extract/extract.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "extract/glyph.h"
#include "greedy.h"
#include "seeded.h"

/*
 * TERM is just a word; the others are facts too: identifiers, shorter marks,
 * numbers, numbers that are too short to mean anything, and names.
 */
enum sort { TERM, ID, MARK, NUMBER, BARE, NAME };
static const struct vocab {
	const char *word;
	enum sort sort;
	int stop, cue;
} vocab[] = {
	{ "red", TERM, 0, 0 }, { "green", TERM, 0, 0 }, { "blue", TERM, 0, 0 },
	{ "tower", TERM, 0, 0 }, { "rivers", TERM, 0, 0 },
	{ "mountain", TERM, 0, 0 }, { "old", TERM, 0, 0 },
	{ "about", TERM, 1, 0 }, { "under", TERM, 1, 0 },
	{ "must", TERM, 0, 1 }, { "want", TERM, 1, 1 },
	{ "tool", TERM, 0, 0 },
	/* from here on, facts */
	{ "x1", MARK, 0, 0 }, { "y2345", ID, 0, 0 }, { "700", NUMBER, 0, 0 },
	{ "z99999999", ID, 0, 0 }, { "x12", MARK, 0, 0 },
	{ "9", BARE, 0, 0 }, { "40", BARE, 0, 0 },
	{ "Paul", NAME, 0, 0 }, { "Maria", NAME, 0, 0 }
};
enum { TOOL = 11, WORDS, FACTS = 7, NAMES = 2, ALL = WORDS + FACTS + NAMES };
enum { SAID = 48, TOKENS = 10 };

/* By sort: the percentage of a fact's weight. */
static const uint32_t share_of[] = { 0, 200, 100, 70, 40, 20 };

/* The weights of a kind's terms and facts, in 1/16. */
static const struct {
	uint32_t term, fact;
} role[] = {
	[CTX_TALK_USER] = { 16, 32 }, [CTX_TALK_ASSISTANT] = { 6, 8 },
	[CTX_TALK_CALL] = { 8, 48 }, [CTX_TALK_RESULT] = { 1, 6 },
	[CTX_TALK_SUMMARY] = { 16, 192 }
};

/* A message is one passage, or the references of a summary. */
struct said {
	enum ctx_talk_kind kind;
	enum ctx_talk_kind as;		/* whose words it counts as */
	int refs;
	size_t ntok, tok[TOKENS];
	char text[160], shown[180];
};

/* A fact where it is first said. */
struct known {
	uint32_t count, weight, alone;
	int order, hard, asked, listed;
	const struct said *last;
};

struct naive {
	struct said said[SAID];
	size_t n;
	uint64_t budget, size;		/* as given */
	/* of costs: a factor, and what a text of several lines costs more */
	uint64_t scale, extra;
	struct known fact[ALL];
	struct ctx_cover c;
	struct ctx_cover_item item[SAID + 1];
	uint32_t feature[2 * SAID * TOKENS], weight[2 * ALL];
	uint8_t covered[2 * ALL];
	uint64_t left, left_size;
	char out[8192];
};

static int
cost(void *arg, const char *text, size_t len, uint64_t *n, struct ctx_err *err)
{
	const struct naive *v = arg;
	const char *nl = len > 0 ? memchr(text, '\n', len) : NULL;

	(void)err;
	*n = (len + 2) / 3 * v->scale;
	if (nl != NULL && nl + 1 < text + len)
		*n += v->extra;
	return 0;
}

static uint64_t
cost_of(struct naive *v, const char *text, const char *end)
{
	char all[200];
	uint64_t n = 0;

	snprintf(all, sizeof(all), "%s%s", text, end);
	cost(v, all, strlen(all), &n, NULL);
	return n;
}

static uint32_t
size_of(const char *text)
{
	return ctx_glyph_size(text, strlen(text));
}

static uint32_t
log_of(uint32_t x)
{
	return (uint32_t)(log2(1 + x / 16.0) * 1024 + 1e-9);
}

static void
write_said(struct said *s)
{
	const char *sep = s->refs || s->kind == CTX_TALK_CALL ? ", " : " ";
	size_t i;

	s->text[0] = '\0';
	for (i = 0; i < s->ntok; i++) {
		strcat(s->text, i > 0 ? sep : s->refs ? "Refs: " : "");
		strcat(s->text, vocab[s->tok[i]].word);
	}
	s->shown[0] = '\0';
	if (!s->refs)
		snprintf(s->shown, sizeof(s->shown), s->kind ==
		    CTX_TALK_CALL ? "tool_77(%s)" : "%s", s->text);
}

/* A name is in the middle of a sentence, between words. */
static void
make(struct naive *v)
{
	struct said *s;
	size_t i, k;

	memset(v, 0, sizeof(*v));
	v->n = 1 + seeded(seeded(4) == 0 ? SAID : SAID / 3);
	for (i = 0; i < v->n; i++) {
		s = &v->said[i];
		s->kind = (enum ctx_talk_kind)seeded(5);
		s->refs = s->kind == CTX_TALK_SUMMARY && seeded(2) == 0;
		s->ntok = 1 + seeded(s->kind == CTX_TALK_CALL ? 5 : TOKENS);
		for (k = 0; k < s->ntok; k++) {
			s->tok[k] = seeded(seeded(4) == 0 ? WORDS + FACTS :
			    WORDS);
			if (s->refs)
				s->tok[k] = WORDS + seeded(FACTS);
			else if (k > 0 && s->tok[k - 1] < WORDS &&
			    seeded(6) == 0 && s->kind != CTX_TALK_CALL)
				s->tok[k] = WORDS + FACTS + seeded(NAMES);
			else if (k > 0 ? s->tok[k - 1] >= WORDS + FACTS :
			    s->ntok == 1)
				s->tok[k] = seeded(WORDS);
		}
		/* a result without a word is not a passage */
		if (s->kind == CTX_TALK_RESULT)
			s->tok[0] = seeded(WORDS);
		write_said(s);
	}
	/* an assistant's last words, up to sixteen, count as a user's */
	for (i = 0; i < v->n; i++)
		v->said[i].as = v->said[i].kind;
	for (k = 0; k < 16 && k < v->n && v->said[v->n - 1 - k].kind ==
	    CTX_TALK_ASSISTANT; k++)
		v->said[v->n - 1 - k].as = CTX_TALK_USER;
	v->scale = seeded(2) == 0 ? 30 : 1;
	v->budget = seeded((uint32_t)(120 * v->scale));
	v->size = seeded(3) == 0 ? seeded(120) : 0;
	v->extra = seeded(3) * 4 * v->scale;
}

static void
weigh_terms(struct naive *v)
{
	uint32_t sum, in;
	size_t t, i, k, has;

	for (t = 0; t < ALL; t++) {
		for (sum = in = 0, i = 0; i < v->n; i++) {
			has = t == TOOL && v->said[i].kind == CTX_TALK_CALL;
			for (k = 0; k < v->said[i].ntok; k++)
				has |= v->said[i].tok[k] == t;
			if (has && !v->said[i].refs) {
				sum += role[v->said[i].kind].term;
				in++;
			}
		}
		v->weight[t] = log_of(sum) / (vocab[t].stop ? 4 : 1);
		if (in > 6 && in > v->n / 5)
			v->weight[t] /= 8;
	}
}

/* The weight of what s says as its token k: a list gives 128 to 32. */
static uint32_t
weight_in(const struct said *s, size_t k)
{
	size_t i, at = 0;

	if (!s->refs)
		return role[s->as].fact;
	for (i = 0; i < k; i++)
		at += strlen(vocab[s->tok[i]].word) + 2;
	return (uint32_t)(128 - at * 96 / (strlen(s->text) - 6));
}

/* Token k of s is f; hard is whether that is more than a name. */
static void
mention(struct known *f, const struct said *s, size_t k, int hard, int *order)
{
	if (f->order == 0) {
		f->order = ++*order;
		f->asked = s->kind != CTX_TALK_ASSISTANT;
	}
	f->hard |= hard;
	if (f->last != s)
		f->count += weight_in(s, k);
	f->last = s;
}

/* As the value of a call, each word is more than a word or a name. */
static uint32_t
hard_share(size_t t)
{
	return vocab[t].sort == TERM || vocab[t].sort == NAME ? 100 :
	    share_of[vocab[t].sort];
}

static void
weigh_facts(struct naive *v)
{
	const struct said *s;
	size_t i, k, t;
	struct known *f;
	int order = 0;

	for (i = 0; i < v->n; i++) {
		s = &v->said[i];
		for (k = 0; k < s->ntok; k++)
			if ((t = s->tok[k]) >= WORDS)
				mention(&v->fact[t], s, k,
				    vocab[t].sort != NAME, &order);
		/* every value of a call is a fact if it is long enough */
		for (k = 0; k < s->ntok && s->kind == CTX_TALK_CALL; k++)
			if (strlen(vocab[s->tok[k]].word) >= 2)
				mention(&v->fact[s->tok[k]], s, k, 1, &order);
	}
	for (t = 0; t < ALL; t++) {
		f = &v->fact[t];
		if (f->hard)
			f->weight = log_of(f->count) * hard_share(t) / 100;
		else
			f->weight = log_of(f->asked ? f->count * 40 / 100 :
			    f->count) * 20 / 100;
		/* by itself a number says little, and a short one nothing */
		f->alone = !f->hard ? f->weight : vocab[t].sort == BARE ? 0 :
		    log_of(f->count) * (hard_share(t) /
		    (vocab[t].sort == NUMBER ? 2 : 1)) / 100;
		v->weight[ALL + t] = f->weight;
	}
}

static void
add_feature(struct naive *v, size_t i, uint32_t id)
{
	uint32_t *n = v->feature + v->item[i + 1].first, *p;

	for (p = v->feature + v->item[i].first; p < n; p++)
		if (*p == id)
			return;
	*n = id;
	v->item[i + 1].first++;
}

static void
features(struct naive *v)
{
	const struct said *s;
	size_t i, k, t;

	for (i = 0; i < v->n; i++) {
		s = &v->said[i];
		v->item[i].size = size_of(s->shown);
		v->item[i].factor = role[s->as].term * 16;
		v->item[i + 1].first = v->item[i].first;
		if (s->kind == CTX_TALK_CALL)
			add_feature(v, i, TOOL);
		for (k = 0; k < s->ntok && !s->refs; k++) {
			t = s->tok[k];
			if (vocab[t].cue)
				v->item[i].factor = role[s->as].term * 16 *
				    307 / 256;
			if (t < WORDS || t >= WORDS + FACTS)
				add_feature(v, i, (uint32_t)t);
			if (t >= WORDS || s->kind == CTX_TALK_CALL)
				add_feature(v, i, (uint32_t)(ALL + t));
		}
	}
	v->c = (struct ctx_cover){ v->item, v->n, v->feature, v->weight,
	    v->covered, ALL, 0 };
}

static int
charge(struct naive *v, uint64_t n, uint64_t size)
{
	if (n > v->left || size > v->left_size)
		return 0;
	v->left -= n;
	v->left_size -= size;
	return 1;
}

static int
fits(void *arg, size_t i, struct ctx_err *err)
{
	struct naive *v = arg;

	(void)err;
	return charge(v, cost_of(v, v->said[i].shown, "\n"),
	    v->item[i].size);
}

/* The passages that were taken, and with refs the facts that were listed. */
static void
print(struct naive *v, int refs)
{
	const char *lead = "Refs: ";
	size_t i, t;
	int k, last = 0;

	v->out[0] = '\0';
	for (i = 0; i < v->n; i++)
		if (v->item[i].out && !v->said[i].refs) {
			strcat(v->out, v->out[0] != '\0' ? "\n" : "");
			strcat(v->out, v->said[i].shown);
		}
	for (t = 0; t < ALL; t++)
		last = v->fact[t].listed > last ? v->fact[t].listed : last;
	for (k = 1; refs && k <= last; k++)
		for (t = 0; t < ALL; t++)
			if (v->fact[t].listed == k) {
				if (lead[0] == 'R' && v->out[0] != '\0')
					strcat(v->out, "\n");
				strcat(v->out, lead);
				strcat(v->out, vocab[t].word);
				lead = ", ";
			}
}

static uint64_t
worth(const struct naive *v, size_t t)
{
	uint64_t size = size_of(vocab[t].word) + 2, root = 0;

	while ((root + 1) * (root + 1) <= size << 16)
		root++;
	return ((uint64_t)v->fact[t].alone << 16) / root;
}

/* Is the word in the text, and not in a longer one? */
static int
is_said(const char *text, const char *word)
{
	size_t n = strlen(word);
	const char *p;

	for (p = text; (p = strstr(p, word)) != NULL; p++)
		if ((p == text || !isalnum((unsigned char)p[-1])) &&
		    !isalnum((unsigned char)p[n]))
			return 1;
	return 0;
}

static void
choose_refs(struct naive *v)
{
	uint8_t tried[ALL] = { 0 };
	const char *word;
	int listed = 0;
	size_t t, best, i;
	char seen[8192];

	if (!charge(v, cost_of(v, "Refs: ", ""), 2))
		return;
	for (i = 0; i < ALL; i++)
		tried[i] = v->fact[i].order == 0 || v->covered[ALL + i] ||
		    v->fact[i].alone == 0;
	strcpy(seen, v->out);
	while (v->left > 1) {
		for (best = ALL, t = 0; t < ALL; t++)
			if (!tried[t] && (best == ALL ||
			    worth(v, t) > worth(v, best) ||
			    (worth(v, t) == worth(v, best) &&
			    v->fact[t].order < v->fact[best].order)))
				best = t;
		if (best == ALL)
			return;
		tried[best] = 1;
		word = vocab[best].word;
		if (is_said(seen, word) ||
		    !charge(v, cost_of(v, word, ", "), size_of(word) + 1))
			continue;
		v->fact[best].listed = ++listed;
		v->covered[ALL + best] = 1;
		strcat(strcat(seen, word), "\n");
	}
}

static void
compose(struct naive *v, uint64_t budget, uint64_t share)
{
	uint64_t size = v->size != 0 ? v->size : 1000000, divisor[SAID];
	uint8_t tried[SAID];
	size_t i;

	for (i = 0; i < v->n; i++)
		v->item[i].out = v->said[i].refs != 0;
	for (i = 0; i < ALL; i++)
		v->fact[i].listed = 0;
	memset(v->covered, 0, sizeof(v->covered));
	v->left = budget - budget * share / 1000;
	v->left_size = size - size * share / 1000;
	v->c.min_terms = 5;
	greedy_run(&v->c, tried, divisor, fits, v);
	print(v, 0);
	if (v->out[0] == '\0') {
		v->c.min_terms = 0;
		greedy_run(&v->c, tried, divisor, fits, v);
		print(v, 0);
	}
	v->left += budget * share / 1000;
	v->left_size += size * share / 1000;
	choose_refs(v);
	greedy_run(&v->c, tried, divisor, fits, v);
	/* what a passage shows is not listed */
	print(v, 0);
	for (i = 0; i < ALL; i++)
		if (is_said(v->out, vocab[i].word))
			v->fact[i].listed = 0;
	print(v, 1);
}

static void
naive(struct naive *v)
{
	uint64_t text = 0, facts = 0, share = 0, budget = v->budget, over = 1;
	size_t i;
	int try;

	weigh_terms(v);
	weigh_facts(v);
	features(v);
	for (i = 0; i < v->n; i++)
		text += v->item[i].size;
	for (i = 0; i < ALL; i++)
		if (v->fact[i].hard && hard_share(i) >= 100)
			facts += size_of(vocab[i].word);
	if (text > 0)
		share = 100 + 5000 * facts / text;
	if (share > 510)
		share = 510;
	for (try = 0; try < 8 && over > 0; try++) {
		compose(v, budget, share);
		cost(v, v->out, strlen(v->out), &over, NULL);
		over = over > v->budget ? over - v->budget : 0;
		budget = budget > over ? budget - over : 0;
	}
	if (over > 0)
		v->out[0] = '\0';
}

static int
same(struct naive *v)
{
	struct ctx_extract opt = { v->budget, v->size, cost, v };
	struct ctx_talk said[SAID];
	struct ctx_buf out = { 0 };
	struct ctx_err err = { 0 };
	size_t i;
	int ok;

	for (i = 0; i < v->n; i++)
		said[i] = (struct ctx_talk){ v->said[i].kind, v->said[i].text,
		    strlen(v->said[i].text), "tool_77", 7,
		    .failed = 0 };
	ok = CHECK_INT(ctx_extract(said, v->n, &opt, &out, &err), 0) &&
	    (CHECK_STR(ctx_buf_str(&out), v->out), check.wrong == 0);
	for (i = 0; i < v->n && !ok; i++)
		fprintf(stderr, "\t%d: %s\n", v->said[i].kind, v->said[i].text);
	ctx_buf_done(&out);
	return ok;
}

int
main(void)
{
	static struct naive v;
	size_t i;

	TEST("1000 conversations");
	for (i = 0; i < 1000; i++) {
		make(&v);
		naive(&v);
		if (!same(&v))
			break;
	}
	return CHECK_DONE("extract_naive");
}
