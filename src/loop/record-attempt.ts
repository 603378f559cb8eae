import type { ChangeSet } from '../ports/tree.ts';
import { attemptFile } from '../platform/ralph-folder.ts';
import { renderBytes } from '../platform/text/bytes.ts';
import { completeTrajectory, isBetter, type Attempt } from './attempt.ts';
import type { EvaluateStep } from './evaluate.ts';
import type { LoopRun } from './loop-run.ts';
import type { Proven } from './proof/prove.ts';
import { renderRuledOut } from './ruled-out.ts';
import { foundByChecks } from './tampering.ts';
import { trajectoryLines } from './trajectory.ts';

/** Adds an evaluated attempt to the loop, writes its files and saves the loop's state. */
export async function recordAttempt(
  loop: LoopRun,
  step: EvaluateStep & { readonly proven: Proven },
): Promise<Attempt> {
  const { iteration, start, acted, proven } = step;
  const { evaluation, outcome, proof, refusal } = proven;
  const { emit, workspace } = loop.ports;
  const { patchBase } = loop;
  const changes = await workspace.changes(start.tree, acted.tree);
  const tree = proven.tree ?? acted.tree;
  const isWhole = start.tree === patchBase && tree === acted.tree;
  const total = isWhole ? changes : await workspace.changes(patchBase, tree);
  const accepted = outcome === 'verified';
  const attempt: Attempt = {
    iteration,
    startedFrom: start.iteration ?? 0,
    trajectory: completeTrajectory(acted.trajectory, changes),
    tampering: [...acted.tampering, ...foundByChecks(evaluation, acted.tampering)],
    tree,
    changes,
    evaluation,
    best: outcome !== 'failed' || isBetter(evaluation, loop.best?.evaluation ?? loop.baseline),
    accepted,
    unproven: outcome === 'unproven',
    proof,
    refusal,
    durationMs: acted.durationMs + evaluation.duration_ms,
  };
  loop.unjudged = undefined;
  loop.attempts.push(attempt);
  await attachFiles(loop, attempt, total);
  emit({
    type: 'attempt_evaluated',
    iteration,
    evaluation,
    best: attempt.best,
    filesChanged: changes.files.length,
    linesAdded: changes.linesAdded,
    linesDeleted: changes.linesDeleted,
    changed: total.files,
  });
  await loop.saveState('running');
  return attempt;
}

/** In characters; the patch of an attempt that is not the best may consist of files that only it has made. */
const LARGEST_PATCH = 8 * 2 ** 20;

/** A text that git apply refuses, and that says why. */
function withoutContents({ patch, files }: ChangeSet): string {
  const size = renderBytes(patch.length);
  const paths = files.slice(0, 100).map(({ path }) => path);
  return `This patch of ${size} was not stored: the attempt is not the best of its loop.\nFiles: ${paths.join(', ')}\n`;
}

async function attachFiles(
  { ports }: LoopRun,
  { iteration, trajectory, best }: Attempt,
  total: ChangeSet,
): Promise<void> {
  const { edits } = trajectory.ruled_out;
  const alternatives = trajectory.alternatives ?? [];
  const files: readonly (readonly [name: string, text: string])[] = [
    ['patch.diff', best || total.patch.length <= LARGEST_PATCH ? total.patch : withoutContents(total)],
    ['trajectory.jsonl', trajectoryLines(trajectory)],
    ...(edits.length === 0 ? [] : [['ruled-out.json', renderRuledOut(edits)] as const]),
    ...(trajectory.samples ?? []).map(({ number, patch }) => [`samples/${number}.patch`, patch] as const),
    ...alternatives.map(({ patch }, index) => [`alternatives/${index + 1}.patch`, patch] as const),
  ];
  for (const [name, text] of files) await ports.store.attach(attemptFile(iteration, name), text);
}
