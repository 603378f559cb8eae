import { isDeepStrictEqual } from 'node:util';
import type { Insights, Playbook } from '../../schema/generated.ts';
import { importInto } from '../exchange/import.ts';
import { mergeLessons, type LessonMerge, type Preference } from '../lessons/merge.ts';
import { mergeInsights } from '../passes/insights/merge.ts';
import type { RepositoryMemory } from './contract.ts';

export interface SyncOptions {
  readonly from: RepositoryMemory;
  readonly to: RepositoryMemory;
  /** Most reflections that are looked at, the newest. */
  readonly reflections: number;
  /** Who decides where both have a record: the store that is written, or the newer version. */
  readonly preference: Readonly<Record<'lessons' | 'insights' | 'playbook', Preference>>;
}

/** What a store got that it did not have. */
export interface SyncReport {
  readonly reflections: number;
  readonly refused_reflections: number;
  readonly lessons: LessonMerge;
  readonly insights: boolean;
  readonly playbook: boolean;
  readonly repairs: number;
}

/** As many insights stay active as a repository keeps by default. */
const CAPACITY = 50;

/** Takes the memory of one store over into another one of the same repository. Nothing is removed there. */
export async function syncMemory({ from, to, reflections, preference }: SyncOptions): Promise<SyncReport> {
  const records = await from.reflections.newest(reflections);
  const imported = await importInto(
    to.reflections,
    records.map((value) => ({ origin: value.loop_id, record: { value } })),
  );
  const lessons = await from.lessons.list();
  const [insights, playbook] = [await from.insights.read(), await from.playbook.read()];
  return {
    reflections: imported.imported + imported.kept_beside,
    refused_reflections: imported.refused,
    lessons: await to.lessons.change((book) => mergeLessons(book, lessons, preference.lessons)),
    insights: await to.insights.change((now) => withInsights(now, insights, preference.insights)),
    playbook: await to.playbook.change((now) => newerPlaybook(now, playbook, preference.playbook)),
    repairs: await to.repairs.add(await from.repairs.read()),
  };
}

/** Which attempts have been read is counted by each store for itself. */
function withInsights(
  now: Insights | undefined,
  other: Insights | undefined,
  preference: Preference,
): Insights | undefined {
  if (other === undefined || other.insights.length === 0) return undefined;
  const stored = now?.insights ?? [];
  const known = new Set(stored.map(({ id }) => id));
  const open = other.insights.filter(
    ({ id, archived }) => archived === undefined && (preference === 'newest' || !known.has(id)),
  );
  const isArchived = new Set(stored.filter(({ archived }) => archived !== undefined).map(({ id }) => id));
  const insights = mergeInsights(
    stored,
    open.filter(({ id }) => !isArchived.has(id)),
    Math.max(CAPACITY, stored.length),
  );
  if (isDeepStrictEqual(insights, stored)) return undefined;
  return { ...(now ?? { reflected_through: 0, tried_through: 0, due: false }), insights };
}

/** The other playbook if it has a higher version, or if there is none. */
function newerPlaybook(
  now: Playbook | undefined,
  other: Playbook | undefined,
  preference: Preference,
): Playbook | undefined {
  if (other === undefined || (now !== undefined && (preference === 'stored' || now.version >= other.version)))
    return undefined;
  return { ...other, consolidated_through: now?.consolidated_through ?? 0, decay: [] };
}
