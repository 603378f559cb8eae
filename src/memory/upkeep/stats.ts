import type { LessonStatus } from '../../schema/generated.ts';
import { activeInsights, readInsights } from '../passes/insights/store.ts';
import type { LessonStore } from '../lessons/contract.ts';
import { LESSON_STATUSES } from '../lessons/kinds.ts';
import { isStanding } from '../lessons/standing.ts';
import { readObservations } from '../passes/observe/store.ts';
import { playbookVersions, readPlaybook } from '../passes/playbook/store.ts';

/** Counts of long-term memory. */
export interface MemoryStats {
  readonly lessons: Readonly<Record<LessonStatus, number>> & { readonly pinned: number };
  /** Number of standing lessons by type. */
  readonly types: Readonly<Record<string, number>>;
  /** Sum over all lessons. */
  readonly support: number;
  readonly contradiction: number;
  readonly observations: {
    /** Attempts committed so far, those in `history/` included. */
    readonly attempts: number;
    readonly kept: number;
    readonly archived: number;
    readonly passed: number;
  };
  readonly insights: { readonly active: number; readonly unverified: number; readonly archived: number };
  readonly playbook: { readonly version: number; readonly versions: number; readonly characters: number };
}

/** Counts the content of long-term memory. Throws RalphError where it cannot be read. */
export async function memoryStats(repositoryRoot: string, store: LessonStore): Promise<MemoryStats> {
  const lessons = await store.list(LESSON_STATUSES);
  const observations = await readObservations(repositoryRoot);
  const insights = await readInsights(repositoryRoot);
  const playbook = await readPlaybook(repositoryRoot);
  const countStatus = (status: LessonStatus): number => lessons.filter((one) => one.status === status).length;
  const standing = lessons.filter(isStanding);
  const active = activeInsights(insights);
  const archived = observations.filter((one) => one.archived !== undefined).length;
  return {
    lessons: {
      staged: countStatus('staged'),
      active: countStatus('active'),
      superseded: countStatus('superseded'),
      archived: countStatus('archived'),
      pinned: standing.filter(({ pinned }) => pinned).length,
    },
    types: countBy(standing.map(({ type }) => type)),
    support: lessons.reduce((sum, { support }) => sum + support, 0),
    contradiction: lessons.reduce((sum, { contradiction }) => sum + contradiction, 0),
    observations: {
      attempts: observations.at(-1)?.seq ?? 0,
      kept: observations.length - archived,
      archived,
      passed: observations.filter(({ passed }) => passed).length,
    },
    insights: {
      active: active.length,
      unverified: active.filter(({ verified }) => !verified).length,
      archived: insights.insights.length - active.length,
    },
    playbook: {
      version: playbook?.version ?? 0,
      versions: (await playbookVersions(repositoryRoot)).length,
      characters: playbook?.narrative.length ?? 0,
    },
  };
}

function countBy(items: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
}
