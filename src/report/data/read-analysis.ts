import { analyze } from '../../memory/analysis/analyze.ts';
import type { LeftOut } from '../../memory/analysis/history.ts';
import { readHistory } from '../../memory/analysis/read-history.ts';
import { pathOfLines } from '../../memory/lessons/line-file.ts';
import { createLessonStore } from '../../memory/lessons/store.ts';
import type { Analysis, LessonStatus } from '../../schema/generated.ts';
import { listLoops, resolveLoopId } from '../../state/loops.ts';
import { redactValue } from '../../util/redact.ts';

const EVERY_STATUS: readonly LessonStatus[] = ['staged', 'active', 'superseded', 'archived'];

/**
 * What the loops of a repository learned, or one of them, in figures, without secrets. Damaged files are named in it and left out. Throws
 * RalphError for an id that is none, or of no loop here.
 */
export async function readAnalysis(repositoryRoot: string, id?: string): Promise<Analysis> {
  const { loops: states, damaged } = await listLoops(repositoryRoot);
  const read = await readHistory(repositoryRoot, states);
  // A loop may be known by its reflections alone: they are committed, its run is not.
  const isKnown = read.loops.some((loop) => loop.id === id);
  const loopId = id === undefined || isKnown ? id : await resolveLoopId(repositoryRoot, id);
  const ofLessons: LeftOut[] = [];
  const onDamaged = (): void =>
    void ofLessons.push({ path: pathOfLines('lessons.jsonl'), problem: 'has damaged lines' });
  const lessons = await createLessonStore({ repositoryRoot, onDamaged }).list(EVERY_STATUS);
  const history = { ...read, leftOut: [...damaged, ...read.leftOut, ...ofLessons] };
  return redactValue(analyze({ history, lessons, ...(loopId !== undefined && { loopId }) }));
}
