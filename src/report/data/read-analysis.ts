import { analyze } from '../../memory/analysis/analyze.ts';
import type { LeftOut } from '../../memory/analysis/history.ts';
import { readHistory } from '../../memory/analysis/read-history.ts';
import { readTrials } from '../../memory/experiment/trials.ts';
import { memoryPath } from '../../memory/files/memory-folder.ts';
import { LESSON_STATUSES } from '../../memory/lessons/kinds.ts';
import { createLessonStore } from '../../memory/lessons/store.ts';
import type { Analysis } from '../../schema/generated.ts';
import { listLoops, resolveLoopId } from '../../state/loops.ts';
import { redactValue } from '../../platform/redaction/redact.ts';

/**
 * Computes the analysis of all loops of a repository, or of one, redacted. Damaged files are listed in it and left out.
 * Throws RalphError for an invalid or unknown id.
 */
export async function readAnalysis(repositoryRoot: string, id?: string): Promise<Analysis> {
  const { loops: states, damaged } = await listLoops(repositoryRoot);
  const read = await readHistory(repositoryRoot, states);
  // Reflections are committed and the loop's run is not, so a loop may exist as reflections only.
  const isKnown = read.loops.some((loop) => loop.id === id);
  const loopId = id === undefined || isKnown ? id : await resolveLoopId(repositoryRoot, id);
  const ofLessons: LeftOut[] = [];
  const onDamaged = (): void =>
    void ofLessons.push({ path: memoryPath('lessons.jsonl'), problem: 'has damaged lines' });
  const lessons = await createLessonStore({ repositoryRoot, onDamaged }).list(LESSON_STATUSES);
  const ofStates = damaged.map(({ path, problem }) => ({ path, problem: `cannot be read: ${problem}` }));
  const history = { ...read, leftOut: [...ofStates, ...read.leftOut, ...ofLessons] };
  const trials = await readTrials(repositoryRoot);
  return redactValue(analyze({ history, lessons, trials, loopId }));
}
