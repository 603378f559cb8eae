import type { AttemptSummary } from '../schema/generated.ts';
import { endedEarly } from './ended-early.ts';
import type { LoopRun } from './loop-run.ts';
import { summarizeSample } from './samples/to-sample.ts';

/** Finds what an attempt changed that the checks have not judged. Never rejects: without its changes, it is not in the verdict. */
export async function noteChanges(loop: LoopRun): Promise<void> {
  const { unjudged } = loop;
  if (unjudged === undefined) return;
  const { acted, start } = unjudged;
  const changes = await loop.ports.workspace.changes(start.tree, acted.tree).catch(() => undefined);
  if (changes !== undefined) loop.unjudged = { ...unjudged, changes };
}

/** The attempt that the checks have not judged, as in a verdict; undefined if there is none. */
export function summarizeUnjudged({ unjudged }: LoopRun): AttemptSummary | undefined {
  if (unjudged?.changes === undefined) return undefined;
  const { acted, changes, iteration } = unjudged;
  return {
    iteration,
    reward: null,
    passed: false,
    files_changed: changes.files.length,
    lines_added: changes.linesAdded,
    lines_deleted: changes.linesDeleted,
    duration_ms: acted.durationMs,
    ended_early: endedEarly(acted),
    samples: acted.trajectory.samples?.map(summarizeSample),
    tampering: [...acted.tampering],
  };
}
