import type { Diagnostic } from '../../schema/generated.ts';
import type { ProcessOutcome } from '../../platform/processes/process.ts';
import { abnormalEnd, describeEnd, networkNote, outputTail, printed, type Finding } from './check-report.ts';
import type { CheckRun } from './check-run.ts';
import { cleanText, createDiagnostic } from '../results/diagnostics.ts';
import { failureType } from '../results/failure-type.ts';
import { parseLines } from '../parsers/lines.ts';
import { parseTscOutput } from '../parsers/tsc.ts';
import { findLocation } from '../results/location.ts';
import { printedCause } from '../results/printed-error.ts';

/**
 * The finding for a failed setup command, such as a build: its errors are errors of the code, unless the command
 * itself could not be run.
 */
export function reportFailedSetup(run: CheckRun, command: string, outcome: ProcessOutcome): Finding {
  const abnormal = abnormalEnd(run, command, outcome);
  if (abnormal !== undefined) return abnormal;
  const cause = cleanText(printedCause(printed(outcome)), run.paths);
  const detail = [`The setup command failed (${describeEnd(outcome)}): ${command}`, cause]
    .filter(Boolean)
    .join(': ')
    .concat(networkNote(outcome) && `.${networkNote(outcome)}`);
  const diagnostics = setupDiagnostics(run, detail, outcome);
  // The check itself has not begun.
  return { status: 'fail', unfinished: true, detail, outcome, command, diagnostics };
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
