import { messageOf } from '../../../errors.ts';
import { playbookPrompt } from '../../../prompts/memory.ts';
import { renderPrompt } from '../../../prompts/render.ts';
import type { Insight, Lesson, Observation, Playbook, Usage } from '../../../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../../../schema/usage.ts';
import { activeInsights, readInsights } from '../insights/store.ts';
import type { AuditRow, LessonStore, PassResult } from '../../lessons/contract.ts';
import { LESSON_STATUSES } from '../../lessons/kinds.ts';
import { isStanding } from '../../lessons/standing.ts';
import { readObservations } from '../observe/store.ts';
import { observationText } from '../observe/text.ts';
import type { AskModel } from '../common/ask.ts';
import { askForJson, PASS_TIMEOUT_MS } from '../common/ask-json.ts';
import { done, idle } from '../common/result.ts';
import { isWithdrawn, withoutWithdrawn } from '../../recall/withdrawn.ts';
import { decideDecay } from './ask-decay.ts';
import { REWRITE, rewriteProblems } from './check-rewrite.ts';
import { safeLines, unsafeLines } from './safe-lines.ts';
import { fadingLessons, type ConfidenceChange } from './decay.ts';
import { openGate } from './gate.ts';
import { healthWarnings } from './health.ts';
import { renderPlaybook, slotOf } from './render.ts';
import { rewriteByRules } from './rewrite-rules.ts';
import {
  clearDecay,
  nextVersion,
  playbookVersions,
  readPlaybook,
  saveRejected,
  writePlaybook,
} from './store.ts';

export interface PlaybookStats {
  /** Of the playbook afterwards; 0: there is none. */
  readonly version: number;
  /** Insights that went into it. */
  readonly integrated: number;
  /** Insights that still wait. */
  readonly pending: number;
  readonly decayed: number;
  readonly forgotten: number;
  readonly slots: number;
  readonly warnings: readonly string[];
  /** Where a refused rewrite is, relative to the repository's root. */
  readonly rejected?: string;
}

export interface ConsolidateRequest {
  readonly repositoryRoot: string;
  /** Asked for by the user: the gate is not looked at. */
  readonly manual: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly now?: (() => Date) | undefined;
}

/** Attempts that a rewrite is shown. */
const RECENT = 10;
const MOST_SLOTS = 400;

/**
 * Consolidates what was learned into the playbook, where the gate lets it: fading lessons are decided on, the text is
 * rewritten and checked, and then everything is put in place at once. A rewrite that is refused changes nothing: the
 * playbook, the confidences and the insights that wait stay, and it is saved under `rejected/`. Never rejects.
 */
export async function consolidatePlaybook(
  request: ConsolidateRequest,
  store: LessonStore,
  ask?: AskModel,
): Promise<PassResult<PlaybookStats>> {
  try {
    await carryOutDecay(request.repositoryRoot, store);
    const material = await gather(request.repositoryRoot, store);
    const stats = statsOf(material);
    const trigger = request.manual ? 'manual' : triggerOf(material);
    if (trigger === 'cooldown' || trigger === 'not_due') return idle('skipped', trigger, stats);
    if (material.observations.length + material.lessons.length === 0)
      return idle('noop', 'nothing_learned', stats);
    return await rewrite({ ...material, trigger }, request, store, ask);
  } catch (error) {
    return done('fallback', messageOf(error), NO_STATS);
  }
}

const NO_STATS: PlaybookStats = {
  ...{ version: 0, integrated: 0, pending: 0, decayed: 0, forgotten: 0, slots: 0 },
  warnings: [],
};

/** Everything that a consolidation looks at, read once. */
interface Material {
  readonly now: Playbook | undefined;
  readonly observations: readonly Observation[];
  readonly lessons: readonly Lesson[];
  readonly staged: number;
  readonly history: readonly AuditRow[];
  readonly pending: readonly Insight[];
}

async function gather(repositoryRoot: string, store: LessonStore): Promise<Material> {
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
  ...(['support', 'contradiction', 'strengthened', 'confirmed', 'superseded_other'] as const),
]);

function triggerOf({ now, observations, history, pending, staged }: Material) {
  const since = now === undefined ? 0 : Date.parse(now.at);
  const verdict = openGate({
    seq: observations.at(-1)?.seq ?? 0,
    lastSeq: now?.consolidated_through ?? 0,
    shifted: history.some(({ at, action }) => SHIFTING.has(action) && Date.parse(at) > since),
    pendingInsights: pending.length,
    stagedLessons: staged,
  });
  return verdict.open ? verdict.trigger : verdict.reason;
}

