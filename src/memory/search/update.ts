import { posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ralphFolder, RALPH_PATHS } from '../../platform/ralph-folder.ts';
import {
  listLoopFiles,
  readRecordSync,
  type ReflectionFile,
  type ReflectionRecord,
} from '../episodes/reflection-files.ts';
import { filesOf, fingerprintsOf, timeOf } from './search.ts';
import type { Changes } from './changes.ts';
import type { DatabaseSync } from './database.ts';
import {
  readIndexedFolder,
  writeIndexedFolder,
  writeIndexedState,
  type IndexedFolder,
} from './indexed-state.ts';
import { isStamp, stampOf, type Stamp } from './stamp.ts';
import { fieldTerms } from './fields.ts';

/** Files that are read before the event loop gets a turn, for example to handle a signal. */
const BATCH = 32;

/** Applies changes of the store to the index, in the caller's transaction. Throws where the store cannot be read. */
export async function applyChanges(
  repositoryRoot: string,
  {
    database,
    changes,
    now,
  }: { readonly database: DatabaseSync; readonly changes: Changes; readonly now: number },
): Promise<void> {
  const write = statements(database);
  const folders = new Map(changes.folders);
  for (const name of changes.gone) removeFolder(database, write, name);
  for (const name of new Set(changes.touched)) {
    if (!folders.has(name)) continue;
    folders.set(name, stampOf(ralphFolder(repositoryRoot).reflectionsOf(name), now));
    await updateFolder(repositoryRoot, { database, write, name, now });
  }
  writeIndexedState(database, { folders, root: changes.root, swept: changes.swept });
}

type Statements = ReturnType<typeof statements>;

function statements(database: DatabaseSync) {
  return {
    docOf: database.prepare('SELECT id FROM doc WHERE path = ?'),
    addDoc: database.prepare('INSERT INTO doc VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    addWords: database.prepare(
      'INSERT INTO words (rowid, task, text, insights, lessons, errors) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    fileOf: database.prepare('SELECT id FROM file WHERE name = ?'),
    addFile: database.prepare('INSERT INTO file VALUES (NULL, ?)'),
    addDocFile: database.prepare('INSERT OR IGNORE INTO doc_file VALUES (?, ?)'),
    addFingerprint: database.prepare('INSERT OR IGNORE INTO fingerprint VALUES (?, ?)'),
    remove: ['words WHERE rowid', 'doc_file WHERE doc', 'fingerprint WHERE doc', 'doc WHERE id'].map((from) =>
      database.prepare(`DELETE FROM ${from} = ?`),
    ),
  };
}

async function updateFolder(
  repositoryRoot: string,
  {
    database,
    write,
    name,
    now,
  }: {
    readonly database: DatabaseSync;
    readonly write: Statements;
    readonly name: string;
    readonly now: number;
  },
): Promise<void> {
  const before = stampsIn(readIndexedFolder(database, name));
  const files = new Map<string, Stamp>();
  const changed: ReflectionFile[] = [];
  for (const file of await listLoopFiles(repositoryRoot, name)) {
    const stamp = stampOf(posix.join(repositoryRoot, file.path), now);
    const base = posix.basename(file.path);
    files.set(base, stamp);
    if (before.get(base)?.(stamp) !== true) changed.push(file);
  }
  const left = [...before.keys()].filter((base) => !files.has(base));
  for (const base of left) removeDoc(write, posix.join(RALPH_PATHS.reflectionsOf(name), base));
  for (const [index, file] of changed.entries()) {
    if (index % BATCH === 0) await setImmediate();
    removeDoc(write, file.path);
    addDoc(write, file, readRecordSync(repositoryRoot, file));
  }
  writeIndexedFolder(database, { name, files });
}

/** By file name, a function that compares a stamp with the indexed one. */
function stampsIn(indexed: IndexedFolder | undefined): Map<string, (stamp: Stamp) => boolean> {
  return new Map(
    (indexed?.files ?? []).map((base, index) => [base, (stamp) => isStamp(indexed!.stamps, index, stamp)]),
  );
}

function removeFolder(database: DatabaseSync, write: Statements, name: string): void {
  for (const { path } of database.prepare('SELECT path FROM doc WHERE folder = ?').all(name))
    removeDoc(write, path as string);
  database.prepare('DELETE FROM folder WHERE name = ?').run(name);
}

function removeDoc(write: Statements, path: string): void {
  const row = write.docOf.get(path);
  if (row !== undefined) for (const statement of write.remove) statement.run(row.id!);
}

function addDoc(
  write: Statements,
  { path, loop: folder }: ReflectionFile,
  record: ReflectionRecord | string,
): void {
  if (typeof record === 'string') {
    write.addDoc.run(path, folder, null, null, record, null, null, null, null, null);
    return;
  }
  const { reflection, number, source } = record;
  const { confidence = null, credit_assignment: credit } = reflection.self_reflection;
  const { lastInsertRowid: id } = write.addDoc.run(
    path,
    folder,
    number,
    source,
    null,
    reflection.loop_id,
    timeOf(reflection),
    reflection.iteration,
    credit?.failure_category ?? null,
    confidence,
  );
  const fields = fieldTerms(reflection).map((terms) => terms.join(' '));
  write.addWords.run(id, ...fields);
  for (const name of filesOf(reflection)) write.addDocFile.run(fileId(write, name), id);
  for (const fingerprint of fingerprintsOf(reflection)) write.addFingerprint.run(fingerprint, id);
}

function fileId(write: Statements, name: string): number | bigint {
  const known = write.fileOf.get(name);
  return known === undefined ? write.addFile.run(name).lastInsertRowid : (known.id as number);
}
