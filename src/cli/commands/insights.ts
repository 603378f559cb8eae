import { LESSON_STATUSES } from '../../memory/lessons/kinds.ts';
import { createLessonStore } from '../../memory/lessons/store.ts';
import { synthesiseInsights } from '../../memory/passes/insights/pass.ts';
import { activeInsights, readInsights } from '../../memory/passes/insights/store.ts';
import { readObservations } from '../../memory/passes/observe/store.ts';
import { isWithdrawn } from '../../memory/lessons/withdrawn.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Insight, Lesson } from '../../schema/generated.ts';
import { openMemoryForCommand, printPass } from '../memory-pass.ts';
import { oneLine, printWarning } from '../messages.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

const NONE = 'No insights yet. Loops draw them from attempts; to draw them now: ralph insights reflect';

/** `ralph insights list`. */
export async function listInsights(options: OutputOptions & { all?: boolean }): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const stored = await readInsights(root);
  const store = createLessonStore({ repositoryRoot: root, onDamaged: printWarning });
  const lessons = await store.list(LESSON_STATUSES);
  const attempts = (await readObservations(root)).at(-1)?.seq ?? 0;
  const insights = options.all === true ? stored.insights : activeInsights(stored);
  const waiting = attempts - stored.reflected_through;
  const { due, last = null } = stored;
  printResult(options, { insights, attempts, attempts_waiting: waiting, due, last }, (chalk) => [
    ...(insights.length === 0 ? [NONE] : insights.flatMap((one) => renderInsight(one, lessons, chalk.dim))),
    chalk.dim(
      `${plural(waiting, 'attempt')} since insights were last drawn${due ? '; ralph insights reflect is due' : ''}`,
    ),
  ]);
}

/** `ralph insights reflect`. */
export async function reflectCommand(options: OutputOptions): Promise<void> {
  const { repositoryRoot, settings, lessons, ask } = await openMemoryForCommand(options);
  const request = { repositoryRoot, settings: settings.insights, manual: true };
  printPass(options, await synthesiseInsights(request, lessons, ask), 'Insights');
}

function renderInsight(
  insight: Insight,
  lessons: readonly Lesson[],
  dim: (text: string) => string,
): string[] {
  const { text, importance, evidence, verified, archived, lesson_id: lessonId = '' } = insight;
  const attempts = evidence
    .map(({ loop_id: loop, iteration }) => `${loop} attempt ${iteration + 1}`)
    .join(', ');
  const facts = [
    verified ? `evidence: ${attempts}` : 'unverified: it cites no attempt, so actors do not receive it',
    ...(isWithdrawn(insight, lessons) ? [`${lessonId} was withdrawn, so actors do not receive it`] : []),
    ...(archived === undefined ? [] : [`archived: ${archived}`]),
  ];
  return [`${importance.toFixed(2)}  ${oneLine(text)}`, dim(`      ${oneLine(facts.join('; '))}`)];
}
