import type { ChalkInstance } from 'chalk';
import { renderDuration } from '../platform/text/duration.ts';
import { plural } from '../platform/text/plural.ts';
import { printable } from '../platform/text/printable.ts';
import type { LoopRecord } from './data/loop-record.ts';
import { countChanges, failureName, failurePlace, renderCounts } from './failure-matrix.ts';
import { proofLines } from './proof-lines.ts';
import { renderReceipt } from './receipt.ts';
import { renderUsage } from './usage.ts';
import { paintVerdict } from './verdict-word.ts';

const LABEL_WIDTH = 11;
const MAX_LINE_CHARS = 240;
const MAX_FAILURES = 12;

/** Renders a loop as lines of text: verdict, receipt, usage, attempts, remaining failures, memory. `isQuiet`: the verdict only. */
export function renderReportText(record: LoopRecord, chalk: ChalkInstance, isQuiet = false): string[] {
  const { verdict, status, attempts, memory, damaged } = record;
  const label = (name: string, text: string): string =>
    `${chalk.bold(name.padEnd(LABEL_WIDTH))} ${text}`.trimEnd();
  const usage = renderUsage(verdict.usage);
  const first = `${status === 'running' ? chalk.yellow.bold('RUNNING') : paintVerdict(verdict, chalk)}  reward ${verdict.baseline_reward.toFixed(3)} → ${verdict.reward.toFixed(3)}  ${line(verdict.reason)}`;
  if (isQuiet) return [first];
  return [
    chalk.bold(record.loopId),
    first,
    ...renderReceipt(verdict).map((text) => label('', line(text))),
    ...(verdict.proof === undefined
      ? []
      : proofLines(verdict.proof).map((text, index) => label(index === 0 ? 'proof' : '', line(text)))),
    label('task', line(record.task)),
    label('actor', line(record.model === null ? record.actor : `${record.actor}: ${record.model}`)),
    label('time', renderDuration(verdict.duration_ms)),
    ...(usage === '' ? [] : [label('usage', usage)]),
    ...attemptLines(record, label),
    ...failingLines(record, label),
    ...(memory.recalled.length + memory.learned.length === 0
      ? []
      : [
          label(
            'memory',
            `${plural(memory.recalled.length, 'lesson')} recalled, ${memory.learned.length} learned`,
          ),
        ]),
    ...(damaged.length === 0
      ? []
      : damaged.map(({ path, problem }, index) =>
          label(index === 0 ? 'damaged' : '', chalk.yellow(line(`${path} ${problem}`))),
        )),
    ...(attempts.length === 0 ? [] : [label('next', `ralph report ${record.loopId} --html report.html`)]),
  ];
}

type Label = (name: string, text: string) => string;

function attemptLines({ baseline, attempts, verdict }: LoopRecord, label: Label): string[] {
  return attempts.flatMap(({ iteration, evaluation, reflection, tampering, durationMs }) => {
    const counts = renderCounts(countChanges(baseline, attempts, iteration));
    const reward = evaluation === null ? 'not evaluated' : `reward ${evaluation.reward.toFixed(3)}`;
    const time = durationMs === null ? '' : `  ${renderDuration(durationMs)}`;
    const best = verdict.best_iteration === iteration ? '  best' : '';
    const self = reflection?.self_reflection;
    return [
      label(`attempt ${iteration}`, `${reward}  ${counts}${time}${best}`),
      ...tampering.map(({ detail }) => label('', `refused: ${line(detail)}`)),
      ...(self === undefined
        ? []
        : [
            label(
              '',
              `${self.credit_assignment.failure_category}: ${line(self.credit_assignment.root_cause)}`,
            ),
          ]),
    ];
  });
}

function failingLines({ baseline, attempts, verdict }: LoopRecord, label: Label): string[] {
  const best = attempts.find(({ iteration }) => iteration === verdict.best_iteration);
  const failing = ((best?.evaluation ?? baseline)?.diagnostics ?? []).filter(
    ({ severity }) => severity === 'error',
  );
  if (verdict.verified) return [];
  const lines = failing.slice(0, MAX_FAILURES).map((diagnostic) => {
    const place = failurePlace(diagnostic);
    return line(`${diagnostic.check} ${place}${place === '' ? '' : '  '}${failureName(diagnostic)}`);
  });
  if (failing.length > lines.length) lines.push(`and ${failing.length - lines.length} more`);
  return lines.map((text, index) => label(index === 0 ? 'failing' : '', text));
}

/** The first line of an untrusted text, printable and bounded. */
function line(text: string): string {
  const shown = printable(text.split('\n', 1)[0]!);
  return shown.length <= MAX_LINE_CHARS ? shown : `${shown.slice(0, MAX_LINE_CHARS - 1)}…`;
}
