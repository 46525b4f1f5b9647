/* SPDX-License-Identifier: MIT */
/* A common prefix; see prefix.h. */
#include "job/prefix.h"

#include <string.h>

#include "base/sha256.h"

void
ctx_prefix_done(struct ctx_prefix *p)
{
	ctx_buf_done(&p->old);
	memset(p, 0, sizeof(*p));
}

int
ctx_prefix_msg(struct ctx_prefix *p, const struct ctx_convo *c, uint32_t m,
    struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	const struct ctx_node *node = &doc.node[c->msg[m].node];
	unsigned char digest[CTX_SHA256_LEN];
	struct ctx_sha256 sha;

	if (p->differs)
		return 0;
	ctx_sha256_init(&sha);
	ctx_sha256_update(&sha, doc.raw + node->off, node->len);
	ctx_sha256_final(&sha, digest);
	if (!p->in_new) {
		ctx_buf_add(&p->old, digest, sizeof(digest));
		return ctx_buf_fail(&p->old, err);
	}
	p->differs = p->next == p->old.len || memcmp(p->old.data + p->next,
	    digest, sizeof(digest)) != 0;
	p->next += sizeof(digest);
	return !p->differs;
}
