/* SPDX-License-Identifier: MIT */
/*
 * A mutator for inputs that are lines of JSON: it drops, repeats, moves and
 * swaps lines and values, exchanges ids, empties and spells otherwise, and
 * leaves what is around valid.  What is before the first bracket of a line,
 * such as "data: ", is not looked at; a line without one is text.
 */
#include "fuzz.h"

#include <stdio.h>

#include "base/utf8.h"
#include "read/node.h"

size_t	LLVMFuzzerMutate(uint8_t *data, size_t len, size_t max);
size_t	LLVMFuzzerCustomMutator(uint8_t *data, size_t len, size_t max,
	    unsigned int seed);
size_t	LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t alen,
	    const uint8_t *b, size_t blen, uint8_t *out, size_t max,
	    unsigned int seed);

#define LONGEST	4096	/* text that the library's own mutator gets */

/* A range of bytes. */
struct range {
	size_t off, len;
};

static uint64_t state;

static uint32_t
below(uint32_t n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return n == 0 ? 0 :
	    (uint32_t)((state * 2685821657736338717u >> 33) % n);
}

/* --- bytes ------------------------------------------------------------- */

/* Put text in place of a range of b. */
static void
splice(struct ctx_buf *b, struct range r, const char *text, size_t len)
{
	struct ctx_buf out = { 0 };

	ctx_buf_add(&out, b->data, r.off);
	ctx_buf_add(&out, text, len);
	ctx_buf_add(&out, b->data + r.off + r.len, b->len - r.off - r.len);
	MUST(!out.failed);
	ctx_buf_done(b);
	*b = out;
}

/* Put into place a copy of the bytes of another range of b. */
static void
copy(struct ctx_buf *b, struct range to, struct range from)
{
	char *text = malloc(from.len + 1);

	MUST(text != NULL);
	memcpy(text, b->data + from.off, from.len);
	splice(b, to, text, from.len);
	free(text);
}

/* Exchange two ranges of which neither is in the other. */
static void
swap(struct ctx_buf *b, struct range x, struct range y)
{
	struct ctx_buf was = { 0 };

	if (x.off > y.off) {
		swap(b, y, x);
		return;
	}
	if (x.off + x.len > y.off)
		return;
	ctx_buf_add(&was, b->data, b->len);
	MUST(!was.failed);
	splice(b, y, was.data + x.off, x.len);
	splice(b, x, was.data + y.off, y.len);
	ctx_buf_done(&was);
}

/* --- lines ------------------------------------------------------------- */

/* A line with its end; the last one may have none. */
static struct range
some_line(const struct ctx_buf *b)
{
	size_t n = 0, at;
	struct range r = { 0, 0 };

	for (at = 0; at < b->len; at += ctx_scan_newline(b->data + at,
	    b->len - at) + 1)
		n++;
	n = below((uint32_t)n);
	for (at = 0; at < b->len; at = r.off + r.len) {
		r.off = at;
		r.len = ctx_scan_newline(b->data + at, b->len - at);
		r.len += at + r.len < b->len;
		if (n-- == 0)
			break;
	}
	return r;
}

static void
change_lines(struct ctx_buf *b)
{
	struct range r = some_line(b), to = some_line(b);

	switch (below(4)) {
	case 0:
		splice(b, r, "", 0);
		break;
	case 1:
		to.len = 0;
		copy(b, to, r);
		break;
	case 2:
		swap(b, r, to);
		break;
	case 3:
		if (below(8) == 0)
			splice(b, (struct range){ r.off, b->len - r.off }, "",
			    0);
	}
}

/* --- values ------------------------------------------------------------ */

static struct range
of_node(const struct ctx_doc *d, uint32_t i)
{
	return (struct range){ d->node[i].off, d->node[i].len };
}

/* Any node but the first, if there is another; with keys only if asked for. */
static uint32_t
some_node(const struct ctx_doc *d, char type)
{
	uint32_t i, tries;

	for (tries = 0; tries < 16; tries++) {
		i = 1 + below(d->n - 1);
		if (d->n > 1 && !ctx_node_is_key(d, i) &&
		    (type == '\0' || ctx_node_type(d, i) == type))
			return i;
	}
	return CTX_NONE;
}

