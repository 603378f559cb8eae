import { createBench } from '../../checks/bench.ts';
import type { LoopOptions, LoopPorts } from '../../loop/options.ts';
import { readEarlierReflections } from '../../memory/episodes/earlier-reflections.ts';
import { createEvaluator } from '../../proof/evaluator.ts';
import type { Delivery, Evaluator, Tracer } from '../../ports.ts';
import type { DeliveryOutcome } from '../../ports/tree.ts';
import type { AcceptedEdit, Evaluation, Reflection, Repair } from '../../schema/generated.ts';
import { createDelivery, type DeliveryOptions } from '../../workspace/deliver/deliver.ts';
import { namedByGitSettings } from '../../workspace/protect/git-settings.ts';
import { createGuard } from '../../workspace/protect/guard.ts';
import { judgesOf } from '../../workspace/protect/judges.ts';
import { ACTORS } from '../../actors.ts';
import { createReflector } from '../adapters.ts';
import { readGuidance } from '../guidance.ts';
import { endsWhenStopped } from '../../agents/ends-when-stopped.ts';
import { openLoopActor } from './loop-actor.ts';
import { stopSignal, type LoopRequest } from './loop-request.ts';
import type { Stores } from './open-stores.ts';
import { originFor } from './origin.ts';
import { adviseOnInstall } from '../install-advice.ts';
import { adviseOnSandbox } from '../sandbox-advice.ts';
import { checkEvents } from '../check-events.ts';
import { openProofPorts } from './proof-ports.ts';
import { proofOptions } from './task-proof.ts';
import { openSamplePlaces, type SamplePlaces } from './samples.ts';
import type { Workbench } from '../workbench.ts';
import { createSampledActor } from '../../loop/samples/sampled-actor.ts';
import { treeWithFiles } from '../../workspace/snapshots/tree-with-files.ts';

/** A loop that is ready to run. */
export interface WiredLoop extends Pick<Stores, 'models'> {
  readonly ports: LoopPorts;
  readonly options: LoopOptions;
  /** Undefined until a result is delivered. */
  readonly delivered: () => DeliveryOutcome | undefined;
  /** Edits of the search actor in the best attempts so far. */
  readonly repairs: () => Repair[];
  /** Closes the workspaces of --samples. */
  readonly closeSamples: () => Promise<void>;
}

/** Puts the adapters that the settings name behind the loop's ports. Rejects with RalphError. */
export async function wireLoop(
  request: LoopRequest,
  { workspace, snapshots, suite }: Workbench,
  { models, store, memory, experience }: Stores,
): Promise<WiredLoop> {
  const { project, loopId, task, delivery } = request;
  const { emit, repairs, baseline } = noteEvents(request);
  const { repository, settings, plan } = project;
  const { protect, allow, isolation } = settings;
  const head = request.head ?? repository.head;
  const inPlace = isolation === 'in-place';
  const evaluator = createEvaluator({ ...suite, ...checkEvents(emit) });
  const hooks = settings.sandbox.mode === 'off';
  const result = { repository, snapshots, loopId, task, base: workspace.base, head, inPlace, hooks };
  const deliverer = openDelivery(result, { request, workspace, baseline, evaluator });
  let delivered: DeliveryOutcome | undefined;
  const bench = createBench({ ...suite, root: workspace.root });
  const guard = createGuard({
    snapshots,
    workspace,
    protect: [...protect, ...(await namedByGitSettings(repository.root))],
    allow,
    checks: plan.checks,
    judges: judgesOf(plan, task),
    repository: repository.root,
    isConfined: suite.sandbox !== undefined && ACTORS[settings.actor].asks !== 'agent',
    testFiles: () => testFilesOf(baseline()),
  });
  const actor = await openLoopActor(request, workspace, models);
  const samples = settings.samples > 1 ? await openSamplePlaces(request, workspace.base, models) : NO_SAMPLES;
  const isRepeatable = REPEATABLE.has(ACTORS[settings.actor].asks);
  const whole =
    samples === NO_SAMPLES
      ? actor
      : createSampledActor({
          places: [{ actor, workspace, bench, sandbox: suite.sandbox }, ...samples.places],
          evaluator,
          guard,
          baseline,
          signal: isRepeatable ? stopSignal(request) : request.signal,
          timeLeftMs: timeLeft(settings.maxTimeMs),
        });
  const ports: LoopPorts = {
    actor: isRepeatable ? endsWhenStopped(whole) : whole,
    bench,
    sandbox: suite.sandbox,
    evaluator,
    reflector: createReflector(models, repository.root),
    memory,
    experience,
    workspace,
    guard,
    delivery: {
      async deliver(tree, how, without = []) {
        const kept = await treeWithFiles(snapshots, { tree, source: workspace.base, files: without });
        return (delivered = await deliverer.deliver(kept, how));
      },
    },
    // In the user's own tree nothing is rewritten for a trace.
    tracer: settings.traceFailures && !inPlace ? openTracer() : undefined,
    ...openProofPorts(request, models, { suite, workspace }),
    rules: request.rules,
    store,
    emit: adviseOnInstall(project, adviseOnSandbox(suite.sandbox, emit)),
  };
  const options: LoopOptions = {
    ...settings,
    task,
    project: plan,
    guidance: readGuidance(project.guidanceRoot ?? repository.root, plan.packageDir),
    background: request.background,
    delivery,
    endOn: inPlace ? 'base' : 'best',
    proof: proofOptions(project, request.proof),
    settings: { ...originFor(request, head) },
    startedAt: request.startedAt,
    resumed: request.resumed,
    earlier: request.earlier ?? (await readEarlier(request)),
    stopRequested: request.stopRequested,
    stop: request.stop,
    signal: request.signal,
  };
  return { ports, options, models, repairs, delivered: () => delivered, closeSamples: samples.close };
}

