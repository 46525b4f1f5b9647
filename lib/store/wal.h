/* SPDX-License-Identifier: MIT */
/*
 * The file of the write-ahead log, with fewer waits for the disk than in
 * SQLite.
 *
 * A process that stores one message creates the log, writes it, moves its
 * contents into the database and removes it.  SQLite waits for the disk five
 * times in doing so; two of these waits are of no use for such a log:
 *
 * - After writing the log's header, before its frames.  That wait is for a log
 *   that is restarted over old frames, which an old header would revive.  A
 *   new file has no old frames; its header is synced with its first commit.
 * - Before moving the contents of the log, if nothing was written to the log
 *   since it was synced.
 */
#ifndef CTX_STORE_WAL_H
#define CTX_STORE_WAL_H

/*
 * The name of a VFS that opens logs this way, and everything else as the
 * default VFS does; NULL if out of memory.  For writers with synchronous=FULL
 * only: it relies on a sync before others see a commit.
 */
const char *ctx_wal_vfs(void);

#endif
