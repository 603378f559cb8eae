import { rm } from 'node:fs/promises';
import { ExitCode, usageError } from '../../errors.ts';
import { searchStore } from '../../memory/search/search-store.ts';
import { digestSessions } from '../../memory/passes/micro/digest.ts';
import { memoryHealth } from '../../memory/upkeep/health.ts';
import { resetMemory } from '../../memory/upkeep/reset.ts';
import { memoryStats } from '../../memory/upkeep/stats.ts';
import { acquireLock } from '../../state/lock.ts';
import { ralphFolder } from '../../platform/ralph-folder.ts';
import { plural } from '../../platform/text/plural.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { oneLine, openForCommand, printPass } from '../memory-run.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

/** `ralph memory stats`. */
export async function statsCommand(options: OutputOptions): Promise<void> {
  const { repositoryRoot, lessons } = await openForCommand(options);
  const stats = await memoryStats(repositoryRoot, lessons);
  const { observations, insights, playbook } = stats;
  const types = Object.entries(stats.types).map(([type, count]) => `${count} ${type}`);
  printResult(options, stats, (chalk) => [
    `${chalk.bold('lessons')}   ${stats.lessons.active} active, ${stats.lessons.staged} staged, ${stats.lessons.pinned} pinned, ${stats.lessons.superseded} superseded, ${stats.lessons.archived} archived`,
    ...(types.length === 0 ? [] : [`          ${types.join(', ')}`]),
    `          supported ${stats.support} times, contradicted ${stats.contradiction} times`,
    `${chalk.bold('attempts')}  ${observations.attempts} seen, ${observations.passed} passed, ${observations.kept} kept, ${observations.archived} archived`,
    `${chalk.bold('insights')}  ${insights.active} active (${insights.unverified} unverified), ${insights.archived} archived`,
    `${chalk.bold('playbook')}  ${playbook.version === 0 ? 'none' : `version ${playbook.version} of ${playbook.versions}, ${playbook.characters} characters`}`,
  ]);
}

/** `ralph memory health`; exit 7 where something is damaged. */
export async function healthCommand(options: OutputOptions): Promise<void> {
  const { repositoryRoot, lessons, settings } = await openForCommand(options);
  const findings = await memoryHealth(repositoryRoot, lessons, settings.insights);
  printResult(options, { healthy: findings.length === 0, findings }, (chalk) =>
    findings.length === 0
      ? [chalk.green('Long-term memory is sound.')]
      : findings.map(
          ({ kind, text }) =>
            `${kind === 'damaged' ? chalk.red(kind) : chalk.yellow(kind.padEnd(7))}  ${oneLine(text)}`,
        ),
  );
  if (findings.some(({ kind }) => kind === 'damaged')) process.exitCode = ExitCode.state;
}

/** `ralph memory digest`. */
export async function digestCommand(options: OutputOptions): Promise<void> {
  const { repositoryRoot, settings, lessons, ask } = await openForCommand(options);
  const request = { repositoryRoot, enabled: settings.microReflection, manual: true };
  printPass(options, await digestSessions(request, lessons, ask), 'Digest');
}

/** `ralph memory reset --yes`; not while a loop runs. */
export async function resetCommand(options: OutputOptions & { yes?: boolean }): Promise<void> {
  if (options.yes !== true)
    throw usageError(
      'ralph memory reset takes every lesson, insight and playbook out of use.',
      'They are archived in .aiwg/ralph/memory/history, not deleted. To do it: ralph memory reset --yes',
    );
  const root = findRepositoryRoot(process.cwd());
  const lock = acquireLock(root, { loopId: 'none', command: 'memory reset' });
  try {
    const { archive, moved } = await resetMemory(root, new Date());
    printResult(options, { archive, moved }, (chalk) => [
      archive === null
        ? 'There was nothing to archive.'
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
  const started = performance.now();
  const { damaged, by } = await searchStore(root, { words: [], limit: 1 });
  const took = Math.round(performance.now() - started);
  printResult(options, { by, duration_ms: took, damaged: damaged.length }, (chalk) => [
    `${chalk.bold(by === 'index' ? 'The index is built anew' : 'There is nothing to index, or it cannot be written')}, in ${took} ms${damaged.length === 0 ? '' : `; ${damaged.length} files are damaged: ralph reflections validate`}`,
  ]);
}