/* The member or element that value i is, without commas. */
static struct range
entry_of(const struct ctx_doc *d, uint32_t i)
{
	size_t from = d->node[i].off, end = from + d->node[i].len;

	if (i > 1 && ctx_node_is_key(d, i - 1))
		from = d->node[i - 1].off;
	return (struct range){ from, end - from };
}

/* Remove it with one of the commas next to it. */
static void
remove_entry(struct ctx_buf *b, const struct ctx_doc *d, uint32_t i)
{
	struct range r = entry_of(d, i);
	size_t end = r.off + r.len;

	if (b->data[end] == ',')
		r.len++;
	else if (b->data[r.off - 1] == ',') {
		r.off--;
		r.len++;
	}
	splice(b, r, "", 0);
}

/* Put text and a comma before value i's entry. */
static void
put_before(struct ctx_buf *b, const struct ctx_doc *d, uint32_t i,
    const char *text, size_t len)
{
	struct ctx_buf put = { 0 };
	struct range r = { entry_of(d, i).off, 0 };

	ctx_buf_add(&put, text, len);
	ctx_buf_addc(&put, ',');
	MUST(!put.failed);
	splice(b, r, put.data, put.len);
	ctx_buf_done(&put);
}

static const char *const literals[] = { "null", "\"\"", "[]", "{}", "7", "0",
	"-1", "1.50", "1e400", "9223372036854775808", "true", "false",
	"\"text\"", "[\"text\"]", "[{\"a\":1}]", "{\"a\":[1]}", "[null]",
	"[[]]", "{\"type\":\"novel\",\"what\":\"part\"}" };
static const char *const members[] = { "\"novel\":1", "\"id\":\"a\"",
	"\"type\":\"text\"", "\"name\":\"f\"", "\"role\":\"user\"",
	"\"content\":\"x\"", "\"~/\":{\"a\":[1,2]}", "\"\":null",
	"\"index\":0", "\"cache_control\":{\"type\":\"ephemeral\"}" };

#define SOME(list)	list[below(sizeof(list) / sizeof(list[0]))]

/* Add something that no dialect has. */
static void
add_entry(struct ctx_buf *b, const struct ctx_doc *d, uint32_t i)
{
	const char *text = i > 1 && ctx_node_is_key(d, i - 1) ?
	    SOME(members) : SOME(literals);

	put_before(b, d, i, text, strlen(text));
}

static void
repeat_entry(struct ctx_buf *b, const struct ctx_doc *d, uint32_t i)
{
	struct range r = entry_of(d, i);
	struct ctx_buf text = { 0 };

	ctx_buf_add(&text, b->data + r.off, r.len);
	put_before(b, d, i, text.data, text.len);
	ctx_buf_done(&text);
}

/* --- strings and numbers ----------------------------------------------- */

/* What is between the quotes of a string, decoded, to be altered, as JSON. */
static void
alter_text(struct ctx_buf *b, struct range r)
{
	struct ctx_buf text = { 0 }, spelled = { 0 };
	uint8_t room[LONGEST];
	size_t n;

	ctx_str_decode(&text, b->data + r.off, r.len);
	n = text.len < LONGEST / 2 ? text.len : LONGEST / 2;
	if (n > 0)
		memcpy(room, text.data, n);
	n = LLVMFuzzerMutate(room, n, LONGEST);
	n = ctx_utf8_check((const char *)room, n);
	ctx_str_encode(&spelled, (const char *)room, n);
	MUST(!text.failed && !spelled.failed);
	splice(b, r, spelled.len > 0 ? spelled.data : "", spelled.len);
	ctx_buf_done(&text);
	ctx_buf_done(&spelled);
}

/* Spell one plain character of the string by its number. */
static void
respell(struct ctx_buf *b, struct range r)
{
	struct range at = { r.off + below((uint32_t)r.len), 1 };
	char escape[8];
	int n;

	if (r.len == 0 || memchr(b->data + r.off, '\\', r.len) != NULL ||
	    (unsigned char)b->data[at.off] > 0x7e)
		return;
	n = snprintf(escape, sizeof(escape), below(2) ? "\\u%04x" :
	    "\\u%04X", (unsigned char)b->data[at.off]);
	splice(b, at, escape, (size_t)n);
}

