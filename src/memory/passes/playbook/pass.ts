import { keptAdvice } from '../../lessons/advice-problem.ts';
import { hasFile } from '../../lessons/missing-files.ts';
import { messageOf } from '../../../errors.ts';
import type { Lesson, Playbook } from '../../../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../../../schema/usage.ts';
import type { LessonStore, PassResult } from '../../lessons/contract.ts';
import type { AskModel } from '../common/ask.ts';
import { PASS_TIMEOUT_MS } from '../common/ask-json.ts';
import { done, idle } from '../common/result.ts';
import { askForRewrite, type RewriteInput, type RewriteOptions } from './ask.ts';
import { decideDecay } from './ask-decay.ts';
import { rewriteProblems } from './check-rewrite.ts';
import { fadingLessons, type ConfidenceChange } from './decay.ts';
import { healthWarnings } from './health.ts';
import { gatherMaterial, triggerFor, type Material } from './material.ts';
import { knownSentences } from './known-sentences.ts';
import { renderPlaybook, toSlot } from './render.ts';
import { rewriteByRules } from './rules.ts';
import { safeLines, unsafeLines } from './safe-lines.ts';
import {
  clearDecay,
  nextVersion,
  playbookVersions,
  readPlaybook,
  saveRejected,
  writePlaybook,
} from './store.ts';

export interface PlaybookStats {
  /** Version of the playbook afterwards; 0 where there is none. */
  readonly version: number;
  /** Insights that the rewrite integrated. */
  readonly integrated: number;
  /** Insights that are not in the playbook yet. */
  readonly pending: number;
  /** Lessons whose confidence was lowered. */
  readonly decayed: number;
  /** Lessons that were archived. */
  readonly forgotten: number;
  readonly slots: number;
  readonly warnings: readonly string[];
  /** Path of a rejected rewrite, relative to the repository's root. */
  readonly rejected?: string;
}

export interface ConsolidateRequest {
  readonly repositoryRoot: string;
  /** Requested by the user: runs whether or not it is due. */
  readonly manual: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly now?: (() => Date) | undefined;
}

/** Newest attempts that a rewrite reads. */
const RECENT = 10;
const MOST_SLOTS = 400;
const MOST_INTEGRATED = 2000;

/**
 * Consolidates lessons, insights and recent attempts into the playbook where that is due: decides on fading lessons,
 * rewrites the text, checks it, then stores everything at once. A rejected rewrite changes nothing (playbook,
 * confidences and pending insights stay) and is saved under `rejected/`. Never rejects.
 */
export async function consolidatePlaybook(
  request: ConsolidateRequest,
  store: LessonStore,
  ask?: AskModel,
): Promise<PassResult<PlaybookStats>> {
  try {
    await applyPendingDecay(request.repositoryRoot, store);
    const material = await gatherMaterial(request.repositoryRoot, store);
    const trigger = request.manual ? 'manual' : triggerFor(material);
    if (trigger === 'cooldown' || trigger === 'not_due') return idle('skipped', trigger, statsOf(material));
    if (material.observations.length + material.lessons.length === 0)
      return idle('noop', 'nothing_learned', statsOf(material));
    return await rewrite({ ...material, trigger }, request, store, ask);
  } catch (error) {
    return done('fallback', messageOf(error), NO_STATS);
  }
}

const NO_STATS: PlaybookStats = {
  version: 0,
  integrated: 0,
  pending: 0,
  decayed: 0,
  forgotten: 0,
  slots: 0,
  warnings: [],
};

