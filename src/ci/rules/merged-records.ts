import { dangerIn } from '../../platform/redaction/unsafe-text.ts';
import type { Insight, Insights, Lesson, Playbook } from '../../schema/generated.ts';
import { toSlot } from '../../memory/passes/playbook/render.ts';

/** Share of one loop. */
const MAX_NEW_INSIGHTS = 20;
/** Lessons or insights of other loops that one loop can put an end to. */
export const MAX_ENDED = 10;
const MAX_INSIGHTS = 500;
const MAX_SLOTS = 400;

const NO_INSIGHTS: Insights = { insights: [], reflected_through: 0, tried_through: 0, due: false };

/**
 * The stored insights with those of a job added: at most 20 new ones, and at most ten of the stored ones archived. What a
 * stored insight says stays. `seq`: number of the last stored observation, beyond which no job can have read. Pure.
 */
export function mergeJobInsights(stored: Insights = NO_INSIGHTS, job: Insights, seq: number): Insights {
  const known = new Map(stored.insights.map((insight) => [insight.id, insight]));
  const archived = new Map(
    job.insights
      .filter(({ id, archived: reason }) => reason !== undefined && known.get(id)?.archived === undefined)
      .filter(({ id }) => known.has(id))
      .slice(0, MAX_ENDED)
      .map(({ id, archived: reason }) => [id, reason!]),
  );
  const kept = stored.insights.map((insight): Insight => {
    const reason = archived.get(insight.id);
    return reason === undefined ? insight : { ...insight, archived: reason };
  });
  const fresh = job.insights
    .filter(
      ({ id, text, archived: reason }) =>
        !known.has(id) && reason === undefined && dangerIn(text) === undefined,
    )
    .slice(0, MAX_NEW_INSIGHTS);
  const through = (a: number, b: number): number => Math.max(a, Math.min(b, seq));
  return {
    ...job,
    insights: [...kept, ...fresh].slice(0, MAX_INSIGHTS),
    reflected_through: through(stored.reflected_through, job.reflected_through),
    tried_through: through(stored.tried_through, job.tried_through),
  };
}

const NO_PLAYBOOK: Pick<Playbook, 'narrative' | 'integrated' | 'decay' | 'warnings'> = {
  narrative: '',
  integrated: [],
  decay: [],
  warnings: [],
};

/**
 * The stored playbook, with the lessons that are stored now. Of a job's playbook only the number of attempts that it covers
 * and its time are taken, and no text: its prose would stand at the top of every later prompt. Pure.
 */
export function mergeJobPlaybook(
  stored: Playbook | undefined,
  job: Playbook,
  { lessons, seq }: { readonly lessons: Iterable<Lesson>; readonly seq: number },
): Playbook {
  const active = [...lessons].filter(({ status }) => status === 'active');
  const { narrative, integrated, decay, warnings } = stored ?? NO_PLAYBOOK;
  return {
    version: (stored?.version ?? 0) + 1,
    at: job.at,
    trigger: job.trigger,
    consolidated_through: Math.max(
      stored?.consolidated_through ?? 0,
      Math.min(job.consolidated_through, seq),
    ),
    narrative,
    slots: active.slice(-MAX_SLOTS).map(toSlot),
    integrated,
    decay,
    warnings,
  };
}
