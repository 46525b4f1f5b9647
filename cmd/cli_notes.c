/* SPDX-License-Identifier: MIT */
/* How a filter writes its notes; see cli_notes.h. */
#include "cli_notes.h"

#include "cli_list.h"

static void
take_text(struct cli *c, void *place)
{
	struct ctx_err err = { 0 };

	if (ctx_marker_own(place, c->arg, &err) == -1)
		cli_usage(c, "%s: %s", c->spelled, err.text);
}

#define OPT_OF struct ctx_markers
const struct cli_opt cli_notes_opts[] = {
	OPT_WORD(0, "lang", "NAME", lang, cli_langs,
	    "language of the notes that are written (default en)"),
	OPT_DO(0, "note-text", "NAME=TEXT", take_text,
	    "write TEXT as the note NAME; can be repeated"),
	OPT_END
};
#undef OPT_OF

void
cli_notes_init(struct ctx_markers *notes, const struct cli *c)
{
	notes->lang = cli_lang(c, CTX_EN);
}
