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
import { findChanges, isUntouched, type IndexAt } from './changes.ts';
import { asWriter, failureKind, openToRead, type DatabaseSync } from './database.ts';
import { EMPTY_STATE, readIndexedState, recordSweep } from './indexed-state.ts';
import { applyChanges } from './update.ts';

export interface StoreSearch {
  readonly matches: readonly ReflectionMatch[];
  /** Damaged files of the queried loop, or of all loops. */
  readonly damaged: readonly DamagedFile[];
  /** How the matches were found; both ways find the same. */
  readonly by: 'index' | 'scan';
}

/** Preparation of the index before a query: none, an update, a rebuild. */
type Mode = 'read' | 'change' | 'build';

/** Rounds after which every file is read instead: the store changes faster than the index can follow. */
const MOST_TRIES = 4;

/**
 * Searches the repository's reflections with an index, which is created, repaired or updated first. Where it cannot be
 * used (another process writes it, there is no write access), every file is read instead. Throws RalphError for an
 * invalid query and for an unreadable store.
 */
export async function searchStore(repositoryRoot: string, query: ReflectionQuery): Promise<StoreSearch> {
  if (query.since !== undefined) parseSince(query.since, query.now ?? new Date());
  // Without reflections, no index and no folder for it is created.
  if (!existsSync(ralphFolder(repositoryRoot).reflections())) return scan(repositoryRoot, query);
  let mode: Mode = 'read';
  const distrusted = new Set<string>();
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      const answer = await queryOnce({ repositoryRoot, query, mode, distrusted });
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

/** The mode to try after a failure; undefined where every file has to be read. */
function modeAfter(mode: Mode, error: unknown): Mode | undefined {
  const kind = failureKind(error);
  if (mode === 'read') return kind === 'busy' ? undefined : 'change';
  return mode === 'change' && kind === 'damaged' ? 'build' : undefined;
}

async function scan(repositoryRoot: string, query: ReflectionQuery): Promise<StoreSearch> {
  const { records, damaged } = await readReflections(repositoryRoot);
  const isQueried = (file: DamagedFile): boolean => query.loop === undefined || folderOf(file) === query.loop;
  return { matches: searchReflections(records, query), damaged: damaged.filter(isQueried), by: 'scan' };
}

interface Request {
  readonly repositoryRoot: string;
  readonly query: ReflectionQuery;
  readonly mode: Mode;
  /** Folders that differ from the index although their stamps match. */
  readonly distrusted: ReadonlySet<string>;
}

/** Undefined where there is no index, or an outdated one. */
async function queryOnce(request: Request): Promise<Answer | undefined> {
  const { repositoryRoot, mode } = request;
  const now = Date.now();
  if (mode !== 'read') await write(request, now);
  const database = openToRead(repositoryRoot);
  if (database === undefined) return undefined;
  try {
    if (
      mode === 'read' &&
      !(await isFresh(repositoryRoot, { database, indexed: readIndexedState(database), now }))
    )
      return undefined;
    return await answerFrom(database, { ...request, now, isJustRead: mode !== 'read' });
  } finally {
    database.close();
  }
}

async function isFresh(repositoryRoot: string, state: IndexAt): Promise<boolean> {
  if (isUntouched(repositoryRoot, state)) return true;
  const changes = await findChanges(repositoryRoot, state);
  if (changes.touched.length > 0 || changes.gone.length > 0) return false;
  // Only the sweep is to be recorded. If that fails, the next search sweeps again.
  state.database.exec('COMMIT');
  await asWriter(repositoryRoot, ({ change }) =>
    change(async (database) => recordSweep(database, changes)),
  ).catch(() => {});
  state.database.exec('BEGIN');
  return true;
}

async function write({ repositoryRoot, mode, distrusted }: Request, now: number): Promise<void> {
  const update = async (database: DatabaseSync): Promise<void> => {
    const indexed = mode === 'build' ? EMPTY_STATE : readIndexedState(database);
    const found = await findChanges(repositoryRoot, { database, indexed, now });
    const changes = { ...found, touched: [...found.touched, ...distrusted] };
    await applyChanges(repositoryRoot, { database, changes, now });
  };
  ensureRalphFolder(repositoryRoot);
  await asWriter(repositoryRoot, (writer) =>
    mode === 'build' ? writer.build(update) : writer.change(update),
  );
}
