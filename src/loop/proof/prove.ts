import type { TreeId } from '../../ports/tree.ts';
import type { Criterion, Evaluation, Proof, ProofKind, ProofStrength } from '../../schema/generated.ts';
import { plural } from '../../platform/text/plural.ts';
import type { ActedStep } from '../act.ts';
import type { LoopRun } from '../loop-run.ts';
import { TimeOver } from '../loop-errors.ts';
import { decideCriteria, isProof } from './criteria.ts';
import { brokenRules } from './change-rules.ts';
import { disputedCriteria } from './dispute.ts';
import { isDoubted, judge } from './judge.ts';
import { measureStrength, type MeasureStep } from './measure.ts';
import { describeNeedless, needlessChanges, withNeedless } from './needless.ts';
import { withProofFailures, type ProofFailure } from './proof-failure.ts';
import { redAgain } from './red-again.ts';
import { strengthen, type Strengthened } from './strengthen.ts';

export interface ProveStep {
  /** 1-based. */
  readonly iteration: number;
  readonly acted: ActedStep;
  /** Confirmed if it passed. */
  readonly evaluation: Evaluation;
}

/** An attempt after its criteria were decided. */
export interface Proven {
  /** `verified` and `unproven` end the loop. */
  readonly outcome: 'verified' | 'unproven' | 'failed';
  /** The evaluation; not passed if the proof is weaker than asked for. */
  readonly evaluation: Evaluation;
  /** The attempt's tree with tests that were added for what its own tests did not catch; absent without any. */
  readonly tree?: TreeId | undefined;
  /** Present unless the attempt failed. */
  readonly proof?: Proof;
  /** One sentence: why an attempt whose checks pass is not accepted. */
  readonly refusal?: string;
}

/** Decides the criteria of an evaluated attempt, and measures how strong the proof is. */
export async function prove(loop: LoopRun, step: ProveStep): Promise<Proven> {
  const { evaluation, acted, iteration } = step;
  const { options, ports, proofBase } = loop;
  const criteria = decideCriteria(proofBase.criteria, evaluation);
  if (!evaluation.passed) return disputed(loop, step, criteria);
  const changes = await ports.workspace.changes(proofBase.tree, acted.tree);
  const isIdle = changes.files.length === 0 && (options.proof.hasTask || loop.baseline.passed);
  const open = criteria.filter((one) => one.source !== 'check' && one.red_before && !one.green_after);
  if (isIdle || open.length > 0) return { outcome: 'failed', evaluation: { ...evaluation, passed: false } };
  const broken = await brokenRules(loop, { iteration, tree: acted.tree });
  if (broken.length > 0) {
    const found = broken.map((message): ProofFailure => ({ rule: 'change-rule', message }));
    return { outcome: 'failed', evaluation: withProofFailures(evaluation, found), refusal: broken.join(' ') };
  }
  const proof = proofOf(loop, await redAgain(loop, iteration, criteria));
  if (proof.kind === 'none') return { outcome: 'unproven', evaluation, proof };
  if (proof.uncovered.some((text) => options.proof.stated.includes(text)))
    return { outcome: 'unproven', evaluation, proof: { ...proof, kind: 'none' } };
  const measured = { iteration, tree: acted.tree, changes, evaluation };
  const { strength, strengthened } = await strengthOf(loop, measured);
  const needless = needlessChanges(strength, options.proof.isAllowed);
  if (needless.length > 0) {
    const refusal = describeNeedless(needless);
    return { outcome: 'failed', evaluation: withNeedless(evaluation, needless), refusal };
  }
  const refusal = weakness(strength, options.proof.minShare);
  if (refusal !== undefined)
    return { outcome: 'failed', evaluation: withSurvivors(evaluation, strength, refusal), refusal };
  const measuredProof = strength === undefined ? proof : { ...proof, strength };
  if (proof.kind === 'written' && noticesNothing(strength))
    return { outcome: 'unproven', evaluation, proof: { ...measuredProof, kind: 'none' } };
  const opinions = await judge(loop, { iteration, proof: measuredProof, changes });
  const judged = opinions === undefined ? measuredProof : { ...measuredProof, judge: opinions };
  return {
    outcome: isDoubted(judged) ? 'unproven' : 'verified',
    evaluation: strengthened?.evaluation ?? evaluation,
    tree: strengthened?.tree,
    proof: judged,
  };
}