async function rewrite(
  material: Material & { readonly trigger: Playbook['trigger'] },
  request: ConsolidateRequest,
  store: LessonStore,
  ask: AskModel | undefined,
): Promise<PassResult<PlaybookStats>> {
  const { repositoryRoot, timeoutMs = PASS_TIMEOUT_MS, signal, now: clock = () => new Date() } = request;
  const { now, observations, lessons, pending, history, trigger } = material;
  const times = observations.map(({ at }) => at);
  const fading = fadingLessons(lessons, history, times);
  const decay = await decideDecay(fading, { ask, repositoryRoot, timeoutMs, signal });
  const kept = afterDecay(lessons, decay.changes);
  const recent = observations.slice(-RECENT);
  const written = await writeNarrative({ now, kept, pending, recent }, { ...request, timeoutMs }, ask);
  const usage = sumUsage([decay.usage, written.usage]);
  const stats = statsOf(material);
  if (written.narrative === undefined) return done('fallback', written.reason, stats, usage);
  const { narrative } = written;
  const problems = [...rewriteProblems(now?.narrative ?? '', narrative), ...unsafeLines(narrative)];
  const at = clock().toISOString();
  if (problems.length > 0) {
    const rejected = await saveRejected(repositoryRoot, narrative, problems, at);
    return done('rejected', problems.join(' '), { ...stats, rejected }, usage);
  }
  const slots = kept.slice(0, MOST_SLOTS).map(slotOf);
  const playbook: Playbook = {
    version: nextVersion(await playbookVersions(repositoryRoot), now),
    ...{ at, trigger, narrative, slots },
    consolidated_through: observations.at(-1)?.seq ?? 0,
    integrated: [...(now?.integrated ?? []), ...pending.map(({ id }) => id)].slice(-2000),
    decay: decay.changes.map((change) => ({ ...change })),
    warnings: healthWarnings(renderPlaybook({ narrative, slots })),
  };
  await writePlaybook(repositoryRoot, playbook);
  await carryOutDecay(repositoryRoot, store);
  const forgotten = decay.changes.filter(({ forget }) => forget !== undefined).length;
  return done(
    'ok',
    `version ${playbook.version}, ${trigger}`,
    {
      ...{ version: playbook.version, integrated: pending.length, pending: 0, forgotten },
      ...{ decayed: decay.changes.length - forgotten, slots: slots.length, warnings: playbook.warnings },
    },
    usage,
  );
}

/** Changes of confidence that a playbook on the disk has promised; where it was interrupted, they are made up for. */
async function carryOutDecay(repositoryRoot: string, store: LessonStore): Promise<void> {
  const now = await readPlaybook(repositoryRoot);
  if (now === undefined || now.decay.length === 0) return;
  await store.decay(now.decay);
  await clearDecay(repositoryRoot);
}

/** Lessons as they will be: the strongest first, pinned ones before all. */
function afterDecay(lessons: readonly Lesson[], changes: readonly ConfidenceChange[]): Lesson[] {
  const byId = new Map(changes.map((change) => [change.id, change]));
  return lessons
    .filter(({ id }) => byId.get(id)?.forget === undefined)
    .map((lesson) => ({ ...lesson, confidence: byId.get(lesson.id)?.confidence ?? lesson.confidence }))
    .sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.confidence - a.confidence);
}

interface Rewrite {
  readonly now: Playbook | undefined;
  readonly kept: readonly Lesson[];
  readonly pending: readonly Insight[];
  readonly recent: readonly Observation[];
}

async function writeNarrative(
  { now, kept, pending, recent }: Rewrite,
  { repositoryRoot, timeoutMs, signal }: ConsolidateRequest & { readonly timeoutMs: number },
  ask: AskModel | undefined,
): Promise<{ readonly narrative?: string; readonly reason: string; readonly usage: Usage }> {
  const before = now?.narrative ?? '';
  if (ask === undefined)
    return { narrative: safeLines(rewriteByRules(before, pending, recent)), reason: '', usage: NO_USAGE };
  const variables = playbookPrompt({
    ...{ narrative: before, slots: kept, insights: pending.map(({ text }) => text) },
    attempts: recent.map((one) => ({ task: one.task, text: observationText(one) })),
    least: Math.max(REWRITE.leastChars, Math.ceil(before.length * REWRITE.ratio)),
    most: REWRITE.mostChars,
  });
  const asked = await askForJson(ask, {
    answer: 'playbook-answer',
    keys: ['narrative'],
    system: renderPrompt('playbook-system', {}, repositoryRoot),
    prompt: renderPrompt('playbook', variables, repositoryRoot),
    ...{ timeoutMs, signal, repository: repositoryRoot },
  });
  return asked.ok
    ? { narrative: asked.value.narrative, reason: '', usage: asked.usage }
    : { reason: asked.reason, usage: asked.usage };
}

function statsOf({ now, pending, lessons }: Material): PlaybookStats {
  return {
    ...NO_STATS,
    version: now?.version ?? 0,
    pending: pending.length,
    slots: lessons.length,
    warnings: now?.warnings ?? [],
  };
}
