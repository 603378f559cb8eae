import type { Actor, Bench, Evaluator, Guard, Workspace } from '../../ports.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { ChangeSet, TreeId } from '../../ports/tree.ts';
import type { Evaluation, Trajectory } from '../../schema/generated.ts';
import { sumUsage } from '../../schema/usage.ts';
import { isBetter } from '../attempt.ts';
import { runActor, type ActorResult } from '../run-actor.ts';
import { cannotBeUndone } from '../tampering.ts';
import { bufferedWork } from './buffered-work.ts';
import { describeSamples } from './describe-samples.ts';
import { toSample } from './to-sample.ts';

/** Where one of several actors works. */
export interface SamplePlace {
  readonly actor: Actor;
  readonly workspace: Workspace;
  readonly bench: Bench;
  readonly sandbox?: AttemptContext['sandbox'];
}

export interface SampledActorOptions {
  /** At least two; the first one is the loop's own workspace, in which the results are evaluated. */
  readonly places: readonly [SamplePlace, ...SamplePlace[]];
  readonly evaluator: Evaluator;
  /** That of the loop's own workspace. */
  readonly guard: Guard;
  /** Undefined until the loop has evaluated it. */
  readonly baseline: () => Evaluation | undefined;
  /** Aborts when the user does. */
  readonly signal: AbortSignal;
  /** Time that the loop may still take; undefined without a limit. */
  readonly timeLeftMs: () => number | undefined;
}

/** What one actor left. */
export interface ActedSample extends ActorResult {
  /** 1-based. */
  readonly number: number;
  /** The tree as the actor left it: protected files are not restored. */
  readonly tree: TreeId;
  /** Undefined if it was not evaluated, because an earlier one passed or the time was over. */
  readonly evaluation?: Evaluation;
  /** Undefined for one that was not evaluated. */
  readonly changes?: ChangeSet;
}

/** An evaluation and its reserve, in multiples of the time of the tree that the attempt starts from. */
const RESERVED_EVALUATIONS = 3;

/**
 * Several actors as one: each makes the attempt from the same tree, at the same time, in a workspace of its own. All results are
 * evaluated in the loop's own workspace, and the best one is left there, as if it were the only one. The usage is that of all.
 */
export function createSampledActor(options: SampledActorOptions): Actor {
  const { actor } = options.places[0];
  return { name: actor.name, attempt: (context) => attempt(options, context) };
}

async function attempt(options: SampledActorOptions, context: AttemptContext): Promise<Trajectory> {
  const started = performance.now();
  const { places, signal } = options;
  const [{ workspace }] = places;
  const start = await workspace.checkpoint();
  const acted = await Promise.all(
    places.map((place, index) => act(place, { context, start, index, places })),
  );
  const samples = signal.aborted ? acted : await evaluateAll(options, context, { start, acted });
  const chosen = bestOf(samples);
  await workspace.restore(chosen.tree);
  return toTrajectory(samples, chosen, Math.round(performance.now() - started));
}

interface ActStep {
  readonly context: AttemptContext;
  readonly start: TreeId;
  readonly index: number;
  readonly places: SampledActorOptions['places'];
}

async function act(
  { actor, workspace, bench, sandbox }: SamplePlace,
  { context, start, index, places }: ActStep,
): Promise<ActedSample> {
  const number = index + 1;
  const label = `sample ${number} of ${places.length}`;
  const work = bufferedWork(context.onWork);
  if (index > 0) await workspace.restore(start);
  const result = await runActor(actor, {
    ...context,
    sample: number,
    root: workspace.root,
    bench,
    sandbox,
    onProgress: (text) => context.onProgress(`${label}: ${text}`),
    onWork: work.note,
  });
  work.pass();
  return { ...result, number, tree: await workspace.checkpoint() };
}

interface Acted {
  readonly start: TreeId;
  readonly acted: readonly ActedSample[];
}

