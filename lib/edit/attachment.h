/* SPDX-License-Identifier: MIT */
/*
 * Images and files as any dialect spells them: inline base64 data with a type,
 * a URL, or the id of a file at the provider (which nobody else can read).
 */
#ifndef CTX_EDIT_ATTACHMENT_H
#define CTX_EDIT_ATTACHMENT_H

#include "read/respelled.h"
#include "view/dialect.h"

struct ctx_attachment {
	struct ctx_str type;	/* "image/png"; .p is NULL if unknown */
	struct ctx_str data;	/* base64; if .p is NULL, url says where it
				   is */
	struct ctx_str url;
	struct ctx_str name;	/* of the file; .p may be NULL */
	struct ctx_str detail;	/* how closely to look; .p may be NULL */
	struct ctx_str format;	/* "mp3", which type was made from; or NULL */
	int image;
};

/*
 * Read the part at node e.  Type, data and url have no needless escapes: if those
 * of the part have some, the strings are in plain, and valid until that changes.
 * Returns 1, 0 if it is not understood (it may have a name or data), -1 if out of
 * memory.
 */
int	ctx_attachment_read(struct ctx_attachment *m, const struct ctx_doc *doc,
	    uint32_t e, struct ctx_respelled *plain) CTX_CHECKED;

/*
 * The text of the part at node e if it is a document of plain text (Anthropic:
 * {"source":{"type":"text"}}, Bedrock: {"document":{"source":{"text"}}}),
 * escaped; .p is NULL for all others.
 */
struct ctx_str ctx_attachment_text(const struct ctx_doc *doc, uint32_t e);

/*
 * What the provider knows the file of the part at node e by, escaped: its id, or
 * its place in the provider's storage; .p is NULL if it has neither.
 */
struct ctx_str ctx_attachment_id(const struct ctx_doc *doc, uint32_t e);

/* Make a name for the file from its type: "file.pdf".  size: at least 16. */
void	ctx_attachment_name(const struct ctx_attachment *m, char *name,
	    size_t size);

/* Is it to be heard or seen in time: audio or video? */
int	ctx_attachment_plays(const struct ctx_attachment *m);

/*
 * The format of audio data by OpenAI's name (platform.openai.com, input_audio):
 * "mp3" or "wav"; .p is NULL for anything else.
 */
struct ctx_str ctx_attachment_audio(const struct ctx_attachment *m);

#endif