/* Write the string again and again, up to some thousand bytes. */
static void
lengthen(struct ctx_buf *b, struct range r)
{
	uint32_t n = 2u << below(8);

	for (; n > 0 && r.len > 0 && b->len < 65536; n--)
		copy(b, (struct range){ r.off, 0 }, r);
}

static void
change_string(struct ctx_buf *b, const struct ctx_doc *d, uint32_t i)
{
	static const char *const pieces[] = { "\\ud83d", "\\ude00",
	    "\\ud83d\\ude00", "\\u0000", "\\n", "\\u001b[1m",
	    "\xf0\x9f\x99\x82",
	    "e\xcc\x81", "\\\\", "\\/", " ", "\\r\\n", "{\\\"a\\\":1}", "```" };
	struct range r = { d->node[i].off + 1, d->node[i].len - 2 }, half;
	const char *piece = SOME(pieces);

	switch (below(8)) {
	case 0: case 1: case 2:
		alter_text(b, r);
		break;
	case 3:
		respell(b, r);
		break;
	case 4:
		lengthen(b, r);
		break;
	case 5:
		half = (struct range){ r.off, r.len / 2 };
		if (memchr(b->data + r.off, '\\', r.len) == NULL &&
		    ctx_utf8_check(b->data + r.off, half.len) == half.len)
			splice(b, half, "", 0);
		break;
	default:
		splice(b, (struct range){ below(2) ? r.off : r.off + r.len, 0 },
		    piece, strlen(piece));
	}
}

static void
change_number(struct ctx_buf *b, const struct ctx_doc *d, uint32_t i)
{
	static const char *const numbers[] = { "0", "-0", "1", "-1", "2", "1.0",
	    "1E2", "0.1e-5", "4294967295", "4294967296", "9007199254740993",
	    "18446744073709551616", "1e308", "1e400", "-1e400", "1e-400" };
	const char *n = SOME(numbers);

	splice(b, of_node(d, i), n, strlen(n));
}

/* --- one change -------------------------------------------------------- */

/* Put the value in a list, or a list's only contents in its place. */
static void
nest(struct ctx_buf *b, const struct ctx_doc *d, uint32_t i)
{
	struct range r = of_node(d, i);

	if (ctx_node_type(d, i) == '[' && r.len > 2 &&
	    d->node[i].next > i + 1) {
		copy(b, r, of_node(d, i + 1));
		return;
	}
	splice(b, (struct range){ r.off + r.len, 0 }, "]", 1);
	splice(b, (struct range){ r.off, 0 }, "[", 1);
}

static void
change_value(struct ctx_buf *b, const struct ctx_doc *d)
{
	uint32_t i = some_node(d, '\0'), k = some_node(d, '\0');
	const char *literal = SOME(literals);

	if (i == CTX_NONE || k == CTX_NONE)
		return;
	switch (below(10)) {
	case 0:
		remove_entry(b, d, i);
		break;
	case 1:
		repeat_entry(b, d, i);
		break;
	case 2:
		swap(b, of_node(d, i), of_node(d, k));
		break;
	case 3:
		swap(b, entry_of(d, i), entry_of(d, k));
		break;
	case 4:
		splice(b, of_node(d, i), literal, strlen(literal));
		break;
	case 5:
		add_entry(b, d, i);
		break;
	case 6:
		nest(b, d, i);
		break;
	case 7:
		copy(b, of_node(d, i), of_node(d, k));
		break;
	default:
		if (ctx_node_type(d, i) == '"')
			change_string(b, d, i);
		else if (strchr("{[tfn", ctx_node_type(d, i)) == NULL)
			change_number(b, d, i);
	}
}

/* Exchange two strings, as ids; or give one what the other has. */
static void
change_strings(struct ctx_buf *b, const struct ctx_doc *d)
{
	uint32_t i = some_node(d, '"'), k = some_node(d, '"');

	if (i == CTX_NONE || k == CTX_NONE)
		return;
	if (below(2))
		swap(b, of_node(d, i), of_node(d, k));
	else
		copy(b, of_node(d, i), of_node(d, k));
}

