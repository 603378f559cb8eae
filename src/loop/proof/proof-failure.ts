import { createHash } from 'node:crypto';
import type { Diagnostic, Evaluation } from '../../schema/generated.ts';

const MAX_DIAGNOSTICS = 500;

/** Something that a passing change lacks: a test, a reason, or what a rule asks for. */
export interface ProofFailure {
  readonly rule: 'weak-proof' | 'needless-change' | 'change-rule';
  /** One sentence, which says how to go on. */
  readonly message: string;
  readonly file?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
}

/** The evaluation as a failed one, with each of the failures as a diagnostic of the check `proof`. */
export function withProofFailures(evaluation: Evaluation, failures: readonly ProofFailure[]): Evaluation {
  return {
    ...evaluation,
    passed: false,
    diagnostics: [...evaluation.diagnostics, ...failures.map(diagnosticOf)].slice(0, MAX_DIAGNOSTICS),
  };
}

function diagnosticOf({ rule, message, file, line }: ProofFailure): Diagnostic {
  const hash = createHash('sha256').update(JSON.stringify([rule, message, file, line]));
  return {
    type: 'other',
    severity: 'error',
    check: 'proof',
    rule,
    message,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    fingerprint: hash.digest('hex').slice(0, 12),
  };
}
