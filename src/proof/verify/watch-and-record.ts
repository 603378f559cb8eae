import type { Check } from '../../ports.ts';
import type { CheckRequest } from '../../ports/evaluation.ts';
import type { TestCase } from '../../schema/generated.ts';
import { copiesAnew } from '../../checks/narrow/copied-files.ts';
import type { Recording } from '../replay/recording.ts';
import { passesIn } from '../stability.ts';
import { decides, watchedSources, type JudgedSources } from '../watched/built-ins.ts';
import { watchedRun } from '../watched/watched-run.ts';

/**
 * Records the calls of the changed sources in a run that is watched as well: one start of the runner in the place of two. It
 * counts only where all tests that were repaired pass in it and no act of a source is noted. Code that behaves otherwise
 * because it sees the watch or the recorder either fails these tests or does what is noted: then this is undefined, and both
 * are to run apart, as for a runner that shares what it loads between files. `flipped`: tests that failed before and pass now.
 */
export async function watchAndRecord(
  check: Check,
  flipped: readonly TestCase[],
  asked: JudgedSources,
): Promise<Recording | undefined> {
  const { request, sources } = asked;
  const files = [...new Set(flipped.map(({ file }) => file!))];
  if (sources.length === 0 || files.length === 0 || !copiesAnew(check, request.root)) return undefined;
  const { recordedRun } = await import('../replay/recorded-run.ts');
  let recording: Recording | undefined;
  const run = async (own: CheckRequest): Promise<void> => {
    const recorded = await recordedRun(check, { request: own, files, sources });
    const { tests = [] } = recorded.report ?? {};
    if (flipped.every((test) => passesIn(tests, test))) recording = recorded.recording;
  };
  const acts = await watchedRun({ run }, request, watchedSources(asked));
  return acts.some((act) => decides(act, asked)) ? undefined : recording;
}