/*
 * Nodes of one line, or of all lines as if they were one list; offsets are
 * those in b.  Returns 0 if it is not JSON.
 */
static int
nodes_of(const struct ctx_buf *b, struct range r, struct ctx_doc *d)
{
	const char *p = b->data + r.off, *end = p + r.len;
	uint32_t i;

	while (p < end && *p != '{' && *p != '[')
		p++;
	if (ctx_doc_try(d, p, (size_t)(end - p)) != 1 || d->n < 2)
		return 0;
	for (i = 0; i < d->n; i++)
		d->node[i].off += (uint32_t)(p - b->data);
	d->raw = b->data;
	d->len = b->len;
	return 1;
}

/* Copy a string or value of one line to another. */
static void
between_lines(struct ctx_buf *b, struct ctx_doc *d, struct ctx_doc *e)
{
	struct range r = some_line(b), q = some_line(b);
	char type = below(2) ? '"' : '\0';
	uint32_t i, k;

	if (r.off == q.off || !nodes_of(b, r, d) || !nodes_of(b, q, e) ||
	    (i = some_node(d, type)) == CTX_NONE ||
	    (k = some_node(e, type)) == CTX_NONE)
		return;
	if (below(2))
		swap(b, of_node(d, i), of_node(e, k));
	else
		copy(b, of_node(d, i), of_node(e, k));
}

/* Alter the bytes of a line that is not JSON. */
static void
change_text(struct ctx_buf *b, struct range r)
{
	uint8_t room[LONGEST];
	size_t n = r.len < LONGEST / 2 ? r.len : LONGEST / 2;

	if (n > 0)
		memcpy(room, b->data + r.off, n);
	r.len = n;
	n = LLVMFuzzerMutate(room, n, LONGEST);
	splice(b, r, (const char *)room, n);
}

static void
change(struct ctx_buf *b, struct ctx_doc *d, struct ctx_doc *e)
{
	struct range r = some_line(b);

	switch (below(8)) {
	case 0:
		change_lines(b);
		return;
	case 1:
		between_lines(b, d, e);
		return;
	default:
		if (!nodes_of(b, r, d))
			change_text(b, r);
		else if (below(4) == 0)
			change_strings(b, d);
		else
			change_value(b, d);
	}
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t len, size_t max,
    unsigned int seed)
{
	static struct ctx_doc d, e;
	struct ctx_buf b = { 0 };
	uint32_t n;

	state = 88172645463325252u ^ (uint64_t)seed << 17;
	below(2);
	if (len == 0 || below(16) == 0)
		return LLVMFuzzerMutate(data, len, max);
	ctx_buf_add(&b, (const char *)data, len);
	for (n = 1 + below(2) * below(4); n > 0 && b.len > 0; n--)
		change(&b, &d, &e);
	MUST(!b.failed);
	if (b.len <= max && b.len > 0) {
		memcpy(data, b.data, b.len);
		len = b.len;
	}
	ctx_buf_done(&b);
	return len;
}

/* Some lines of a, and between them some of b. */
size_t
LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t alen, const uint8_t *b,
    size_t blen, uint8_t *out, size_t max, unsigned int seed)
{
	struct ctx_buf x = { 0 }, y = { 0 };
	struct range r;
	uint32_t n;

	state = 88172645463325252u ^ (uint64_t)seed << 17;
	below(2);
	ctx_buf_add(&x, (const char *)a, alen);
	ctx_buf_add(&y, (const char *)b, blen);
	for (n = 1 + below(4); n > 0 && x.len > 0 && y.len > 0; n--) {
		r = some_line(&y);
		splice(&x, below(2) ? some_line(&x) :
		    (struct range){ some_line(&x).off, 0 }, y.data + r.off,
		    r.len);
	}
	MUST(!x.failed && !y.failed);
	n = (uint32_t)(x.len < max ? x.len : max);
	if (n > 0)
		memcpy(out, x.data, n);
	ctx_buf_done(&x);
	ctx_buf_done(&y);
	return n;
}
