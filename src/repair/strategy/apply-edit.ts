import { shownEdit } from '../../schema/shown-edit.ts';
import { join } from 'node:path';
import { writeInTree } from '../../platform/files/write-in-tree.ts';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { countChangedLines, unifiedDiff } from '../../platform/text/line-diff.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { Alternative, Reflection } from '../../schema/generated.ts';
import { formatLikeBefore } from '../fixers/prettier.ts';
import { applyEdits, type Candidate } from '../syntax/edit.ts';
import type { ColdVerdict } from '../trial/cold-trial.ts';
import type { AttemptLog } from './attempt-log.ts';

const MAX_ALTERNATIVES = 20;
const MAX_PATCH = 20_000;
const MAX_DIFF = 4000;
/** Begins the description of the action that applied an edit; the edit's signature follows. */
const ACCEPTED = 'Accepted edit: ';

/**
 * Writes an edit to the tree, formatted by the repository's own prettier, and adds it to the log. Returns the log's
 * alternatives as patches against the tree before the edit.
 */
export async function applyEdit(
  context: AttemptContext,
  { candidate, command }: ColdVerdict,
  log: AttemptLog,
): Promise<Alternative[]> {
  const { file } = candidate.edits[0]!;
  const path = join(context.root, file);
  const before = await readTreeText(path);
  const after = applyEdits(before, candidate.edits);
  writeInTree(context.root, file, await formatLikeBefore(context, { file, before, after }));
  log.tried = Math.max(log.tried, 1);
  log.addReason(
    `Chose the most natural of the confirmed edits in the most suspicious place, by ${candidate.operator} at ` +
      `${file}:${candidate.line}.`,
  );
  const position = log.positionOf(candidate);
  if (position !== undefined) log.addReason(`It was number ${position} in the order of trials.`);
  log.addAction({
    type: 'code_modification',
    description: `${ACCEPTED}${candidate.signature}`,
    file_path: file,
    changes: {
      ...countChangedLines(before, after),
      diff: unifiedDiff(file, before, after).slice(0, MAX_DIFF),
    },
    command,
  });
  return await describeAlternatives(context.root, new Map([[file, before]]), log.alternatives);
}

/** Edits as patches of at most 20,000 characters, at most 20. `changed` holds the earlier texts of files that have changed, by path. */
export async function describeAlternatives(
  root: string,
  changed: ReadonlyMap<string, string>,
  candidates: readonly Candidate[],
): Promise<Alternative[]> {
  const described = await Promise.all(
    candidates.slice(0, MAX_ALTERNATIVES).map(async ({ edits, signature }): Promise<Alternative> => {
      const { file } = edits[0]!;
      const text = changed.get(file) ?? (await readTreeText(join(root, file)));
      return { description: shownEdit(signature), patch: unifiedDiff(file, text, applyEdits(text, edits)) };
    }),
  );
  return described.filter(({ patch }) => patch.length <= MAX_PATCH);
}

/** Signatures of edits that earlier attempts applied and that were no improvement. */
export function appliedInVain(reflections: readonly Reflection[]): string[] {
  return reflections
    .filter(({ performance_delta }) => !performance_delta.is_improvement)
    .flatMap(({ actor_output }) => actor_output.actions.map(({ description }) => description))
    .filter((description) => description.startsWith(ACCEPTED))
    .map((description) => description.slice(ACCEPTED.length));
}
