import { join } from 'node:path';
import { runGit } from '../../platform/git/git.ts';
import { RALPH_PATHS } from '../../platform/ralph-folder.ts';
import type { Preference } from '../../memory/lessons/merge.ts';
import { lessonStoreOn } from '../../memory/lessons/store.ts';
import { admitShared } from '../../memory/store/crossing.ts';
import { createFileMemory } from '../../memory/store/file-memory.ts';
import { syncMemory, type SyncReport } from '../../memory/store/sync.ts';
import type { Database } from '../database/database.ts';
import type { RepositoryId } from '../queue/repository-id.ts';
import { createDatabaseMemory, readSharedPatterns } from './database-memory.ts';
import { storedRepository } from './repository-row.ts';

export interface ExchangeOptions {
  readonly database: Database;
  readonly repository: Pick<RepositoryId, 'name' | 'organisation'>;
  /** Absolute path of the repository's root. */
  readonly root: string;
  /** Most reflections, the newest. */
  readonly reflections: number;
}

/** Takes the memory in the files of a repository over into the database. Rejects with the driver's error. */
export async function pushMemory(options: ExchangeOptions): Promise<SyncReport> {
  const { database, root, reflections } = options;
  const stored = await storedRepository(database, options.repository);
  return syncMemory({
    from: createFileMemory(root),
    to: createDatabaseMemory(database, stored),
    reflections,
    preference: { lessons: 'newest', insights: 'newest', playbook: 'newest' },
  });
}

/** The result of a pull. */
export interface PullReport extends SyncReport {
  /** Patterns of other repositories that the gate took. */
  readonly shared: number;
}

/**
 * Takes what the database has of a repository over into its files, and proposes what other repositories have learned. Where
 * both have a record, a file that is committed decides. Rejects with the driver's error.
 */
export async function pullMemory(options: ExchangeOptions): Promise<PullReport> {
  const { database, root, reflections } = options;
  const stored = await storedRepository(database, options.repository);
  const [lessons, insights, playbook] = await preferencesOf(root);
  const files = createFileMemory(root);
  const report = await syncMemory({
    from: createDatabaseMemory(database, stored),
    to: files,
    reflections,
    preference: { lessons: lessons!, insights: insights!, playbook: playbook! },
  });
  const patterns = await readSharedPatterns(database, stored);
  const admissions = await admitShared(lessonStoreOn(files.lessons), patterns);
  const shared = admissions.filter(({ outcome }) => outcome === 'staged' || outcome === 'active').length;
  return { ...report, shared };
}

async function preferencesOf(root: string): Promise<Preference[]> {
  const names = ['lessons.jsonl', 'insights.json', 'playbook.json'].map((name) =>
    join(RALPH_PATHS.memory(), name),
  );
  const { stdout } = await runGit(['ls-files', '-z', '--', ...names], { cwd: root });
  const tracked = new Set(stdout.toString('utf8').split('\0'));
  return names.map((name) => (tracked.has(name) ? 'stored' : 'newest'));
}
