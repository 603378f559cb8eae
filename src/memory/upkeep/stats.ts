import type { LessonStatus } from '../../schema/generated.ts';
import { activeInsights, readInsights } from '../passes/insights/store.ts';
import type { LessonStore } from '../lessons/contract.ts';
import { readObservations } from '../passes/observe/store.ts';
import { playbookVersions, readPlaybook } from '../passes/playbook/store.ts';

/** How much long-term memory there is. */
export interface MemoryStats {
  readonly lessons: Readonly<Record<LessonStatus, number>> & { readonly pinned: number };
  /** Of lessons that stand, by type. */
  readonly types: Readonly<Record<string, number>>;
  /** Counted by the evaluator over all lessons. */
  readonly support: number;
  readonly contradiction: number;
  readonly observations: {
    /** Attempts that were ever committed. */
    readonly attempts: number;
    readonly kept: number;
    readonly archived: number;
    readonly passed: number;
  };
  readonly insights: { readonly active: number; readonly unverified: number; readonly archived: number };
  readonly playbook: { readonly version: number; readonly versions: number; readonly characters: number };
}

const STATUSES = ['staged', 'active', 'superseded', 'archived'] as const;

/** Counts everything in long-term memory. Throws RalphError where it cannot be read. */
export async function memoryStats(repositoryRoot: string, store: LessonStore): Promise<MemoryStats> {
  const lessons = await store.list(STATUSES);
  const observations = await readObservations(repositoryRoot);
  const insights = await readInsights(repositoryRoot);
  const playbook = await readPlaybook(repositoryRoot);
  const inStatus = (status: LessonStatus): number => lessons.filter((one) => one.status === status).length;
  const standing = lessons.filter(({ status }) => status === 'staged' || status === 'active');
  const active = activeInsights(insights);
  const archived = observations.filter((one) => one.archived !== undefined).length;
  return {
    lessons: {
      ...{ staged: inStatus('staged'), active: inStatus('active') },
      ...{ superseded: inStatus('superseded'), archived: inStatus('archived') },
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
