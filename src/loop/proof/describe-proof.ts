import { plural } from '../../platform/text/plural.ts';
import type { Criterion, CriterionSource, Proof, ProofStrength } from '../../schema/generated.ts';
import { isProof } from './criteria.ts';

type Unshown = NonNullable<ProofStrength['unshown']>;

/** One sentence on what proves a result, and one on what it does not show; for an unproven one, on what is missing. */
export function describeProof({ kind, criteria, judge, uncovered, strength }: Proof): string {
  const disputed = criteria.filter((one) => one.disputed !== undefined);
  if (disputed.length > 0)
    return `The actor holds ${plural(disputed.length, 'written criterion', 'written criteria')} for wrong: ${disputed[0]!.disputed}`;
  const doubted = judge?.findings.filter(({ opinion }) => opinion === 'unmet') ?? [];
  if (judge !== undefined && doubted.length > 0)
    return `The judge ${judge.model} holds ${doubted.map(({ criterion }) => criterion).join(', ')} for unmet: ${doubted[0]!.reason}`;
  const proving = criteria.filter(isProof);
  if (kind === 'none' && proving.length > 0)
    return strength === undefined
      ? `No command or test covers ${uncovered.map((text) => JSON.stringify(text)).join(', ')}, so nothing shows that it is done.`
      : `The written tests notice none of ${plural(strength.tried, 'small change')} of the result, so nothing shows that the task is done.`;
  if (kind === 'none' || proving.length === 0)
    return criteria.some(({ flaky }) => flaky)
      ? 'What was red at the start passed when the untouched tree was checked again, so nothing shows that the task is done.'
      : 'Nothing was red before that is green now, so nothing shows that the task is done.';
  const sources = [...new Set(proving.map(({ source }) => source))];
  const parts = sources.map((source) =>
    counted(
      source,
      proving.filter((one) => one.source === source),
    ),
  );
  const sum = parts.reduce((total, { count }) => total + count, 0);
  const how = sources.includes('written') ? ', by tests written before the change' : '';
  const proven = `Proven by ${parts.map(({ text }) => text).join(' and ')} that ${sum === 1 ? 'was' : 'were'} red${how}.`;
  return strength?.unshown === undefined ? proven : `${proven} ${describeUnshown(strength.unshown)}`;
}

/** One sentence on changed blocks of which nobody knows whether they are needed. */
function describeUnshown({ blocks, of, reason, flag }: Unshown): string {
  const more = flag === undefined ? '' : ` (${flag} gives it more)`;
  return `${blocks} of ${plural(of, 'changed block')} ${blocks === 1 ? 'was' : 'were'} not shown to be needed, since ${reason}${more}.`;
}

const NOUNS: Readonly<Record<Exclude<CriterionSource, 'check'>, readonly [noun: string, nouns: string]>> = {
  accept: ['acceptance command', 'acceptance commands'],
  accept_tests: ['test file of --accept-tests', 'test files of --accept-tests'],
  task_file: ['criterion of the task file', 'criteria of the task file'],
  written: ['criterion of the task', 'criteria of the task'],
};

function counted(
  source: CriterionSource,
  criteria: readonly Criterion[],
): { readonly count: number; readonly text: string } {
  if (source !== 'check') {
    const [noun, nouns] = NOUNS[source];
    return { count: criteria.length, text: `the ${plural(criteria.length, noun, nouns)}` };
  }
  const tests = criteria.reduce((sum, one) => sum + one.tests.length, 0);
  const count = tests || criteria.length;
  return { count, text: `the ${plural(count, tests > 0 ? 'test' : 'check')}` };
}
