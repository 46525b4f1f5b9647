#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run every command of ctx-store on damaged stores.

damage.py CTX-STORE STORE COMMANDS [ROWS [SEED]]

In each copy of STORE, a table is emptied or one row is deleted; ROWS (1) is the
number of rows that are tried for each table.  If it is more than 1, tables are
also dropped.  Each line of COMMANDS has a command with its arguments and, after a
tab, its input.  A command must exit with 0 or 1 (not found), or with 4 and a
message that says "damaged"; it must never be killed by a signal.  A command that
stores an entry again may also exit with 3 and "already exists", because what is
left of the entry is different.
"""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

store, path, commands = sys.argv[1:4]
rows_of_a_table = int(sys.argv[4]) if len(sys.argv) > 4 else 1
# With DAMAGE_STEP=N, run every N-th command, different ones after each damage.
step = int(os.environ.get('DAMAGE_STEP', 1))
chance = random.Random(int(sys.argv[5]) if len(sys.argv) > 5 else 7)
# There are thousands of commits, so use a disk in memory if there is one.
memory = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
work = tempfile.mkdtemp(dir=memory)
db = os.path.join(work, 'db')


def tables(con):
    return [r[0] for r in con.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table'"
        " AND name NOT LIKE 'sqlite_%' ORDER BY name")]


def damages():
    """(description, statements) for each way to damage the store"""
    con = sqlite3.connect('file:%s?mode=ro' % path, uri=True)
    shadows = {'search_data', 'search_idx', 'search_docsize',
               'search_config', 'search_content'}
    for t in tables(con):
        if t == 'search':
            continue
        yield 'all of ' + t, ['DELETE FROM ' + t]
        if rows_of_a_table > 1:
            yield 'the table ' + t, [
                'PRAGMA writable_schema=ON',
                "DELETE FROM sqlite_schema WHERE name='%s'" % t]
        if t in shadows:
            continue
        n = con.execute('SELECT count(*) FROM ' + t).fetchone()[0]
        assert n > 0, 'the store has no row in ' + t
        for i in sorted(chance.sample(range(n), min(n, rows_of_a_table))):
            key = 'rowid'
            try:
                con.execute('SELECT rowid FROM ' + t)
            except sqlite3.OperationalError:
                key = ', '.join(r[1] for r in con.execute(
                    'PRAGMA table_info(%s)' % t) if r[5])
            yield 'row %d of %s' % (i, t), [
                'DELETE FROM %s WHERE (%s) = (SELECT %s FROM %s LIMIT 1'
                ' OFFSET %d)' % (t, key, key, t, i)]
    con.close()


def damage(statements):
    shutil.copy(path, db + '.damaged')
    con = sqlite3.connect(db + '.damaged', isolation_level=None)
    con.execute('PRAGMA foreign_keys=OFF')
    for s in statements:
        con.execute(s)
    con.close()


def fresh():
    for suffix in ('', '-wal', '-shm', '-lock'):
        if os.path.exists(db + suffix):
            os.unlink(db + suffix)
    shutil.copy(db + '.damaged', db)


def recover(what, environment):
    """Return 1 unless recover writes a sound store."""
    new = os.path.join(work, 'new')
    fresh()
    r = subprocess.run([store, 'recover', db, new], env=environment,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = [r.stderr.decode(errors='replace')]
    good = r.returncode in (0, 1)
    for command in ('check', '--full'), ('export',), ('vacuum',):
        if good:
            c = subprocess.run([store, '--db', new] + list(command),
                               env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
            good = c.returncode == 0
            said.append(c.stdout.decode(errors='replace')[:400])
            said.append(c.stderr.decode(errors='replace'))
    for name in os.listdir(work):
        if name.startswith('new'):
            os.unlink(os.path.join(work, name))
    # without its tables it is not recognized as a store
    if good or (r.returncode == 4 and 'damaged' in said[0]):
        return 0
    print('without %s: recover exits with %d: %s' %
          (what, r.returncode, ' '.join(said)[:600]))
    return 1


def main():
    bad = runs = 0
    with open(commands) as f:
        lines = [line.rstrip('\n').split('\t') for line in f]
    known = subprocess.run([store, '--help=options'], stdout=subprocess.PIPE,
                           text=True, check=True).stdout.splitlines()
    names = [line.split('\t')[1] for line in known if
             line.startswith('command\t')]
    for name in names:
        if not any((c[0] + ' ').startswith(name + ' ') for c in lines):
            print('there is no line for the command', name)
            bad += 1
    environment = dict(os.environ, CTX_DB=db, CTX_WORKSPACES=work + '/w')
    for n, (what, statements) in enumerate(damages()):
        damage(statements)
        bad += recover(what, environment)
        for line in lines[n % step::step]:
            fresh()
            out = work + '/out.db'
            if os.path.exists(out):
                os.unlink(out)
            args = line[0].replace('OUT', out).split(' ')
            r = subprocess.run([store] + args, cwd=work, env=environment,
                               input=(line + [''])[1].encode(), timeout=120,
                               stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
            runs += 1
            said = r.stderr.decode(errors='replace')
            if r.returncode in (0, 1):
                continue
            if r.returncode == 4 and ('damaged' in said or
                                      args[0] == 'check'):
                continue
            # the rest of the entry differs from what the command stores
            if r.returncode == 3 and 'already exists' in said:
                continue
            if r.returncode == 5 and args[0] == 'embed':
                continue
            bad += 1
            print('without %s: %s exits with %d: %s' %
                  (what, ' '.join(args), r.returncode, said.strip()[:200]))
    shutil.rmtree(work)
    print('%d commands on damaged stores, %d failed' % (runs, bad))
    return 1 if bad or not runs else 0


sys.exit(main())
