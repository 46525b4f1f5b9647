/* SPDX-License-Identifier: MIT */
/* Check that rows are consistent; see sound.h. */
#include "store/sound.h"

#include <stdio.h>

/* Is there a row with a context that the thread does not have? */
#define ASTRAY(table) "SELECT count(*) FROM (SELECT DISTINCT context FROM " \
	table " WHERE thread = ?1 AND context <> -1) a WHERE context NOT IN" \
	" (SELECT id FROM context WHERE thread = ?1)"

/* Lists of parts, which are numbered from 0 without gaps. */
#define PARTS(table, owner, keys, same) "SELECT count(*) FROM (SELECT " keys \
	", count(*) AS have, max(pos) + 1 AS top FROM " table \
	" WHERE thread = ?1 GROUP BY " keys ") p WHERE have <> top OR" \
	" NOT EXISTS (SELECT 1 FROM " owner " o WHERE o.thread = ?1" \
	" AND " same ")"

/* Each query counts errors; those before CTX_SOUND_LOGS are about logs. */
static const struct {
	const char *sql, *what;
} checks[] = {
	{ "SELECT count(*) FROM context c WHERE thread = ?1 AND (SELECT"
	    " count(*) FROM message m WHERE m.thread = ?1 AND m.context = c.id"
	    " AND m.seq < c.next_seq) <> next_seq - 1 - CASE kind WHEN 1 THEN"
	    " parent_seq ELSE 0 END", "messages are missing" },
	{ "SELECT count(*) FROM message m JOIN context c ON c.thread = ?1 AND"
	    " c.id = m.context WHERE m.thread = ?1 AND m.seq >= c.next_seq",
	    "there are messages after the end of a log" },
	{ "SELECT count(*) FROM thread WHERE id = ?1 AND head NOT IN (SELECT"
	    " id FROM context WHERE thread = ?1)", "a context is missing" },
	{ "SELECT count(*) FROM context WHERE thread = ?1 AND parent NOT IN"
	    " (SELECT id FROM context WHERE thread = ?1)",
	    "a context is missing" },
	{ ASTRAY("message"), "a context is missing" },
	{ ASTRAY("ckpt"), "a context is missing" },
	{ ASTRAY("view"), "a context is missing" },
	{ ASTRAY("summary"), "a context is missing" },
	{ ASTRAY("state"), "a context is missing" },
	{ ASTRAY("snapshot"), "a context is missing" },
	{ "SELECT count(*) FROM ckpt_write w WHERE thread = ?1 AND NOT EXISTS"
	    " (SELECT 1 FROM ckpt k WHERE k.thread = ?1 AND k.context ="
	    " w.context AND k.ns = w.ns AND k.name = w.name)",
	    "a checkpoint is missing" },
	{ PARTS("view_part", "view", "context, name, n", "o.context ="
	    " p.context AND o.name = p.name AND o.n = p.n"),
	    "a part of a view is missing" },
	{ PARTS("snapshot_part", "snapshot", "context, turn, snapshot",
	    "o.context = p.context AND o.turn = p.turn AND o.name ="
	    " p.snapshot"), "a part of a memory is missing" },
	{ PARTS("snapshot_link", "snapshot", "context, turn, snapshot",
	    "o.context = p.context AND o.turn = p.turn AND o.name ="
	    " p.snapshot"), "a part of a memory is missing" },
	/* The last two need version 4. */
	{ ASTRAY("bundle"), "a context is missing" },
	{ "SELECT count(*) FROM bundle b WHERE thread = ?1 AND last - first + 1"
	    " <> (SELECT count(*) FROM message m WHERE m.thread = ?1 AND"
	    " m.context = b.context AND m.seq BETWEEN b.first AND b.last)",
	    "a bundle has lines without messages" },
};
#define NCHECKS		(sizeof(checks) / sizeof(checks[0]))

int
ctx_sound_thread(struct ctx_store *st, int64_t thread, size_t *at,
    char what[CTX_SOUND_SIZE], struct ctx_err *err)
{
	int64_t n;
	size_t i;

	while ((i = *at) < (st->older != 0 && st->older < 4 ? NCHECKS - 2 :
	    NCHECKS)) {
		++*at;
		n = 0;
		if (ctx_db_int(st, &n, err, checks[i].sql, "i", thread) == -1)
			return -1;
		if (n == 0)
			continue;
		snprintf(what, CTX_SOUND_SIZE, "%s", checks[i].what);
		return 0;
	}
	return 1;
}

int
ctx_sound_threads(struct ctx_store *st, char what[CTX_SOUND_SIZE],
    struct ctx_err *err)
{
	int64_t n = 0;

	if (ctx_db_int(st, &n, err, "SELECT count(*) FROM (SELECT thread FROM"
	    " context UNION SELECT thread FROM message UNION SELECT thread"
	    " FROM file) a WHERE thread NOT IN (SELECT id FROM thread)",
	    "") == -1)
		return -1;
	snprintf(what, CTX_SOUND_SIZE, "%lld thread%s missing",
	    (long long)n, n == 1 ? " is" : "s are");
	return n == 0;
}
