import type { JudgeQuestion, Judgement } from '../../ports/acceptance.ts';
import type { ChangeSet } from '../../ports/tree.ts';
import type { JudgeOpinions, Proof } from '../../schema/generated.ts';
import type { LoopRun } from '../loop-run.ts';

/** Id of the task as a whole. */
const TASK = 'TASK';

export interface JudgeStep {
  /** 1-based. */
  readonly iteration: number;
  readonly proof: Proof;
  /** Between the tree that attempts start from and the result. */
  readonly changes: ChangeSet;
}

/** Asks the judge of --judge about a result that is proven. Undefined without a judge; a judge that fails has no opinion. */
export async function judge(
  loop: LoopRun,
  { iteration, proof, changes }: JudgeStep,
): Promise<JudgeOpinions | undefined> {
  const { emit, judge: port, store } = loop.ports;
  const { proof: options, task } = loop.options;
  if (port === undefined) return undefined;
  const question: JudgeQuestion = {
    task,
    criteria: [
      ...proof.criteria.map(({ id, text }) => ({ id, text })),
      ...(options.hasTask ? [{ id: TASK, text: 'The change does all that the task asks.' }] : []),
    ],
    changes,
    signal: loop.signal,
    onWork: emit,
  };
  emit({ type: 'progress', text: `asking ${port.name} about the change` });
  const { findings, problem, usage } = await store.step<Judgement>(`${iteration}:judge`, async () => {
    const judgement = await port.judge(question);
    // The problem of a question that was cut off is no opinion.
    loop.throwIfAborted();
    return judgement;
  });
  loop.spending.addUsage(usage);
  if (problem !== undefined)
    emit({ type: 'warning', text: `The judge ${port.name} has no opinion: ${problem}` });
  return { model: port.name.slice(0, 200), findings: [...findings] };
}

/** Whether the judge holds a criterion for unmet: such a result is not verified. */
export function isDoubted({ judge: opinions }: Proof): boolean {
  return opinions?.findings.some(({ opinion }) => opinion === 'unmet') ?? false;
}
