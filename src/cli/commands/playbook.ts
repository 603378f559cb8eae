import { usageError } from '../../errors.ts';
import { LESSON_STATUSES } from '../../memory/lessons/kinds.ts';
import { createLessonStore } from '../../memory/lessons/store.ts';
import { readObservations } from '../../memory/passes/observe/store.ts';
import { consolidatePlaybook } from '../../memory/passes/playbook/pass.ts';
import { renderPlaybook } from '../../memory/passes/playbook/render.ts';
import {
  playbookVersions,
  readPlaybook,
  readVersion,
  rollbackPlaybook,
} from '../../memory/passes/playbook/store.ts';
import { withoutWithdrawn } from '../../memory/lessons/withdrawn.ts';
import type { Playbook } from '../../schema/generated.ts';
import { plural } from '../../platform/text/plural.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { note, oneLine, openForCommand, printPass } from '../memory-run.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

const NONE =
  'No playbook yet: it is written after ten attempts at the least, or now by: ralph playbook consolidate';

/** `ralph playbook show [VERSION]`. */
export async function showPlaybook(version: string | undefined, options: OutputOptions): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const playbook =
    version === undefined ? await currentPlaybook(root) : await knownVersion(root, versionOf(version));
  const text = playbook === undefined ? null : renderPlaybook(playbook);
  printResult(options, playbook === undefined ? { version: 0, text } : { ...playbook, text }, () =>
    text === null ? [NONE] : text.trimEnd().split('\n').map(oneLine),
  );
  for (const warning of playbook?.warnings ?? []) note(warning);
}

/** `ralph playbook consolidate`; exit 1 where the rewrite was refused, 5 where the model failed. */
export async function consolidateCommand(options: OutputOptions & { ifDue?: boolean }): Promise<void> {
  const { repositoryRoot, lessons, ask } = await openForCommand(options);
  const request = { repositoryRoot, manual: options.ifDue !== true };
  printPass(options, await consolidatePlaybook(request, lessons, ask), 'Playbook');
}

/** `ralph playbook history`. */
export async function playbookHistory(options: OutputOptions): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const now = await readPlaybook(root);
  const versions: Playbook[] = [];
  for (const version of (await playbookVersions(root)).reverse()) {
    const one = await readVersion(root, version);
    if (one === undefined) note(`Version ${version} is damaged, and left out.`);
    else versions.push(one);
  }
  const rows = versions.map((one) => ({
    ...{ version: one.version, current: one.version === now?.version, at: one.at, trigger: one.trigger },
    ...{ consolidated_through: one.consolidated_through, slots: one.slots.length },
    characters: one.narrative.length,
  }));
  printResult(options, { versions: rows }, (chalk) =>
    rows.length === 0
      ? [NONE]
      : rows.map(
          (row) =>
            `${chalk.bold(String(row.version).padStart(4))}  ${row.at.slice(0, 16).replace('T', ' ')}  ${row.trigger.padEnd(8)}  ${row.characters} characters, ${plural(row.slots, 'lesson')}, after ${plural(row.consolidated_through, 'attempt')}${row.current ? chalk.green('  current') : ''}`,
        ),
  );
}

/** `ralph playbook rollback [VERSION]`. */
export async function rollbackCommand(text: string | undefined, options: OutputOptions): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const now = await readPlaybook(root);
  const versions = await playbookVersions(root);
  const before = versions.filter((version) => version < (now?.version ?? Infinity)).at(-1);
  const wanted = text === undefined ? before : versionOf(text);
  if (wanted === undefined)
    throw usageError(
      'There is no earlier version to go back to.',
      'See what there is: ralph playbook history',
    );
  const seq = (await readObservations(root)).at(-1)?.seq ?? 0;
  const rolled = await rollbackPlaybook(root, wanted, { seq, at: new Date().toISOString() });
  printResult(options, { version: rolled.version, from: wanted }, (chalk) => [
    `${chalk.bold(`Version ${rolled.version}`)} has the words of version ${wanted}; nothing is lost: ralph playbook history`,
  ]);
}

/** Without what was withdrawn since it was written, as an actor is told it. */
async function currentPlaybook(root: string): Promise<Playbook | undefined> {
  const playbook = await readPlaybook(root);
  const lessons = createLessonStore({ repositoryRoot: root, onDamaged: note });
  return playbook && withoutWithdrawn(playbook, await lessons.list(LESSON_STATUSES));
}

async function knownVersion(root: string, version: number): Promise<Playbook> {
  const found = await readVersion(root, version);
  if (found !== undefined) return found;
  const versions = await playbookVersions(root);
  throw usageError(
    `The playbook has no version ${version}.`,
    versions.length === 0 ? NONE : `It has ${versions.join(', ')}.`,
  );
}

function versionOf(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text.trim()) && value >= 1) return value;
  throw usageError(
    `The version ${text}: it must be a whole number, 1 or more.`,
    'See: ralph playbook history',
  );
}
