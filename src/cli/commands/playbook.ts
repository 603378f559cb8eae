import type { ChalkInstance } from 'chalk';
import { usageError } from '../../errors.ts';
import { LESSON_STATUSES } from '../../memory/lessons/kinds.ts';
import { createLessonStore } from '../../memory/lessons/store.ts';
import { readObservations } from '../../memory/passes/observe/store.ts';
import { consolidatePlaybook } from '../../memory/passes/playbook/pass.ts';
import { renderPlaybook } from '../../memory/passes/playbook/render.ts';
import { INTERVAL } from '../../memory/passes/playbook/settings.ts';
import {
  playbookVersions,
  readPlaybook,
  readVersion,
  rollbackPlaybook,
} from '../../memory/passes/playbook/store.ts';
import { withoutWithdrawn } from '../../memory/lessons/withdrawn.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Playbook } from '../../schema/generated.ts';
import { openMemoryForCommand, printPass } from '../memory-pass.ts';
import { oneLine, printWarning } from '../messages.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { parseWholeNumber } from '../values.ts';

const NONE = `No playbook yet. Loops write it after at least ${INTERVAL.cooldown} attempts; to write it now: ralph playbook consolidate`;

/** `ralph playbook show [VERSION]`. */
export async function showPlaybook(version: string | undefined, options: OutputOptions): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const playbook =
    version === undefined ? await currentPlaybook(root) : await storedVersion(root, parseVersion(version));
  const text = playbook === undefined ? null : renderPlaybook(playbook);
  printResult(options, playbook === undefined ? { version: 0, text } : { ...playbook, text }, () =>
    text === null ? [NONE] : text.trimEnd().split('\n').map(oneLine),
  );
  for (const warning of playbook?.warnings ?? []) printWarning(warning);
}

/** `ralph playbook consolidate`; exit 1 if the rewrite was refused, 5 if the model failed. */
export async function consolidateCommand(options: OutputOptions & { ifDue?: boolean }): Promise<void> {
  const { repositoryRoot, lessons, ask } = await openMemoryForCommand(options);
  const request = { repositoryRoot, manual: options.ifDue !== true };
  printPass(options, await consolidatePlaybook(request, lessons, ask), 'Playbook');
}

/** `ralph playbook history`. */
export async function playbookHistory(options: OutputOptions): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const current = await readPlaybook(root);
  const versions: Playbook[] = [];
  for (const version of (await playbookVersions(root)).reverse()) {
    const playbook = await readVersion(root, version);
    if (playbook === undefined)
      printWarning(`skipped version ${version} of the playbook: its file is damaged`);
    else versions.push(playbook);
  }
  const rows = versions.map(({ version, at, trigger, consolidated_through, slots, narrative }) => ({
    version,
    current: version === current?.version,
    at,
    trigger,
    consolidated_through,
    slots: slots.length,
    characters: narrative.length,
  }));
  printResult(options, { versions: rows }, (chalk) =>
    rows.length === 0 ? [NONE] : rows.map((row) => renderRow(row, chalk)),
  );
}

interface HistoryRow {
  readonly version: number;
  readonly current: boolean;
  /** ISO 8601. */
  readonly at: string;
  readonly trigger: string;
  /** Number of attempts that the version includes. */
  readonly consolidated_through: number;
  /** Number of lessons in it. */
  readonly slots: number;
  readonly characters: number;
}

function renderRow(row: HistoryRow, chalk: ChalkInstance): string {
  const size = `${plural(row.characters, 'character')}, ${plural(row.slots, 'lesson')}`;
  const version = chalk.bold(String(row.version).padStart(4));
  return `${version}  ${row.at.slice(0, 16).replace('T', ' ')}  ${row.trigger.padEnd(8)}  ${size}, after ${plural(row.consolidated_through, 'attempt')}${row.current ? chalk.green('  current') : ''}`;
}

/** `ralph playbook rollback [VERSION]`. */
export async function rollbackCommand(text: string | undefined, options: OutputOptions): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const current = await readPlaybook(root);
  const versions = await playbookVersions(root);
  const previous = versions.filter((version) => version < (current?.version ?? Infinity)).at(-1);
  const wanted = text === undefined ? previous : parseVersion(text);
  if (wanted === undefined)
    throw usageError('The playbook has no earlier version.', 'To see all versions: ralph playbook history');
  const seq = (await readObservations(root)).at(-1)?.seq ?? 0;
  const restored = await rollbackPlaybook(root, wanted, { seq, at: new Date().toISOString() });
  printResult(options, { version: restored.version, from: wanted }, (chalk) => [
    `Restored version ${wanted} as ${chalk.bold(`version ${restored.version}`)}. All versions: ralph playbook history`,
  ]);
}

/** The playbook as an actor receives it: without the lessons that were withdrawn after it was written. */
async function currentPlaybook(root: string): Promise<Playbook | undefined> {
  const playbook = await readPlaybook(root);
  const lessons = createLessonStore({ repositoryRoot: root, onDamaged: printWarning });
  return playbook && withoutWithdrawn(playbook, await lessons.list(LESSON_STATUSES));
}

async function storedVersion(root: string, version: number): Promise<Playbook> {
  const found = await readVersion(root, version);
  if (found !== undefined) return found;
  const versions = await playbookVersions(root);
  throw usageError(
    `The playbook has no version ${version}.`,
    versions.length === 0 ? NONE : `Versions: ${versions.join(', ')}.`,
  );
}

function parseVersion(text: string): number {
  return parseWholeNumber('version', text);
}
