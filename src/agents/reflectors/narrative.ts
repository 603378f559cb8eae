import { capitalise, clause } from '../../prompts/phrases.ts';
import { holds } from './claims/checks.ts';
import { EFFECTS, type Claim } from './claims/claim.ts';
import { nameWithPlace, renderClaim } from './claims/render.ts';
import { changeSentence } from './change-sentence.ts';
import { isReported, type Evidence } from './evidence.ts';
import { tellingValues } from '../../prompts/seen-values.ts';
import type { Diagnostic } from '../../schema/generated.ts';

/** Least characters of a reflection, as the schema has it. */
const LEAST_CHARS = 100;

/** Most lines of a reflection. */
const MOST_LINES = 6;

/**
 * The reflection in at most six lines: what was changed, what that did to which failures, the first failure, what was seen
 * of it, what the loop had before, one next step. Every line but the last is rendered from claims that hold for the attempt.
 */
export function renderNarrative(evidence: Evidence, next: string): string {
  const sentences = checkedLines(evidence, MOST_LINES - 1);
  const last = `In my next attempt I will ${next}.`;
  const { length } = [...sentences, last].join('\n');
  const more = length >= LEAST_CHARS ? [] : [statusSentence(evidence)];
  return [...sentences, ...more, last].join('\n');
}

/** The lines that are rendered from claims, at most `most`: where there are more, what is known of the failure is one line. */
export function checkedLines(evidence: Evidence, most: number): string[] {
  const [change, effect, reported, shown, history] = [
    changeSentence(evidence),
    effectSentence(evidence),
    stated(evidence, [...reportedClaims(evidence), ...valueBefore(evidence)]),
    stated(evidence, shownClaims(evidence)),
    stated(evidence, historyClaims(evidence)),
  ] as const;
  const all = [change, effect, reported, shown, history].filter((line) => line !== '');
  const fewer = [change, effect, `${reported} ${shown}`.trim(), history].filter((line) => line !== '');
  return (all.length > most ? fewer : all).slice(0, most);
}

/** The failure that remains, as reported, or the check that did not pass. */
export function reportedClaims({ failures, input }: Evidence): Claim[] {
  const { checks } = input.evaluation;
  const [failure] = failures;
  if (failure !== undefined) return [{ kind: 'reported', failure }];
  const check = checks.find(({ status }) => status === 'fail' || status === 'error');
  return [
    ...(check === undefined
      ? []
      : [{ kind: 'check_failed', check: check.name, detail: check.detail } as const]),
  ];
}

/** The claims that hold as one sentence; empty where none does. */
export function stated({ input }: Pick<Evidence, 'input'>, claims: readonly Claim[]): string {
  const clauses = claims.filter((claim) => holds(claim, input)).map(renderClaim);
  return clauses.length === 0 ? '' : `${capitalise(clauses.join('; '))}.`;
}

function effectSentence({ input, ...comparison }: Evidence): string {
  const { previous, evaluation } = input;
  /** Whether its name stands in another list too, or is that of another test. */
  const sharesName = (one: Diagnostic | undefined): boolean => {
    if (one === undefined) return false;
    const isNamesake = (it: Diagnostic): boolean => nameWithPlace(it) === nameWithPlace(one);
    return (
      EFFECTS.filter((kind) => comparison[kind].some(isNamesake)).length > 1 ||
      EFFECTS.some((kind) => comparison[kind].some((it) => isNamesake(it) && it.test_id !== one.test_id)) ||
      evaluation.tests.some(({ id, name }) => id !== one.test_id && name === one.rule)
    );
  };
  const reward = renderClaim({ kind: 'reward', before: previous.reward, after: evaluation.reward });
  const missing = evaluation.missing_tests;
  const states = [
    ...(missing.length === 0 ? [] : [{ kind: 'missing_tests', tests: missing } as const]),
    ...EFFECTS.map((kind): Claim => ({
      kind,
      failures: comparison[kind],
      isPlaced: sharesName(comparison[kind][0]),
    })),
  ]
    .filter((claim) => holds(claim, input))
    .map(renderClaim);
  return [capitalise(reward), ...states].map((text) => `${text}.`).join(' ');
}

/** The value that the reported test received before the attempt, if it was another one. */
function valueBefore({ failures: [failure], input }: Evidence): Claim[] {
  const before = input.previous.diagnostics.find(
    (one) => one.test_id !== undefined && one.test_id === failure?.test_id,
  )?.received;
  return failure === undefined || before === undefined ? [] : [{ kind: 'received_before', failure, before }];
}

/** Whether the failure or its traced run met what the attempt wrote, and values of that run. */
function shownClaims({ failures: [failure], input }: Evidence): Claim[] {
  if (failure === undefined) return [];
  const { trace } = input;
  const claims: Claim[] = [
    { kind: 'on_edited_line', failure },
    { kind: 'ran_lines', failure, lines: trace?.ran ?? [] },
    { kind: 'ran_no_line', failure },
    { kind: 'frames_elsewhere', failure },
  ];
  const met = claims.filter((claim) => holds(claim, input)).slice(0, 1);
  const values = trace === undefined ? [] : tellingValues(trace, failure);
  const isFirst = !met.some(({ kind }) => kind === 'ran_lines' || kind === 'ran_no_line');
  return [...met, { kind: 'values_seen', failure, values, isFirst }];
}

/** Whether the first failure ahead was there before, and whether the edit is kept. */
function historyClaims(evidence: Evidence): Claim[] {
  const { alike, ahead, input, isKept, changed } = evidence;
  const [failure] = ahead;
  const from = input.loop?.next.from;
  const isTold = failure === undefined || isReported(evidence, failure);
  // The value before the attempt, which is told, is that of the tree to which it goes back.
  const isTest = failure?.test_id !== undefined && failure.test_id === evidence.failures[0]?.test_id;
  const isKnown =
    isTest &&
    valueBefore(evidence).some(
      (claim) => claim.kind === 'received_before' && claim.before === failure.received,
    );
  const isBack = !isKept && from !== undefined && changed.length > 0;
  const attempts = alike.map(({ iteration }) => iteration + 1);
  const back: Claim[] = isBack
    ? [{ kind: 'rolled_back', from, failure: isTold || isKnown ? undefined : failure }]
    : [];
  const seen: Claim[] =
    failure === undefined || attempts.length === 0 || (isKnown && !isTold)
      ? []
      : [{ kind: 'seen_before', failure, attempts, isNamed: isTold || isBack }];
  return isTold ? [...seen, ...back] : [...back, ...seen];
}

/** The result of each check, where little else is known. */
function statusSentence({ input }: Evidence): string {
  const checks = input.evaluation.checks.map(
    ({ name, status, detail }) => `${name}: ${status}, ${clause(detail, 120)}`,
  );
  return `The checks: ${checks.join('; ')}.`;
}
