import { existsSync } from 'node:fs';
import { RalphError } from '../../errors.ts';
import { ensureRalphFolder, ralphFolder } from '../../platform/ralph-folder.ts';
import { readReflections, type DamagedFile } from '../episodes/reflection-files.ts';
import {
  folderOf,
  parseSince,
  searchReflections,
  type ReflectionMatch,
  type ReflectionQuery,
} from './search.ts';
import { answerFrom, type Answer } from './answer.ts';
import { findChanges, isUntouched, type State } from './changes.ts';
import { asWriter, failureKind, openToRead, type DatabaseSync } from './database.ts';
import { NOTHING_SEEN, noteSweep, readSeen } from './seen.ts';
import { applyChanges } from './update.ts';

export interface StoreSearch {
  readonly matches: readonly ReflectionMatch[];
  /** Of the loop that was asked for, or of all. */
  readonly damaged: readonly DamagedFile[];
  /** How it was found; the same is found either way. */
  readonly by: 'index' | 'scan';
}

/** What is done to the index before it is asked: nothing, bring it up to date, make it anew. */
type Mode = 'read' | 'change' | 'build';

/** A file that changes faster than the index can be written is none to index. */
const MOST_TRIES = 4;

/**
 * Searches the repository's reflections by an index beside them, which is made, repaired or brought up to date first;
 * where it cannot be used (another process is at it, nothing may be written) every file is read instead. Throws
 * RalphError for a query that means nothing and for a store that cannot be read.
 */
export async function searchStore(repositoryRoot: string, query: ReflectionQuery): Promise<StoreSearch> {
  if (query.since !== undefined) parseSince(query.since, query.now ?? new Date());
  // An empty store is not worth an index, nor a folder in a repository that has none.
  if (!existsSync(ralphFolder(repositoryRoot).reflections())) return scan(repositoryRoot, query);
  let mode: Mode = 'read';
  const distrusted = new Set<string>();
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      const answer = await ask({ repositoryRoot, query, mode, distrusted });
      if (answer?.stale.length === 0) return { ...answer, by: 'index' };
      answer?.stale.forEach((folder) => distrusted.add(folder));
      mode = 'change';
    } catch (error) {
      const next: Mode | undefined = error instanceof RalphError ? undefined : modeAfter(mode, error);
      if (next === undefined) break;
      mode = next;
    }
  }
  return scan(repositoryRoot, query);
}

/** What may help against a failure; undefined where only reading every file does. */
function modeAfter(mode: Mode, error: unknown): Mode | undefined {
  const kind = failureKind(error);
  if (mode === 'read') return kind === 'busy' ? undefined : 'change';
  return mode === 'change' && kind === 'damaged' ? 'build' : undefined;
}

async function scan(repositoryRoot: string, query: ReflectionQuery): Promise<StoreSearch> {
  const { records, damaged } = await readReflections(repositoryRoot);
  const isAsked = (file: DamagedFile): boolean => query.loop === undefined || folderOf(file) === query.loop;
  return { matches: searchReflections(records, query), damaged: damaged.filter(isAsked), by: 'scan' };
}

interface Request {
  readonly repositoryRoot: string;
  readonly query: ReflectionQuery;
  readonly mode: Mode;
  /** Folders that hold something else than the index knows, whatever their stamps say. */
  readonly distrusted: ReadonlySet<string>;
}

/** Undefined where there is no index, or one that must catch up first. */
async function ask(request: Request): Promise<Answer | undefined> {
  const { repositoryRoot, mode } = request;
  const now = Date.now();
  if (mode !== 'read') await write(request, now);
  const database = openToRead(repositoryRoot);
  if (database === undefined) return undefined;
  try {
    if (mode === 'read' && !(await isFresh(repositoryRoot, { database, seen: readSeen(database), now })))
      return undefined;
    return await answerFrom(database, { ...request, now, isJustRead: mode !== 'read' });
  } finally {
    database.close();
  }
}

async function isFresh(repositoryRoot: string, state: State): Promise<boolean> {
  if (isUntouched(repositoryRoot, state)) return true;
  const changes = await findChanges(repositoryRoot, state);
  if (changes.touched.length > 0 || changes.gone.length > 0) return false;
  // Nothing has changed but what is to be noted. Where that cannot be written, it is looked at again the next time.
  state.database.exec('COMMIT');
  await asWriter(repositoryRoot, ({ change }) =>
    change(async (database) => noteSweep(database, changes)),
  ).catch(() => {});
  state.database.exec('BEGIN');
  return true;
}

async function write({ repositoryRoot, mode, distrusted }: Request, now: number): Promise<void> {
  const catchUp = async (database: DatabaseSync): Promise<void> => {
    const seen = mode === 'build' ? NOTHING_SEEN : readSeen(database);
    const found = await findChanges(repositoryRoot, { database, seen, now });
    const changes = { ...found, touched: [...found.touched, ...distrusted] };
    await applyChanges(repositoryRoot, { database, changes, now });
  };
  ensureRalphFolder(repositoryRoot);
  await asWriter(repositoryRoot, (writer) =>
    mode === 'build' ? writer.build(catchUp) : writer.change(catchUp),
  );
}
