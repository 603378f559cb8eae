import { synthesiseInsights } from '../../memory/passes/insights/pass.ts';
import { activeInsights, readInsights } from '../../memory/passes/insights/store.ts';
import { LESSON_STATUSES } from '../../memory/lessons/kinds.ts';
import { createLessonStore } from '../../memory/lessons/store.ts';
import { readObservations } from '../../memory/passes/observe/store.ts';
import { isWithdrawn } from '../../memory/lessons/withdrawn.ts';
import type { Insight, Lesson } from '../../schema/generated.ts';
import { plural } from '../../platform/text/plural.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { note, oneLine, openForCommand, printPass } from '../memory-run.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

const NONE = 'No insights yet: they are synthesised from attempts, or now by: ralph insights reflect';

/** `ralph insights list`. */
export async function listInsights(options: OutputOptions & { all?: boolean }): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const stored = await readInsights(root);
  const lessons = await createLessonStore({ repositoryRoot: root, onDamaged: note }).list(LESSON_STATUSES);
  const seq = (await readObservations(root)).at(-1)?.seq ?? 0;
  const insights = options.all === true ? stored.insights : activeInsights(stored);
  const waiting = seq - stored.reflected_through;
  const { due, last = null } = stored;
  printResult(options, { insights, attempts: seq, attempts_waiting: waiting, due, last }, (chalk) => [
    ...(insights.length === 0 ? [NONE] : insights.flatMap((one) => renderInsight(one, lessons, chalk.dim))),
    chalk.dim(`${plural(waiting, 'attempt')} since the last synthesis${due ? ', one is due' : ''}`),
  ]);
}

/** `ralph insights reflect`. */
export async function reflectCommand(options: OutputOptions): Promise<void> {
  const { repositoryRoot, settings, lessons, ask } = await openForCommand(options);
  const request = { repositoryRoot, settings: settings.insights, manual: true };
  printPass(options, await synthesiseInsights(request, lessons, ask), 'Insights');
}

function renderInsight(
  insight: Insight,
  lessons: readonly Lesson[],
  dim: (text: string) => string,
): string[] {
  const { text, importance, evidence, verified, archived, lesson_id: lessonId = '' } = insight;
  const shown = evidence.map(({ loop_id: loop, iteration }) => `${loop} attempt ${iteration + 1}`).join(', ');
  const ground = verified ? `shown by ${shown}` : 'unverified: no attempt is named, and no actor is told';
  const withdrawn = isWithdrawn(insight, lessons) ? `; ${lessonId} was withdrawn, and no actor is told` : '';
  return [
    `${importance.toFixed(2)}  ${oneLine(text)}`,
    dim(
      `      ${oneLine(ground)}${withdrawn}${archived === undefined ? '' : `; archived: ${oneLine(archived)}`}`,
    ),
  ];
}
