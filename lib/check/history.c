/* SPDX-License-Identifier: MIT */
/* Rules for the messages of a history; see check.h. */
#include "check/check.h"

#include <string.h>

#include "base/base64.h"
#include "edit/attachment.h"

static int
found(struct ctx_check *k, enum ctx_fault fault, uint32_t m, uint32_t i,
    struct ctx_err *err)
{
	return ctx_plan_find(k->plan, fault, m, i, 0, err);
}

static struct ctx_finding *
last_finding(struct ctx_check *k)
{
	return &k->plan->finding[k->plan->nfinding - 1];
}

/*
 * Report message m or its part i if the model refuses what, or as a warning if
 * no model is known and some do.
 */
static int
refused(struct ctx_check *k, enum ctx_fault fault, const char *what,
    uint32_t m, uint32_t i, struct ctx_err *err)
{
	const struct ctx_api_row *row = ctx_api_refuses(k->rules, k->named,
	    fault, what);

	if (row == NULL)
		return 0;
	if (found(k, fault, m, i, err) == -1)
		return -1;
	last_finding(k)->detail = row->detail;
	last_finding(k)->warning = k->named.p == NULL && row->models != NULL;
	return 0;
}

static uint32_t
element_of(const struct ctx_part *p)
{
	return p->place[0].node;
}

/* The calls and results of an API must be in messages of their role. */
static int
is_misplaced(const struct ctx_convo *c, uint32_t m, const struct ctx_part *p)
{
	if (p->flags & CTX_SERVER)
		return 0;
	return (p->kind == CTX_CALL && c->msg[m].role != CTX_ASSISTANT) ||
	    (p->kind == CTX_RESULT && c->msg[m].role == CTX_ASSISTANT &&
	    !(p->flags & CTX_NO_TOOL));
}

static int
check_id(struct ctx_check *k, uint32_t m, uint32_t i, struct ctx_err *err)
{
	const struct ctx_part *p = &k->c->part[i];
	const struct ctx_api *a = k->rules;

	if (p->kind == CTX_RESULT && p->flags & CTX_TOOL_NAME &&
	    a->needs_id && p->mate != CTX_NONE &&
	    k->c->part[p->mate].id.p != NULL)
		return found(k, CTX_F_NO_ID, m, i, err);
	if (p->kind != CTX_CALL)
		return 0;
	if (p->id.p == NULL)
		return a->needs_id && p->flags & CTX_LIST_GOES ?
		    found(k, CTX_F_NO_ID, m, i, err) : 0;
	if (a->id_max != 0 && p->id.len > a->id_max)
		return found(k, CTX_F_LONG_ID, m, i, err);
	if (p->id.len < a->id_min || !ctx_api_chars(a->id_chars, p->id))
		return found(k, CTX_F_BAD_ID, m, i, err);
	return 0;
}

static int
check_name(struct ctx_check *k, uint32_t m, uint32_t i, struct ctx_err *err)
{
	const struct ctx_part *p = &k->c->part[i];
	const struct ctx_api *a = k->rules;

	if (p->kind != CTX_CALL || p->flags & (CTX_SERVER | CTX_NO_TOOL))
		return 0;
	if ((a->name_max != 0 && (p->name.len == 0 ||
	    p->name.len > a->name_max)) ||
	    !ctx_api_chars(a->name_chars, p->name))
		return found(k, CTX_F_TOOL_NAME, m, i, err);
	return 0;
}

/* Is it base64?  White space is passed over. */
static int
is_base64(struct ctx_str s)
{
	uint32_t i, n = 0, pad = 0;

	for (i = 0; i < s.len; i++) {
		if (s.p[i] == '\\' && (s.p[i + 1] == 'n' ||
		    s.p[i + 1] == 'r')) {
			i++;
			continue;
		}
		if (s.p[i] == '=')
			pad++;
		else if (pad > 0 || (ctx_base64_digit(s.p[i]) == -1 &&
		    s.p[i] != '-' && s.p[i] != '_'))
			return 0;
		n++;
	}
	return pad <= 2 && (n - pad) % 4 != 1;
}

/* The data of an image or file: a format that the API reads, in base64. */
static int
check_data(struct ctx_check *k, const struct ctx_attachment *a, uint32_t m,
    uint32_t i, struct ctx_err *err)
{
	int file;

	if (a->data.p == NULL)
		return 0;
	if (!is_base64(a->data))
		return found(k, CTX_F_BASE64, m, i, err);
	file = k->rules->names_files && k->c->part[i].kind == CTX_FILE &&
	    a->format.p == NULL;
	if (file && a->name.p == NULL)
		return found(k, CTX_F_FILE_NAME, m, i, err);
	if (file ? ctx_attachment_plays(a) : k->c->part[i].kind ==
	    CTX_IMAGE && !ctx_api_image(k->rules, a->type))
		return found(k, CTX_F_MEDIA_TYPE, m, i, err);
	return 0;
}

