/* SPDX-License-Identifier: MIT */
/*
 * The write-ahead log's file, with fewer waits for the disk than SQLite's own.
 *
 * A process that stores one message makes the log, writes it, moves it into
 * the file and removes it.  SQLite waits for the disk five times on the way;
 * two of these waits do nothing for such a log:
 *
 * - After the log's header, before its frames.  That is for a log begun anew
 *   over old frames, which an old header would bring back.  A file that was
 *   just made has none; its header is synced with its first commit.
 * - Before the log is moved into the file, if nothing was written to the log
 *   since it was synced.
 */
#ifndef CTX_STORE_WAL_H
#define CTX_STORE_WAL_H

/*
 * The name of a VFS that opens logs so, everything else as the default one
 * does; NULL if there is no memory for it.  For writers with synchronous=FULL
 * only: it counts on a sync before a commit is seen by others.
 */
const char *ctx_wal_vfs(void);

#endif
