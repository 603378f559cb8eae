import type { LessonStatus } from '../../schema/generated.ts';
import { analyze } from '../../memory/analysis/analyze.ts';
import { readHistory } from '../../memory/analysis/read-history.ts';
import { renderAnalysis } from '../../memory/analysis/render.ts';
import type { LeftOut } from '../../memory/analysis/history.ts';
import { pathOfLines } from '../../memory/lessons/line-file.ts';
import { createLessonStore } from '../../memory/lessons/store.ts';
import { listLoops, resolveLoopId } from '../../state/loops.ts';
import { findRepositoryRoot } from '../../util/repository-root.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

const EVERY_STATUS: readonly LessonStatus[] = ['staged', 'active', 'superseded', 'archived'];
/** Where the output is no terminal. */
const WIDTH = 80;

/** `ralph analyze [loop-id]`. */
export async function analyzeCommand(id: string | undefined, options: OutputOptions): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const { loops: states, damaged } = await listLoops(root);
  const read = await readHistory(root, states);
  // A loop may be known by its reflections alone: they are committed, its run is not.
  const isKnown = read.loops.some((loop) => loop.id === id);
  const loopId = id === undefined || isKnown ? id : await resolveLoopId(root, id);
  const ofLessons: LeftOut[] = [];
  const onDamaged = (): void =>
    void ofLessons.push({ path: pathOfLines('lessons.jsonl'), problem: 'has damaged lines' });
  const store = createLessonStore({ repositoryRoot: root, onDamaged });
  const lessons = await store.list(EVERY_STATUS);
  const history = { ...read, leftOut: [...damaged, ...read.leftOut, ...ofLessons] };
  const analysis = analyze({ history, lessons, ...(loopId !== undefined && { loopId }) });
  printResult(options, analysis, (chalk) =>
    renderAnalysis(analysis, {
      width: process.stdout.columns || WIDTH,
      style: chalk.level > 0 ? 'blocks' : 'plain',
      strong: chalk.bold,
    }),
  );
}
