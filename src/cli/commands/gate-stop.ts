import { openSessionStore } from '../../gate/session-store.ts';
import { plural } from '../../platform/text/plural.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

/** `ralph gate stop`: forgets every session of the repository. Their reflections stay. */
export function gateStopCommand(options: OutputOptions): void {
  const store = openSessionStore(findRepositoryRoot(process.cwd()));
  const sessions = store.list();
  for (const { session } of sessions) store.remove(session);
  printResult(options, { removed: sessions.map(({ session }) => session) }, () => [
    `${plural(sessions.length, 'session')} removed. Without a start, a check compares with the last commit.`,
  ]);
}
