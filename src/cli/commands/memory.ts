import { rm } from 'node:fs/promises';
import { ExitCode, usageError } from '../../errors.ts';
import { digestSessions } from '../../memory/passes/micro/digest.ts';
import { searchStore } from '../../memory/search/search-store.ts';
import { memoryHealth } from '../../memory/upkeep/health.ts';
import { resetMemory } from '../../memory/upkeep/reset.ts';
import { memoryStats } from '../../memory/upkeep/stats.ts';
import { ralphFolder } from '../../platform/ralph-folder.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { plural } from '../../platform/text/plural.ts';
import { acquireLock } from '../../state/lock.ts';
import { openMemoryForCommand, printPass } from '../memory-pass.ts';
import { oneLine } from '../messages.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

/** `ralph memory stats`. */
export async function statsCommand(options: OutputOptions): Promise<void> {
  const { repositoryRoot, lessons } = await openMemoryForCommand(options);
  const stats = await memoryStats(repositoryRoot, lessons);
  const { observations, insights, playbook } = stats;
  const types = Object.entries(stats.types).map(([type, count]) => `${count} ${type}`);
  printResult(options, stats, (chalk) => [
    `${chalk.bold('lessons')}   ${stats.lessons.active} active, ${stats.lessons.staged} staged, ${stats.lessons.pinned} pinned, ${stats.lessons.superseded} superseded, ${stats.lessons.archived} archived`,
    ...(types.length === 0 ? [] : [`          ${types.join(', ')}`]),
    `          supported ${plural(stats.support, 'time')}, contradicted ${plural(stats.contradiction, 'time')}`,
    `${chalk.bold('attempts')}  ${observations.attempts} observed, ${observations.passed} passed, ${observations.kept} kept, ${observations.archived} archived`,
    `${chalk.bold('insights')}  ${insights.active} active (${insights.unverified} unverified), ${insights.archived} archived`,
    `${chalk.bold('playbook')}  ${playbook.version === 0 ? 'none' : `version ${playbook.version} of ${playbook.versions}, ${plural(playbook.characters, 'character')}`}`,
  ]);
}

/** `ralph memory health`; exit 7 if a file is damaged. */
export async function healthCommand(options: OutputOptions): Promise<void> {
  const { repositoryRoot, lessons, settings } = await openMemoryForCommand(options);
  const findings = await memoryHealth(repositoryRoot, lessons, settings.insights);
  printResult(options, { healthy: findings.length === 0, findings }, (chalk) =>
    findings.length === 0
      ? [chalk.green('Long-term memory has no problems.')]
      : findings.map(
          ({ kind, text }) =>
            `${kind === 'damaged' ? chalk.red(kind) : chalk.yellow(kind.padEnd(7))}  ${oneLine(text)}`,
        ),
  );
  if (findings.some(({ kind }) => kind === 'damaged')) process.exitCode = ExitCode.state;
}

/** `ralph memory digest`. */
export async function digestCommand(options: OutputOptions): Promise<void> {
  const { repositoryRoot, settings, lessons, ask } = await openMemoryForCommand(options);
  const request = { repositoryRoot, enabled: settings.microReflection, manual: true };
  printPass(options, await digestSessions(request, lessons, ask), 'Digest');
}

/** `ralph memory reset --yes`. Throws RalphError while a loop runs. */
export async function resetCommand(options: OutputOptions & { yes?: boolean }): Promise<void> {
  if (options.yes !== true)
    throw usageError(
      'ralph memory reset needs --yes: it archives all lessons, insights and the playbook.',
      'They move to .aiwg/ralph/memory/history and are not deleted. To confirm: ralph memory reset --yes',
    );
  const root = findRepositoryRoot(process.cwd());
  const lock = acquireLock(root, { loopId: 'none', command: 'memory reset' });
  try {
    const { archive, moved } = await resetMemory(root, new Date());
    printResult(options, { archive, moved }, (chalk) => [
      archive === null
        ? 'Long-term memory is empty: there was nothing to archive.'
        : `${chalk.bold(plural(moved.length, 'file'))} archived in ${oneLine(archive)}`,
    ]);
  } finally {
    lock.release();
  }
}

/** `ralph memory reindex`. */
export async function reindexCommand(options: OutputOptions): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  for (const suffix of ['', '-wal', '-shm', '-journal', '-looked'])
    await rm(ralphFolder(root).index(suffix), { force: true });
  const startMs = performance.now();
  // The first search builds the index.
  const { damaged, by } = await searchStore(root, { words: [], limit: 1 });
  const durationMs = Math.round(performance.now() - startMs);
  const result =
    by === 'index' ? 'The index was rebuilt' : 'No index: there is nothing to index, or it cannot be written';
  const problem =
    damaged.length === 0
      ? ''
      : `; damaged: ${plural(damaged.length, 'file')}, see ralph reflections validate`;
  printResult(options, { by, duration_ms: durationMs, damaged: damaged.length }, (chalk) => [
    `${chalk.bold(result)} (${durationMs} ms)${problem}`,
  ]);
}
