import { createHash } from 'node:crypto';
import type { ChangeSet, TreeId } from '../../ports.ts';
import type {
  Criterion,
  Diagnostic,
  Evaluation,
  Proof,
  ProofKind,
  ProofStrength,
} from '../../schema/generated.ts';
import { plural } from '../../platform/text/plural.ts';
import type { ActedStep } from '../act.ts';
import type { LoopRun } from '../loop-run.ts';
import { decideCriteria, isProof } from './criteria.ts';
import { disputedCriteria } from './dispute.ts';

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
  const proof = proofOf(loop, criteria);
  if (proof.kind === 'none') return { outcome: 'unproven', evaluation, proof };
  const strength = await measure(loop, { iteration, tree: acted.tree, changes, evaluation });
  const refusal = weakness(strength, options.proof.minShare);
  if (refusal !== undefined)
    return { outcome: 'failed', evaluation: withSurvivors(evaluation, strength, refusal), refusal };
  return { outcome: 'verified', evaluation, proof: strength === undefined ? proof : { ...proof, strength } };
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

interface MeasureStep {
  readonly iteration: number;
  readonly tree: TreeId;
  readonly changes: ChangeSet;
  readonly evaluation: Evaluation;
}

async function measure(loop: LoopRun, step: MeasureStep): Promise<ProofStrength | undefined> {
  const { emit, store, strength: meter, workspace } = loop.ports;
  const { proof, signal } = loop.options;
  const { iteration, tree, changes, evaluation } = step;
  if (meter === undefined || proof.timeMs === 0) return undefined;
  const measured = await store.step(`${iteration}:strength`, async () => {
    await loop.moveToForChecks(tree);
    const result = await meter.measure({
      root: workspace.root,
      changes,
      evaluation,
      testFiles: [...new Set(evaluation.tests.flatMap(({ file }) => file ?? []))],
      timeoutMs: proof.timeMs,
      signal,
      onProgress: (text) => emit({ type: 'progress', text }),
    });
    loop.throwIfAborted();
    return result;
  });
  emit({ type: 'strength_measured', iteration, strength: measured });
  return measured;
}

/** Why a proof is weaker than `--min-proof` asks for; undefined if it is not. */
function weakness(strength: ProofStrength | undefined, minShare: number | undefined): string | undefined {
  if (minShare === undefined || minShare === 0) return undefined;
  if (strength === undefined || strength.tried === 0) {
    const reason = strength?.reason ?? 'the measurement is off';
    return `--min-proof ${minShare}: nothing could be measured (${reason.replace(/\.$/, '')}), so the result is not accepted.`;
  }
  const { caught, tried } = strength;
  if (caught / tried >= minShare) return undefined;
  return `--min-proof ${minShare}: the tests catch ${caught} of ${plural(tried, 'mutant')} of the change.`;
}

const MAX_DIAGNOSTICS = 500;

/** The evaluation as a failed one, with a failure for each mutant that no test catches. */
function withSurvivors(
  evaluation: Evaluation,
  strength: ProofStrength | undefined,
  refusal: string,
): Evaluation {
  const survivors = (strength?.survivors ?? []).map(({ file, line, before, after }) =>
    weakTest(`No test notices if ${before} becomes ${after}. Add a test that does.`, { file, line }),
  );
  const found = survivors.length > 0 ? survivors : [weakTest(refusal)];
  return {
    ...evaluation,
    passed: false,
    diagnostics: [...evaluation.diagnostics, ...found].slice(0, MAX_DIAGNOSTICS),
  };
}

function weakTest(message: string, place: Pick<Diagnostic, 'file' | 'line'> = {}): Diagnostic {
  const hash = createHash('sha256').update(JSON.stringify([message, place.file]));
  return {
    type: 'other',
    severity: 'error',
    check: 'proof',
    rule: 'weak-proof',
    message,
    ...place,
    fingerprint: hash.digest('hex').slice(0, 12),
  };
}
