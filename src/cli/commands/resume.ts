import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openLoop } from '../../compose/loop/loop.ts';
import { originOf } from '../../compose/loop/origin.ts';
import { openProject } from '../../compose/project.ts';
import { usageError } from '../../errors.ts';
import { removeOrphanedFolders } from '../../platform/files/temporary-folder.ts';
import { REDACTED } from '../../platform/redaction/redact.ts';
import { ralphFolder } from '../../platform/ralph-folder.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import type { LoopState } from '../../schema/generated.ts';
import { readResumableState, resolveLoopId } from '../../state/loops.ts';
import { createReview, refuseUnreviewable } from '../review.ts';
import { settingsFromOptions, type OutputOptions } from '../options.ts';
import { runSession } from '../run-session.ts';

interface ResumeOptions extends OutputOptions {
  readonly review?: boolean;
}

/** `ralph resume [loop-id]`: continues with the loop's own settings; flags of this call override them. */
export async function resumeCommand(id: string | undefined, options: ResumeOptions): Promise<void> {
  if (options.review === true) refuseUnreviewable();
  removeOrphanedFolders();
  const root = findRepositoryRoot(process.cwd());
  const loopId = await resolveLoopId(root, id);
  const state = await readResumableState(root, loopId);
  if (state === null)
    throw usageError(
      `${loopId} ended before its baseline was evaluated: there is nothing to resume.`,
      'Start a new loop: ralph run',
    );
  refuseFinished(state);
  refusePruned(state, root);
  const { config, cwd, delivery, head, proof } = originOf(state);
  const flags = { ...config, ...settingsFromOptions({ ...options }) };
  refuseRedacted(flags);
  const project = await openProject({ cwd: join(root, cwd), flags, env: {}, ignoreFile: true });
  await runSession(options, (output, interruption) =>
    openLoop({
      project,
      task: state.task,
      proof,
      delivery,
      loopId,
      startedAt: state.started_at,
      resumed: true,
      review: options.review === true ? createReview(output) : undefined,
      base: state.base_tree,
      head,
      emit: output.emit,
      stopRequested: interruption.stopRequested,
      stop: interruption.stop,
      signal: interruption.signal,
    }),
  );
}

/** Secrets are not stored with a loop, so a setting that contained one has to be given again. */
function refuseRedacted(config: object): void {
  const setting = Object.entries(config).find(([, value]) => JSON.stringify(value).includes(REDACTED))?.[0];
  if (setting === undefined) return;
  throw usageError(
    `The setting ${setting} contained a secret, which was not stored.`,
    'Give the setting again as a flag, preferably with the name of an environment variable instead of the secret.',
  );
}

function refusePruned({ loop_id: loopId, best_tree: best }: LoopState, root: string): void {
  if (!existsSync(ralphFolder(root).pruned(loopId))) return;
  throw usageError(
    `${loopId} cannot be continued: the snapshots of its attempts were removed.`,
    `Start a new loop: ralph run${best === undefined ? '' : `\nOr apply its best attempt: ralph apply ${loopId}`}`,
  );
}

function refuseFinished({ loop_id: loopId, status }: LoopState): void {
  if (status === 'passed' || status === 'nothing_to_do') {
    throw usageError(`${loopId} is finished: it ended verified.`, 'Start a new loop: ralph run');
  }
  if (status === 'unproven')
    throw usageError(
      `${loopId} is finished: it ended unproven.`,
      `Apply its result: ralph apply ${loopId}\nOr start a new loop with a criterion: ralph run "…" --accept "COMMAND"`,
    );
}