interface ProofStrengthStep {
  readonly strength: ProofStrength | undefined;
  /** The result with additional tests, if these make the proof strong enough. */
  readonly strengthened?: Strengthened | undefined;
}

/** Measures the strength; tests that were written for the task, or are too weak, get additions for what they miss. */
async function strengthOf(loop: LoopRun, step: MeasureStep): Promise<ProofStrengthStep> {
  const { options, ports, proofBase } = loop;
  const { hasTask, minShare } = options.proof;
  const strength = await measureStrength(loop, step);
  if (strength === undefined) return { strength };
  const isWeak =
    minShare === undefined ? proofBase.writtenFiles.length > 0 : weakness(strength, minShare) !== undefined;
  const canAdd = ports.acceptance !== undefined && hasTask && strength.survivors.length > 0;
  const added = isWeak && canAdd ? await strengthen(loop, step, strength).catch(undefinedIfOver) : undefined;
  const isKept = added !== undefined && weakness(added.strength, minShare) === undefined;
  const result = isKept ? { strength: added.strength, strengthened: added } : { strength };
  if (isKept) loop.proofBase = { ...proofBase, writtenFiles: [...proofBase.writtenFiles, ...added.files] };
  ports.emit({ type: 'strength_measured', iteration: step.iteration, strength: result.strength });
  return result;
}

/** Tests that could not be added in time leave the result as it is. */
function undefinedIfOver(error: unknown): undefined {
  if (!(error instanceof TimeOver)) throw error;
}

function proofOf({ options, proofBase }: LoopRun, criteria: readonly Criterion[]): Proof {
  const sources = new Set(criteria.filter(isProof).map(({ source }) => source));
  const ranks = ['accept', 'accept_tests', 'task_file', 'written', 'check'] as const;
  const order = options.proof.hasTask ? ranks : (['check', ...ranks] as const);
  const source = order.find((one) => sources.has(one));
  const kind: ProofKind = source === undefined ? 'none' : source === 'check' ? 'repair' : source;
  return { kind, criteria: criteria.slice(0, 200), uncovered: proofBase.uncovered.slice(0, 50) };
}

/** An attempt that is green except for written tests that the actor holds for wrong; otherwise a failed attempt. */
function disputed(loop: LoopRun, { evaluation, acted }: ProveStep, criteria: readonly Criterion[]): Proven {
  const named = disputedCriteria(criteria, { evaluation, acted, files: loop.proofBase.writtenFiles });
  if (named === undefined) return { outcome: 'failed', evaluation };
  return {
    outcome: 'unproven',
    evaluation,
    proof: { kind: 'none', criteria: named, uncovered: [...loop.proofBase.uncovered] },
  };
}

/** Whether the tests pass on every mutant that was tried: written tests like these hold no behaviour. */
function noticesNothing(strength: ProofStrength | undefined): boolean {
  return strength !== undefined && strength.tried > 0 && strength.caught === 0;
}

/** Why a proof is weaker than `--min-proof` asks for; undefined if it is not. */
function weakness(strength: ProofStrength | undefined, minShare: number | undefined): string | undefined {
  if (minShare === undefined || minShare === 0) return undefined;
  if (strength === undefined || strength.tried === 0) {
    const reason =
      strength === undefined ? 'the measurement is off' : (strength.reason ?? 'no mutant was tried');
    return `--min-proof ${minShare}: nothing could be measured (${reason.replace(/\.$/, '')}), so the result is not accepted.`;
  }
  const { caught, tried } = strength;
  if (caught / tried >= minShare) return undefined;
  return `--min-proof ${minShare}: the tests catch ${caught} of ${plural(tried, 'mutant')} of the change.`;
}

/** The evaluation as a failed one, with a failure for each mutant that no test catches. */
function withSurvivors(
  evaluation: Evaluation,
  strength: ProofStrength | undefined,
  refusal: string,
): Evaluation {
  const survivors = (strength?.survivors ?? []).map(({ file, line, before, after }): ProofFailure => {
    const message = `No test notices if ${before} becomes ${after}. Add a test that does.`;
    return { rule: 'weak-proof', message, file, line };
  });
  const whole: ProofFailure = { rule: 'weak-proof', message: refusal };
  return withProofFailures(evaluation, survivors.length > 0 ? survivors : [whole]);
}
