import type { Diagnostic } from '../../schema/generated.ts';
import type { ProcessOutcome } from '../../platform/processes/process.ts';
import { abnormalEnd, endOf, outputTail, printed, type Finding } from './check-report.ts';
import type { CheckRun } from './check-run.ts';
import { createDiagnostic } from '../results/diagnostics.ts';
import { failureType } from '../results/failure-type.ts';
import { parseLines } from '../parsers/lines.ts';
import { parseTscOutput } from '../parsers/tsc.ts';
import { findLocation } from '../parsers/location.ts';

/**
 * A build or code generation that must succeed before the tool says anything: its errors are the code's, unless
 * the command itself could not be run.
 */
export function reportFailedSetup(run: CheckRun, command: string, outcome: ProcessOutcome): Finding {
  const abnormal = abnormalEnd(run, command, outcome);
  if (abnormal !== undefined) return abnormal;
  const detail = `The step before the check failed (${endOf(outcome)}): ${command}`;
  return { status: 'fail', detail, outcome, command, diagnostics: setupDiagnostics(run, detail, outcome) };
}

function setupDiagnostics(run: CheckRun, detail: string, outcome: ProcessOutcome): Diagnostic[] {
  const text = printed(outcome);
  const { paths } = run;
  const check = run.plan.name;
  const typed = parseTscOutput(text, { check, paths });
  const parsed = typed.length > 0 ? typed : parseLines(text, { check, paths, type: 'other' });
  if (parsed.length > 0) return parsed;
  const tail = outputTail(outcome);
  const type = failureType({ message: tail }) === 'syntax_error' ? 'syntax_error' : 'other';
  return [
    createDiagnostic({ type, check, message: `${detail}\n${tail}`, ...findLocation(text, paths) }, paths),
  ];
}
