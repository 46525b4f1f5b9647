/* SPDX-License-Identifier: MIT */
/*
 * Finds personal data that has a form: addresses and numbers.  Numbers with
 * check digits are verified; others must be written as people write them, or
 * stand after a word that says what they are.  What documents reserve for
 * examples is left: example.com, 555-0100, 192.0.2.1.
 *
 * Time is linear in the text: a candidate is at most CTX_PERSONAL_MAX bytes.
 */
#ifndef CTX_REDACT_PERSONAL_H
#define CTX_REDACT_PERSONAL_H

#include <stddef.h>

#define CTX_PERSONAL_MAX	320	/* the longest e-mail address */

enum ctx_personal {
	CTX_PERSONAL_EMAIL, CTX_PERSONAL_PHONE, CTX_PERSONAL_IBAN,
	CTX_PERSONAL_CARD, CTX_PERSONAL_CN_ID, CTX_PERSONAL_SSN,
	CTX_PERSONAL_IP, CTX_PERSONAL_NAME, CTX_PERSONAL_N
};

/* Called with text[off .. end).  Returns 0, or what the search returns. */
typedef int ctx_personal_fn(void *arg, enum ctx_personal kind, size_t off,
	    size_t end);

/*
 * Find what is of the kinds whose bit 1 << kind is set, names excepted.
 * Returns 0, or what fn returned.
 */
int	ctx_personal_find(const char *text, size_t len, unsigned kinds,
	    ctx_personal_fn *fn, void *arg);

/*
 * The rest is for the sources of this module and its tests: if one of the kind
 * begins at text[off], its length, else 0.
 */
size_t	ctx_personal_iban(const char *text, size_t len, size_t off);
size_t	ctx_personal_card(const char *text, size_t len, size_t off);
size_t	ctx_personal_cn_id(const char *text, size_t len, size_t off);
size_t	ctx_personal_ssn(const char *text, size_t len, size_t off);
size_t	ctx_personal_phone(const char *text, size_t len, size_t off);
size_t	ctx_personal_ipv4(const char *text, size_t len, size_t off);
size_t	ctx_personal_ipv6(const char *text, size_t len, size_t off);

/* Does one of the words, in lower case, stand shortly before text[off]? */
int	ctx_personal_after(const char *text, size_t off,
	    const char *const words[]);

#endif
