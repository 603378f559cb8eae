import type { Insight, Lesson, Observation, Playbook } from '../../../schema/generated.ts';
import type { AuditRow, LessonStore } from '../../lessons/contract.ts';
import { LESSON_STATUSES } from '../../lessons/kinds.ts';
import { isStanding } from '../../lessons/standing.ts';
import { isWithdrawn, withoutWithdrawn } from '../../lessons/withdrawn.ts';
import { activeInsights, readInsights } from '../insights/store.ts';
import { readObservations } from '../observe/store.ts';
import { isRewriteDue } from './settings.ts';
import { readPlaybook } from './store.ts';

/** Everything that a consolidation reads, read once. */
export interface Material {
  /** The current playbook without withdrawn lessons. */
  readonly now: Playbook | undefined;
  /** Oldest first. */
  readonly observations: readonly Observation[];
  /** Confirmed or pinned lessons. */
  readonly lessons: readonly Lesson[];
  /** Number of staged lessons. */
  readonly staged: number;
  readonly history: readonly AuditRow[];
  /** Verified insights that are not in the playbook yet. */
  readonly pending: readonly Insight[];
}

/** Reads the material of a consolidation. Throws RalphError where memory cannot be read. */
export async function gatherMaterial(repositoryRoot: string, store: LessonStore): Promise<Material> {
  const now = await readPlaybook(repositoryRoot);
  const integrated = new Set(now?.integrated);
  const insights = activeInsights(await readInsights(repositoryRoot));
  const all = await store.list(LESSON_STATUSES);
  const standing = all.filter(isStanding);
  return {
    now: now && withoutWithdrawn(now, all),
    observations: await readObservations(repositoryRoot),
    lessons: standing.filter(({ status, pinned }) => status === 'active' || pinned),
    staged: standing.filter(({ status }) => status === 'staged').length,
    history: await store.history(),
    pending: insights.filter(
      (insight) => insight.verified && !integrated.has(insight.id) && !isWithdrawn(insight, all),
    ),
  };
}

const SHIFTING: ReadonlySet<AuditRow['action']> = new Set([
  'support',
  'contradiction',
  'strengthened',
  'confirmed',
  'superseded_other',
]);

/** The trigger of a due rewrite, or the reason why none is due. */
export function triggerFor({ now, observations, history, pending, staged }: Material) {
  const since = now === undefined ? 0 : Date.parse(now.at);
  const result = isRewriteDue({
    seq: observations.at(-1)?.seq ?? 0,
    lastSeq: now?.consolidated_through ?? 0,
    shifted: history.some(({ at, action }) => SHIFTING.has(action) && Date.parse(at) > since),
    pendingInsights: pending.length,
    stagedLessons: staged,
  });
  return result.due ? result.trigger : result.reason;
}