/** Evaluates the samples in order until one passes or the time is short. Equal trees are evaluated once. */
async function evaluateAll(
  options: SampledActorOptions,
  context: AttemptContext,
  { start, acted }: Acted,
): Promise<readonly ActedSample[]> {
  const known = new Map<TreeId, Pick<ActedSample, 'evaluation' | 'changes'>>();
  const done: ActedSample[] = [];
  let isDecided = false;
  for (const sample of acted) {
    isDecided ||= options.signal.aborted || isTimeShort(options, context);
    let judged = known.get(sample.tree);
    if (judged === undefined && !isDecided) {
      judged = await evaluate(options, context, { start, sample });
      known.set(sample.tree, judged);
    }
    done.push({ ...sample, ...judged });
    isDecided ||= judged?.evaluation?.passed === true;
  }
  return done;
}

function isTimeShort({ timeLeftMs }: SampledActorOptions, { evaluation }: AttemptContext): boolean {
  const leftMs = timeLeftMs();
  return leftMs !== undefined && leftMs < evaluation.duration_ms * RESERVED_EVALUATIONS;
}

interface EvaluateStep {
  readonly start: TreeId;
  readonly sample: ActedSample;
}

/** As the loop evaluates an attempt, without the confirmation of a success. */
async function evaluate(
  { places, evaluator, guard, baseline, signal }: SampledActorOptions,
  context: AttemptContext,
  { start, sample }: EvaluateStep,
): Promise<Pick<ActedSample, 'evaluation' | 'changes'>> {
  const { workspace } = places[0];
  await workspace.restore(sample.tree);
  const tampering = await guard.restoreProtected();
  const tree = await workspace.checkpoint();
  const changes = await workspace.changes(start, tree);
  if (changes.files.length === 0) return { evaluation: context.evaluation, changes };
  const evaluation = await evaluator.evaluate({
    root: workspace.root,
    tree,
    baseTree: workspace.base,
    baseline: baseline(),
    previous: context.evaluation,
    changed: changes.files,
    confirm: false,
    refused: tampering.filter(cannotBeUndone),
    audit: guard.audit && ((since) => guard.audit!(tree, since)),
    signal,
  });
  return { evaluation, changes };
}

/** The best evaluated sample, the earliest of equal ones; one whose actor failed and left no change only if all did. */
function bestOf(samples: readonly ActedSample[]): ActedSample {
  const able = samples.filter(
    ({ changes, fatal }) => fatal === undefined || (changes?.files.length ?? 0) > 0,
  );
  const evaluated = able.filter(({ evaluation }) => evaluation !== undefined);
  const [first, ...others] = evaluated.length > 0 ? evaluated : able.length > 0 ? able : samples;
  return others.reduce(
    (best, sample) =>
      sample.evaluation !== undefined && isBetter(sample.evaluation, best.evaluation!) ? sample : best,
    first!,
  );
}

function toTrajectory(samples: readonly ActedSample[], chosen: ActedSample, durationMs: number): Trajectory {
  const { trajectory } = chosen;
  // A budget that is spent ends the loop, whichever actor it ended.
  const isPassed = chosen.evaluation?.passed === true;
  const spent = isPassed ? undefined : samples.find((one) => one.trajectory.outcome === 'out_of_budget');
  const { outcome, message } = spent?.trajectory ?? trajectory;
  const records = samples.map((one) => toSample(one, one === chosen));
  return {
    ...trajectory,
    outcome,
    message,
    strategy: `${describeSamples(records)} ${trajectory.strategy}`.slice(0, 2000),
    usage: sumUsage(samples.map((one) => one.trajectory.usage)),
    samples: records,
    fatal: fatalOf(samples, chosen),
    duration_ms: durationMs,
  };
}

/** A further attempt can succeed as long as one of the actors works, or may work then. */
function fatalOf(samples: readonly ActedSample[], chosen: ActedSample): Trajectory['fatal'] {
  if (samples.some(({ fatal }) => fatal === undefined)) return undefined;
  const mayWork = samples.find(({ fatal }) => fatal?.if_repeated === true);
  return { ...(mayWork ?? chosen).fatal! };
}