static int
check_attachment(struct ctx_check *k, const struct ctx_doc *doc, uint32_t m,
    uint32_t i, struct ctx_err *err)
{
	const uint32_t e = element_of(&k->c->part[i]);
	struct ctx_respelled plain = { 0 };
	struct ctx_attachment a;
	int rc;

	if (ctx_node_is(doc, CTX_GET(doc, CTX_GET(doc, e, "source"), "type"),
	    "text"))
		return 0;
	rc = ctx_attachment_read(&a, doc, e, &plain);
	rc = rc == -1 ? ctx_fail_nomem(err) : rc == 1 ?
	    check_data(k, &a, m, i, err) : 0;
	ctx_respelled_done(&plain);
	return rc;
}

/* Is the file of a union's element in S3, a kind of storage? */
static int
is_in_s3(const struct ctx_doc *doc, uint32_t e)
{
	uint32_t source = CTX_GET(doc, ctx_node_if(doc, e, '{') == CTX_NONE ||
	    doc->node[e].next == e + 1 ? CTX_NONE : e + 2, "source");

	return CTX_GIVEN(doc, source, "s3Location") != CTX_NONE;
}

/* An image or a file: kinds that models refuse, and its data. */
static int
check_medium(struct ctx_check *k, const struct ctx_doc *doc, uint32_t m,
    uint32_t i, struct ctx_err *err)
{
	const struct ctx_part *p = &k->c->part[i];
	struct ctx_str type;
	char word[32];

	if ((p->kind != CTX_IMAGE && p->kind != CTX_FILE) ||
	    element_of(p) == CTX_NONE)
		return 0;
	if (check_attachment(k, doc, m, i, err) == -1)
		return -1;
	if (p->flags & CTX_INNER && is_in_s3(doc, element_of(p)))
		return refused(k, CTX_F_MEDIA, "s3Location", m, i, err);
	type = ctx_node_str(doc, CTX_GET(doc, element_of(p), "type"));
	if (type.p == NULL || type.len >= sizeof(word))
		return 0;
	memcpy(word, type.p, type.len);
	word[type.len] = '\0';
	return refused(k, CTX_F_MEDIA, word, m, i, err);
}

static int
check_part(struct ctx_check *k, const struct ctx_doc *doc, uint32_t m,
    uint32_t i, unsigned rules, struct ctx_err *err)
{
	const struct ctx_part *p = &k->c->part[i];
	uint32_t e = element_of(p);

	if (k->plan->drop_part[i])
		return 0;
	if (rules & CTX_RULE_TYPED && p->kind == CTX_OTHER && e != CTX_NONE &&
	    ctx_node_if(doc, e, '{') != CTX_NONE &&
	    ctx_node_if(doc, CTX_GET(doc, e, "type"), '"') == CTX_NONE)
		return found(k, CTX_F_UNTYPED, m, i, err);
	if (rules & CTX_RULE_PAIRS && !(rules & CTX_RULE_LOG) &&
	    is_misplaced(k->c, m, p))
		return found(k, CTX_F_WRONG_ROLE, m, i, err);
	if (check_id(k, m, i, err) == -1 || check_name(k, m, i, err) == -1)
		return -1;
	return check_medium(k, doc, m, i, err);
}

/* The role of a message that instructs: "system", "developer". */
static int
check_role(struct ctx_check *k, const struct ctx_doc *doc,
    const struct ctx_check_seen *seen, uint32_t m, struct ctx_err *err)
{
	const struct ctx_msg *msg = &k->c->msg[m];
	const char *name = ctx_node_is(doc, CTX_GET(doc, msg->node, "role"),
	    "developer") ? "developer" : "system";

	if (msg->role != CTX_SYSTEM || msg->flags & CTX_FIXED)
		return 0;
	if (seen->begun && refused(k, CTX_F_INSIDE, NULL, m, CTX_NONE,
	    err) == -1)
		return -1;
	return refused(k, CTX_F_ROLE, name, m, CTX_NONE, err);
}

/* The first message that does not instruct. */
static int
check_first(struct ctx_check *k, const struct ctx_dialect *d,
    struct ctx_check_seen *seen, uint32_t m, struct ctx_err *err)
{
	enum ctx_role role = k->c->msg[m].role;

	if (seen->begun || role == CTX_SYSTEM || k->plan->drop_msg[m])
		return 0;
	seen->begun = 1;
	if (role != CTX_ASSISTANT || !(d->rules & CTX_RULE_FIRST_USER))
		return 0;
	if (found(k, CTX_F_FIRST_ROLE, m, CTX_NONE, err) == -1)
		return -1;
	last_finding(k)->warning = (d->lenient & CTX_RULE_FIRST_USER) != 0;
	return 0;
}

/*
 * A last message of the assistant's is to be continued.  One that a tool of the
 * provider's was paused in is something else.
 */
