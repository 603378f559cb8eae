import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Queryable } from '../database/database.ts';
import { isLoopPath } from './loop-files.ts';
import { addPacks } from './snapshot-objects.ts';

/** Writes the stored files of a job's loop into the repository at `root`; false if there are none. */
export async function restoreLoopFiles(db: Queryable, job: string, root: string): Promise<boolean> {
  const parts = await db.query<{ path: string; content: Buffer }>(
    'SELECT path, content FROM ralph.loop_file WHERE job = $1 ORDER BY path, part',
    [job],
  );
  const files = new Map<string, Buffer[]>();
  for (const { path, content } of parts) files.set(path, [...(files.get(path) ?? []), content]);
  for (const [path, contents] of files) {
    if (!isLoopPath(path)) continue;
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, Buffer.concat(contents), { mode: 0o600 });
  }
  return files.size > 0;
}

/** Adds the stored snapshots of a job's loop to the repository at `root`. */
export async function restoreSnapshots(db: Queryable, job: string, root: string): Promise<void> {
  const packs = await db.query<{ content: Buffer }>(
    'SELECT content FROM ralph.loop_pack WHERE job = $1 ORDER BY part',
    [job],
  );
  await addPacks(
    root,
    packs.map(({ content }) => content),
  );
}
