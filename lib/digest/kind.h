/* SPDX-License-Identifier: MIT */
/*
 * Files that say more than their format does: package manifests, lockfiles,
 * CI files, API descriptions.  The digest of such a file has what people read
 * it for (a name and a version, scripts, dependencies, jobs), not the keys of
 * its JSON, YAML or TOML.
 *
 * A file that has the name of a kind but is not one gets the digest of its
 * format.
 */
#ifndef CTX_DIGEST_KIND_H
#define CTX_DIGEST_KIND_H

#include <stddef.h>

#include "digest/digest.h"

/*
 * Digest the text p[0 .. len) of d->name if it is of such a kind.  Only whole
 * files are.  Returns 1, 0 if it is not, or -1 with *err set (memory only).
 */
int	ctx_kind_read(struct ctx_digest *d, const char *p, size_t len,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * The same for a text that may be what tests or a build printed.  It has no
 * other kind or language.
 */
int	ctx_kind_log(struct ctx_digest *d, const char *p, size_t len,
	    struct ctx_err *err) CTX_CHECKED;

#endif