static int
check_last(struct ctx_check *k, struct ctx_err *err)
{
	uint32_t m = k->c->nmsg, i;

	while (m > 0 && k->plan->drop_msg[m - 1])
		m--;
	if (m == 0 || k->c->msg[m - 1].role != CTX_ASSISTANT)
		return 0;
	CTX_FOR_PARTS(k->c, m - 1, i)
		if (k->c->part[i].kind == CTX_CALL ||
		    k->c->part[i].kind == CTX_OTHER)
			return 0;
	return refused(k, CTX_F_PREFILL, NULL, m - 1, CTX_NONE, err);
}

/* Has message m no content, where d, or the API, wants some? */
static int
lacks_content(const struct ctx_check *k, const struct ctx_dialect *d,
    const struct ctx_doc *doc, const struct ctx_msg *msg)
{
	if (k->rules->fills && ctx_node_is_void(doc, msg->content) &&
	    CTX_GET(doc, msg->node, "role") != CTX_NONE)
		return 1;
	return d->rules & CTX_RULE_NEEDS_CONTENT && msg->role != CTX_ASSISTANT && msg->npart == 0 &&
	    !(msg->flags & (CTX_FIXED | CTX_REFERS)) &&
	    (msg->content == CTX_NONE ||
	    ctx_node_type(doc, msg->content) == 'n');
}

static int
check_message(struct ctx_check *k, struct ctx_check_seen *seen, uint32_t m,
    struct ctx_err *err)
{
	const struct ctx_dialect *d = ctx_dialect_of(ctx_msg_dialect(k->c, m));
	const struct ctx_msg *msg = &k->c->msg[m];
	struct ctx_doc doc = ctx_convo_doc(k->c, msg->rec);
	uint32_t i;

	k->rules = ctx_api_for(k->api, d);
	if (check_role(k, &doc, seen, m, err) == -1 ||
	    check_first(k, d, seen, m, err) == -1)
		return -1;
	if (k->plan->drop_msg[m])
		return 0;
	if (k->rules->answers && seen->result && msg->role == CTX_USER &&
	    found(k, CTX_F_AFTER_RESULT, m, CTX_NONE, err) == -1)
		return -1;
	seen->result = msg->role == CTX_TOOL;
	if (lacks_content(k, d, &doc, msg) &&
	    found(k, CTX_F_NO_CONTENT, m, CTX_NONE, err) == -1)
		return -1;
	CTX_FOR_PARTS(k->c, m, i)
		if (check_part(k, &doc, m, i, d->rules, err) == -1)
			return -1;
	return 0;
}

/* The model: the one that was given, or the request's. */
static void
find_model(struct ctx_check *k)
{
	static const char *const keys[] = { "model", "modelId", NULL };
	struct ctx_doc doc;

	memset(&k->named, 0, sizeof(k->named));
	if (k->model != NULL) {
		k->named.p = k->model;
		k->named.len = (uint32_t)strlen(k->model);
	} else if (k->c->nrec == 1 &&
	    k->c->rec[0].shape == CTX_REC_CONVERSATION) {
		doc = ctx_convo_doc(k->c, 0);
		k->named = ctx_node_first(&doc, ctx_node_if(&doc,
		    k->c->rec[0].root, '{'), keys);
	}
}

int
ctx_check_found(struct ctx_check *k, enum ctx_fault fault, uint32_t rec,
    uint32_t node, struct ctx_err *err)
{
	if (found(k, fault, CTX_NONE, CTX_NONE, err) == -1)
		return -1;
	last_finding(k)->rec = rec;
	last_finding(k)->node = node;
	return 0;
}

/* Has the conversation nothing but, perhaps, a system prompt of its own? */
static int
is_bare(const struct ctx_convo *c, const struct ctx_rec *rec)
{
	uint32_t m = rec->msg;

	while (m < rec->msg + rec->nmsg && c->msg[m].flags & CTX_FIXED)
		m++;
	return m == rec->msg + rec->nmsg && !rec->elsewhere;
}

int
ctx_check_turn(struct ctx_check *k, struct ctx_plan *plan,
    const struct ctx_convo *c, struct ctx_check_seen *seen, int last,
    struct ctx_err *err)
{
	const struct ctx_rec *rec;
	uint32_t m, r;

	k->plan = plan;
	k->c = c;
	find_model(k);
	for (m = 0; m < c->nmsg; m++)
		if (check_message(k, seen, m, err) == -1)
			return -1;
	if (last && check_last(k, err) == -1)
		return -1;
	for (r = 0; r < c->nrec; r++) {
		rec = &c->rec[r];
		if (rec->shape != CTX_REC_CONVERSATION)
			continue;
		if ((is_bare(c, rec) && ctx_check_found(k, CTX_F_NO_MESSAGE, r,
		    rec->list, err) == -1) ||
		    ctx_check_request(k, r, err) == -1)
			return -1;
	}
	return 0;
}