async function rewrite(
  material: Material & { readonly trigger: Playbook['trigger'] },
  { repositoryRoot, timeoutMs = PASS_TIMEOUT_MS, signal, now: clock = () => new Date() }: ConsolidateRequest,
  store: LessonStore,
  ask: AskModel | undefined,
): Promise<PassResult<PlaybookStats>> {
  const { now, observations, pending, history, trigger } = material;
  const options = { repositoryRoot, timeoutMs, signal };
  const attemptTimes = observations.map(({ at }) => at);
  const fading = fadingLessons(material.lessons, history, attemptTimes);
  const decay = await decideDecay(fading, { ask, ...options });
  const lessons = afterDecay(material.lessons, decay.changes);
  const before = now?.narrative ?? '';
  const recent = observations.slice(-RECENT);
  const input = { narrative: before, lessons, insights: pending, recent };
  const written = await writeNarrative(input, options, ask);
  const usage = sumUsage([decay.usage, written.usage]);
  if (!written.ok) return done('fallback', written.reason, statsOf(material), usage);
  const { narrative } = written.value;
  const problems = [...rewriteProblems(before, narrative), ...unsafeLines(narrative)];
  const at = clock().toISOString();
  if (problems.length > 0) {
    const rejected = await saveRejected(repositoryRoot, narrative, problems, at);
    return done('rejected', problems.join(' '), { ...statsOf(material), rejected }, usage);
  }
  const slots = lessons.slice(0, MOST_SLOTS).map(toSlot);
  const playbook: Playbook = {
    version: nextVersion(await playbookVersions(repositoryRoot), now),
    at,
    trigger,
    narrative,
    slots,
    consolidated_through: observations.at(-1)?.seq ?? 0,
    integrated: [...(now?.integrated ?? []), ...pending.map(({ id }) => id)].slice(-MOST_INTEGRATED),
    decay: decay.changes.map((change) => ({ ...change })),
    warnings: healthWarnings(renderPlaybook({ narrative, slots })),
  };
  await writePlaybook(repositoryRoot, playbook);
  await applyPendingDecay(repositoryRoot, store);
  const forgotten = decay.changes.filter(({ forget }) => forget !== undefined).length;
  const stats = {
    version: playbook.version,
    integrated: pending.length,
    pending: 0,
    decayed: decay.changes.length - forgotten,
    forgotten,
    slots: slots.length,
    warnings: playbook.warnings,
  };
  return done('ok', `version ${playbook.version}, ${trigger}`, stats, usage);
}

/**
 * Applies the confidence changes that the stored playbook announces. Called before each consolidation too, for a
 * process that was killed after it stored the playbook.
 */
async function applyPendingDecay(repositoryRoot: string, store: LessonStore): Promise<void> {
  const now = await readPlaybook(repositoryRoot);
  if (now === undefined || now.decay.length === 0) return;
  await store.decay(now.decay);
  await clearDecay(repositoryRoot);
}

/** Lessons that remain, with their new confidence: pinned ones first, then the most confident. */
function afterDecay(lessons: readonly Lesson[], changes: readonly ConfidenceChange[]): Lesson[] {
  const byId = new Map(changes.map((change) => [change.id, change]));
  return lessons
    .filter(({ id }) => byId.get(id)?.forget === undefined)
    .map((lesson) => ({ ...lesson, confidence: byId.get(lesson.id)?.confidence ?? lesson.confidence }))
    .sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.confidence - a.confidence);
}

async function writeNarrative(
  input: RewriteInput,
  options: RewriteOptions,
  ask: AskModel | undefined,
): ReturnType<typeof askForRewrite> {
  const { repositoryRoot } = options;
  if (ask !== undefined) {
    const asked = await askForRewrite(ask, input, options);
    if (!asked.ok) return asked;
    const texts = [
      '# Playbook',
      input.narrative,
      ...input.lessons.map(({ text }) => text),
      ...input.insights.map(({ text }) => text),
    ];
    const files = input.recent.flatMap((one) => one.files);
    const errors = input.recent.flatMap((one) => one.errors);
    const isAllowed = (text: string): boolean =>
      keptAdvice(repositoryRoot, { text, files }, errors) !== undefined;
    return { ...asked, value: { narrative: knownSentences(asked.value.narrative, { texts, isAllowed }) } };
  }
  const narrative = safeLines(rewriteByRules({ ...input, hasFile: (file) => hasFile(repositoryRoot, file) }));
  return { ok: true, value: { narrative }, usage: NO_USAGE };
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
