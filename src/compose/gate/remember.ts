import { createRulesReflector } from '../../agents/reflectors/rules.ts';
import { completeTrajectory } from '../../loop/attempt.ts';
import { reflectionRecord } from '../../loop/reflection-record.ts';
import { createMemory } from '../../memory/episodes/episodes.ts';
import type { AttemptOutcome } from '../../ports/memory.ts';
import type { ReflectionInput } from '../../ports/reflection.ts';
import type { Reflection, Trajectory } from '../../schema/generated.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import type { Project } from '../project.ts';
import type { Judgement } from './judge.ts';
import { openGateMemory } from './memory.ts';
import { sinceStart } from './since-start.ts';
import type { SessionContext } from './session-judge.ts';

/** A judged tree of a session, with the agent's words. */
export interface RememberRequest extends SessionContext {
  readonly judgement: Judgement;
  /** The agent's last message; empty if it is not known. */
  readonly said: string;
}

/** A stored reflection, and its path relative to the repository's root. */
export interface Remembered {
  readonly path: string;
  readonly reflection: Reflection;
}

/** How many reflections of the session the next one refers to. */
const WINDOW = 3;

/** Reflects by rules on a tree that was refused, stores the reflection, and lets long-term memory learn from it. */
export async function rememberBlock(project: Project, request: RememberRequest): Promise<Remembered> {
  const { session, judgement, emit, signal } = request;
  const { tampering, changes, root } = judgement;
  const { evaluation, previous } = sinceStart(judgement);
  const loopId = session.loop_id;
  const memory = createMemory({
    repositoryRoot: project.repository.root,
    onDamaged: ({ path, problem }) => emit({ type: 'warning', text: `Skipped ${path}: it ${problem}.` }),
  });
  const earlier = await memory.episodes(loopId);
  const iteration = session.checks + 1;
  const attempt = attemptOf(request, iteration);
  const task = taskOf(session.agent);
  const window = earlier.slice(-WINDOW);
  const input: ReflectionInput = {
    task,
    iteration,
    trajectory: attempt.trajectory,
    patch: changes.patch,
    place: changes.place,
    evaluation,
    previous,
    tampering,
    window,
    loop: {
      root,
      reflections: earlier,
      sameTree: [],
      sameChange: [],
      next: { from: iteration, evaluation },
    },
    isWatched: true,
    signal,
    onWork: emit,
  };
  const output = await createRulesReflector().reflect(input);
  const stored = await memory.remember(
    reflectionRecord({
      ...output,
      loopId,
      task,
      attempt,
      previous,
      before: judgement.previous,
      window,
      kept: window.slice(1 - WINDOW),
      omega: WINDOW,
      policy: project.settings.windowPolicy,
    }),
  );
  await learn(project, request, { attempt, reflection: stored.reflection, accepted: false });
  return stored;
}

/** Lets long-term memory learn from a tree with which the agent may stop. */
export async function rememberPass(project: Project, request: RememberRequest): Promise<void> {
  const attempt = attemptOf(request, request.session.checks + 1);
  await learn(project, request, { attempt, accepted: true });
}

function attemptOf({ session, judgement, said }: RememberRequest, iteration: number) {
  const { changes, evaluation, tampering } = judgement;
  return {
    iteration,
    startedFrom: 0,
    trajectory: completeTrajectory(trajectoryOf(session.agent, said), changes),
    tampering,
    tree: '',
    changes,
    evaluation,
    durationMs: evaluation.duration_ms,
  };
}

/** The hook shows neither the agent's actions nor its cost: the files are what is known. */
function trajectoryOf(agent: string, said: string): Trajectory {
  return {
    actor: agent,
    actions: [],
    rationale: '',
    strategy: '',
    outcome: 'claimed_done',
    message: said.slice(0, 8000),
    usage: { ...NO_USAGE, cost_usd: null },
    ruled_out: { tried: 0, edits: [] },
    duration_ms: 0,
  };
}

function taskOf(agent: string): string {
  return `A session of ${agent}`;
}

interface Learned extends Pick<AttemptOutcome, 'accepted' | 'reflection'> {
  readonly attempt: ReturnType<typeof attemptOf>;
}

async function learn(
  project: Project,
  { session, judgement, emit, signal }: RememberRequest,
  { attempt, accepted, reflection }: Learned,
): Promise<void> {
  const experience = await openGateMemory(project, emit);
  await experience?.learn({
    loopId: session.loop_id,
    iteration: attempt.iteration,
    task: taskOf(session.agent),
    trajectory: attempt.trajectory,
    changes: attempt.changes,
    evaluation: attempt.evaluation,
    previous: judgement.baseline,
    best: accepted,
    accepted,
    ...(reflection && { reflection }),
    signal,
  });
}
