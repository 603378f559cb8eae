import type { Evaluation } from '../../src/schema/generated.ts';
import { CODE_SPAN } from '../../src/platform/text/code-span.ts';
import { Facts } from './facts.ts';
import { RULES } from './rules/index.ts';
import type { Verdict } from './rules/rule.ts';
import type { RecordedAttempt, RecordedLoop } from './run-subject.ts';

/** A statement of a reflection and what the record says of it. */
export interface Judgement {
  readonly text: string;
  readonly verdict: Verdict;
}

/** Lines of a reflection. */
const MOST_LINES = 6;

/**
 * Judges every factual clause of an attempt's reflection against evaluations, trajectory and git diffs. Nothing of the
 * reflectors is used: clauses are recognised by their words alone.
 */
export function judgeAttempt(loop: RecordedLoop, attempt: RecordedAttempt): Judgement[] {
  const facts = new Facts(loop, attempt);
  const {
    reflection_text: text,
    credit_assignment: credit,
    causal_reasoning: causal,
    lessons_learned: lessons,
    actionable_insights: steps,
  } = attempt.reflection.self_reflection;
  // What a model guesses is marked as not checked: it states no fact.
  const clauses = [...text.split('\n'), credit.root_cause, causal, ...lessons, ...steps]
    .map((line) => line.replace(/ ?Not checked: .*$/s, ''))
    .flatMap(clausesOf);
  const count = text.split('\n').length;
  return [
    ...[...new Set(clauses)].map((clause) => ({ text: clause, verdict: verdictOn(facts, clause) })),
    { text: `(${count} lines)`, verdict: count <= MOST_LINES ? 'true' : 'false' },
    { text: '(performance_delta)', verdict: isDelta(facts) ? 'true' : 'false' },
  ];
}

/** Whether the stored change of reward and errors is that since the attempt before, as the metrics count errors. */
function isDelta(facts: Facts): boolean {
  const { iteration, evaluation, reflection, ...attempt } = facts.attempt;
  const before = facts.other(iteration - 1)?.evaluation ?? attempt.before;
  const { reward_change: reward, error_count_change: errors } = reflection.performance_delta;
  const count = ({ metrics, diagnostics }: Evaluation): number =>
    metrics.tests_failed +
    metrics.type_errors +
    metrics.lint_errors +
    errorsIn(diagnostics).filter(({ check }) => !/^(?:types|lint|tests.*)$/.test(check)).length;
  return (
    Math.abs(reward - (evaluation.reward - before.reward)) < 1e-9 &&
    errors === count(evaluation) - count(before)
  );
}

const errorsIn = (diagnostics: Evaluation['diagnostics']): Evaluation['diagnostics'] =>
  diagnostics.filter(({ severity }) => severity === 'error');

function verdictOn(facts: Facts, clause: string): Verdict {
  for (const [pattern, check] of RULES) {
    const match = pattern.exec(clause);
    if (match === null) continue;
    return check(facts, match, (other) => verdictOn(facts, other)) ? 'true' : 'false';
  }
  return 'unknown';
}

const MASKED = new RegExp(`${CODE_SPAN.source}|"(?:[^"]|"(?=[\\w ]*"))*?"(?=[\\s:;,.)]|$)`, 'g');

/** Sentences and their parts, with code and names in one piece. */
function clausesOf(text: string): string[] {
  const kept: string[] = [];
  const masked = text.replace(MASKED, (span) => `⟦${kept.push(span) - 1}⟧`);
  return masked
    .replace(/^The cause is not known\. Seen: |\bSeen: /g, '')
    .split(/(?<=[\w)⟧'\]}…])\. (?=[A-Za-z\d])|; /)
    .map((part) =>
      part
        .replace(/⟦(\d+)⟧/g, (_, at: string) => kept[Number(at)]!)
        .replace(/\.$/, '')
        .trim(),
    )
    .filter((part) => part !== '');
}