/** Who makes attempts that are cut off when the user stops the loop: those of an agent or a command are finished. */
const REPEATABLE: ReadonlySet<string> = new Set(['nobody', 'model']);

const NO_SAMPLES: SamplePlaces = { places: [], close: () => Promise.resolve() };

/** Time that is left of a limit, counted from now. */
function timeLeft(maxTimeMs: number | undefined): () => number | undefined {
  const started = performance.now();
  return () => (maxTimeMs === undefined ? undefined : maxTimeMs - (performance.now() - started));
}

/** The parser is loaded by the first trace. */
function openTracer(): Tracer {
  return {
    async trace(request) {
      const { createTracer } = await import('../../repair/observe/trace-failure.ts');
      return createTracer().trace(request);
    },
    async executes(request) {
      const { createTracer } = await import('../../repair/observe/trace-failure.ts');
      return createTracer().executes(request);
    },
  };
}

/** Reflections of earlier loops, from which the window takes those with the same task or the same failures. */
function readEarlier({ project, loopId }: LoopRequest): Promise<Reflection[]> | undefined {
  const { repository, settings } = project;
  const isUsed = settings.memory && settings.strategy.includes('reflexion');
  return isUsed ? readEarlierReflections(repository.root, loopId).catch(() => []) : undefined;
}

interface Wiring extends Pick<EventNotes, 'baseline'> {
  readonly request: LoopRequest;
  readonly workspace: Workbench['workspace'];
  readonly evaluator: Evaluator;
}

function openDelivery(result: DeliveryOptions, { request, ...wiring }: Wiring): Delivery {
  const { siblings } = request;
  const signal = stopSignal(request);
  if (siblings === undefined) return createDelivery(result);
  return {
    async deliver(tree, how) {
      const { createOrderedDelivery } = await import('../tasks/ordered-delivery.ts');
      return createOrderedDelivery({ ...result, ...wiring, siblings, signal }).deliver(tree, how);
    },
  };
}

interface EventNotes extends Pick<LoopRequest, 'emit'> {
  /** Edits of the search actor, one for each attempt that was the best so far. */
  readonly repairs: () => Repair[];
  /** Undefined until the baseline is evaluated, or read from the journal. */
  readonly baseline: () => Evaluation | undefined;
}

/** An `emit` that remembers the baseline and the repairs of the loop. */
function noteEvents({ emit, loopId }: LoopRequest): EventNotes {
  const repairs: Repair[] = [];
  let last: AcceptedEdit | undefined;
  let baseline: Evaluation | undefined;
  return {
    repairs: () => repairs,
    baseline: () => baseline,
    emit(event) {
      if (event.type === 'baseline_evaluated' || event.type === 'acceptance_prepared')
        baseline = event.evaluation;
      if (event.type === 'actor_finished') last = event.trajectory.accepted;
      if (event.type === 'attempt_evaluated' && event.best && last !== undefined) {
        repairs.push({ loop_id: loopId, ...last, recorded_at: new Date().toISOString() });
        last = undefined;
      }
      emit(event);
    },
  };
}

/** Test files of the baseline, which are protected whatever their names are. */
function testFilesOf(baseline: Evaluation | undefined): string[] {
  return [...new Set((baseline?.tests ?? []).flatMap(({ file }) => file ?? []))];
}
