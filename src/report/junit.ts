import { XMLBuilder } from 'fast-xml-parser';
import type { Criterion, Diagnostic, Evaluation } from '../schema/generated.ts';
import { printable } from '../platform/text/printable.ts';
import type { LoopRecord } from './data/loop-record.ts';
import { failureName, failurePlace } from './failure-matrix.ts';
import { criterionLine } from './proof-lines.ts';
import { renderCheckResult } from './receipt.ts';

/** An element as fast-xml-parser builds it: attributes begin with `@`. */
type Element = Readonly<Record<string, unknown>>;

/**
 * Renders the verdict of a loop as JUnit XML (https://llg.cubic.org/docs/junit/): a suite with the verdict, one with a
 * case for each check of the best attempt, and one with a case for each remaining failure.
 */
export function renderJunit(record: LoopRecord): string {
  const { verdict, attempts, baseline } = record;
  const best = attempts.find(({ iteration }) => iteration === verdict.best_iteration);
  const evaluation = best?.evaluation ?? baseline;
  return document('ralph', [
    suite('ralph', [verdictCase(record)], record.startedAt),
    suite(
      'ralph checks',
      verdict.checks.map((check) => checkCase(check, evaluation)),
      record.startedAt,
    ),
    suite('ralph proof', (verdict.proof?.criteria ?? []).map(criterionCase), record.startedAt),
    suite('ralph failures', failuresOf(evaluation).map(failureCase), record.startedAt),
  ]);
}

/** Renders loops as the cases of one suite; a loop that was not verified is a failed case. */
export function renderLoopsJunit(
  loops: readonly { readonly loopId: string; readonly task: string; readonly passed: boolean | null }[],
): string {
  const cases = loops.map(({ loopId, task, passed }): Element => ({
    '@classname': 'ralph.loop',
    '@name': text(`${loopId}: ${task}`.slice(0, 500)),
    '@time': '0',
    ...(passed === null && { skipped: { '@message': 'The result of the loop is unknown.' } }),
    ...(passed === false && { failure: outcome('The loop did not end verified.', 'unverified', '') }),
  }));
  return document('ralph', [suite('ralph loops', cases, null)]);
}

function document(name: string, suites: readonly Element[]): string {
  const sum = (key: string): number => suites.reduce((total, one) => total + Number(one[key]), 0);
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    format: true,
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
  });
  const body = builder.build({
    testsuites: {
      '@name': name,
      '@tests': String(sum('@tests')),
      '@failures': String(sum('@failures')),
      '@errors': String(sum('@errors')),
      testsuite: suites,
    },
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;
}

function suite(name: string, cases: readonly Element[], startedAt: string | null): Element {
  const having = (outcome: string): string => String(cases.filter((one) => outcome in one).length);
  return {
    '@name': name,
    '@tests': String(cases.length),
    '@failures': having('failure'),
    '@errors': having('error'),
    '@skipped': having('skipped'),
    ...(startedAt !== null && { '@timestamp': text(startedAt.replace(/\.\d+Z$|Z$/, '')) }),
    '@time': cases.reduce((sum, one) => sum + Number(one['@time']), 0).toFixed(3),
    testcase: cases,
  };
}

function verdictCase({ loopId, verdict, status }: LoopRecord): Element {
  const reward = `reward ${verdict.baseline_reward.toFixed(3)} → ${verdict.reward.toFixed(3)}`;
  return {
    '@classname': 'ralph.verdict',
    '@name': text(loopId),
    '@time': seconds(verdict.duration_ms),
    ...(!verdict.verified && { failure: outcome(verdict.reason, status, `${reward}\n${verdict.reason}`) }),
  };
}

function checkCase(check: LoopRecord['verdict']['checks'][number], evaluation: Evaluation | null): Element {
  const { name, status, weight, score, duration_ms: ms } = check;
  const found = evaluation?.checks.find((candidate) => candidate.name === name);
  const result = `${renderCheckResult(check)}, ${weight.toFixed(2)} × ${score.toFixed(3)} = ${(weight * score).toFixed(3)}`;
  const body = [found?.command, found?.output].filter((part) => part !== undefined && part !== '').join('\n');
  return {
    '@classname': 'ralph.checks',
    '@name': text(name),
    '@time': seconds(ms),
    ...(status === 'fail' && { failure: outcome(result, 'fail', body) }),
    ...(status === 'error' && { error: outcome(found?.detail ?? result, 'error', body) }),
    ...(status === 'skip' && { skipped: { '@message': result } }),
  };
}

/** A criterion passes if it was red before and is green now, or stayed green. */
function criterionCase(criterion: Criterion): Element {
  const { id, text: sentence, green_after: green, tests, command } = criterion;
  const line = criterionLine(criterion);
  const body = [line, command ?? '', ...tests].filter((part) => part !== '').join('\n');
  return {
    '@classname': 'ralph.proof',
    '@name': text(`${id}: ${sentence}`.slice(0, 500)),
    '@time': '0',
    'system-out': text(body.slice(0, MAX_BODY_CHARS)),
    ...(!green && { failure: outcome(line, 'criterion', body) }),
  };
}

function failureCase(diagnostic: Diagnostic): Element {
  const { check, type, file, line, message, expected, received, stack_trace: stack } = diagnostic;
  const body = [
    failurePlace(diagnostic),
    message,
    expected === undefined ? '' : `expected: ${expected}`,
    received === undefined ? '' : `received: ${received}`,
    stack ?? '',
  ];
  return {
    '@classname': text(file ?? check),
    '@name': text(failureName(diagnostic).slice(0, 1_000)),
    ...(file !== undefined && { '@file': text(file) }),
    ...(line !== undefined && { '@line': String(line) }),
    '@time': '0',
    failure: outcome(message.split('\n', 1)[0]!, type, body.filter((part) => part !== '').join('\n')),
  };
}

function failuresOf(evaluation: Evaluation | null): readonly Diagnostic[] {
  return (evaluation?.diagnostics ?? []).filter(({ severity }) => severity === 'error');
}

const MAX_BODY_CHARS = 8_000;

function outcome(message: string, type: string, body: string): Element {
  return {
    '@message': text(message.slice(0, 1_000)),
    '@type': text(type),
    '#text': text(body.slice(0, MAX_BODY_CHARS)),
  };
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

/** Replaces characters that XML 1.0 does not allow; the builder escapes the others. */
function text(value: string): string {
  return printable(value).replace(/[\uFFFE\uFFFF]/g, '?');
}
