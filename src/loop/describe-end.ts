import { dirname } from 'node:path/posix';
import type { CheckResult, Diagnostic, Evaluation } from '../schema/generated.ts';
import { plural } from '../platform/text/plural.ts';
import { describeProof } from './proof/describe-proof.ts';
import type { Attempt } from './attempt.ts';
import { endedEarly } from './ended-early.ts';
import { failedHoldout, repeatedAttempts } from './stop.ts';
import type { VerdictInput } from './verdict.ts';

const MAX_NAMED = 3;

type Ended = Pick<
  VerdictInput,
  'status' | 'attempts' | 'baseline' | 'best' | 'maxIterations' | 'spent' | 'confirmedBy' | 'carried'
>;

/** A few sentences: why the loop ended, which failures remain, and which tampering was found. */
export function describeEnd(ended: Ended): string {
  const refusal = describeRefusal(ended);
  if (ended.status === 'nothing_to_do') return 'Every check passes already: nothing to do.';
  const sentences =
    ended.status === 'passed' || ended.status === 'unproven'
      ? [describeStatus(ended), refusal]
      : [describeStatus(ended), describeFailures(ended.best?.evaluation ?? ended.baseline), refusal];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function describeStatus(ended: Ended): string {
  const { status, attempts, maxIterations, spent } = ended;
  switch (status) {
    case 'passed':
      return `${describeGreen(ended)}${provenBy(attempts)}${describeOldOutputs(ended)}`;
    case 'unproven':
      return describeUnproven(attempts);
    case 'exhausted':
      return maxIterations === 1
        ? 'The only attempt is used up.'
        : `All ${maxIterations} attempts are used up.`;
    case 'stalled':
      if (endedByHoldout(attempts))
        return 'The held-out checks run once in a loop, so that no attempt is made to fit them.';
      return `The last attempts made no progress (${attempts.length} of ${maxIterations} used).${describeRepetition(attempts)}`;
    case 'budget':
      return spent ?? 'The budget is spent.';
    case 'aborted':
      return 'Stopped on request; every finished step is saved.';
    default:
      return 'The loop could not go on.';
  }
}

function endedByHoldout(attempts: readonly Attempt[]): boolean {
  const last = attempts.at(-1);
  return last !== undefined && failedHoldout(last.evaluation);
}

/** With `--no-regressions`, a result may leave failures of the baseline; no command confirms it then. */
function describeGreen({ attempts, confirmedBy }: Ended): string {
  const { checks = [], diagnostics = [] } = attempts.at(-1)?.evaluation ?? {};
  const partly = diagnostics.find(({ rule }) => rule === 'partly-confirmed')?.message;
  const red = checks.filter(({ status }) => status === 'fail').map(({ name }) => name);
  if (red.length === 0)
    return `Every check passed in attempt ${attempts.length}, and ${partly ?? describeConfirmation(confirmedBy)}.`;
  return `Nothing got worse in attempt ${attempts.length}; still red: ${red.join(', ')} (--no-regressions).`;
}

/** A command line that the repository does not have as such, such as a build before its tests, is named. */
function describeConfirmation(command: string | undefined): string {
  if (command === undefined) return 'again without caches';
  return command.includes('&&')
    ? `\`${command}\` confirmed it`
    : "the repository's own test command confirmed it";
}

/** A sentence on build outputs in the user's tree that are older than the result; empty if there are none. */
function describeOldOutputs({ attempts, carried }: Ended): string {
  const changed = attempts.at(-1)?.changes.files ?? [];
  const old = carried.filter((output) => changed.some(({ path }) => path.startsWith(`${dirname(output)}/`)));
  if (old.length === 0) return '';
  return ` Build again in your tree: ${old.slice(0, MAX_NAMED).join(', ')} ${old.length === 1 ? 'is' : 'are'} older than the change.`;
}

function provenBy(attempts: readonly Attempt[]): string {
  const proof = attempts.at(-1)?.proof;
  return proof === undefined ? '' : ` ${describeProof(proof)}`;
}

function describeUnproven(attempts: readonly Attempt[]): string {
  const last = attempts.at(-1);
  const isGreen = last?.evaluation.passed === true;
  return `${isGreen ? `Every check stayed green in attempt ${attempts.length}.` : `Everything else is green in attempt ${attempts.length}.`}${provenBy(attempts)}`;
}

/** A sentence on attempts that returned to the tree or the failures of earlier ones; empty if there are none. */
function describeRepetition(attempts: Ended['attempts']): string {
  const repeated = repeatedAttempts(attempts);
  const last = repeated.at(-1);
  if (last === undefined) return '';
  const same =
    attempts[last.iteration - 1]!.tree === attempts[last.of - 1]!.tree
      ? 'the same tree'
      : 'the same failures';
  return ` Attempt ${last.iteration} ended with ${same} as attempt ${last.of}.`;
}

/** One sentence with the failed checks and their first failures; empty if every check passed. */
export function describeFailures(evaluation: Evaluation): string {
  const parts = evaluation.checks
    .filter(({ status }) => status !== 'pass' && status !== 'skip')
    .map((check) => describeCheck(check, evaluation));
  const missing = evaluation.missing_tests;
  if (missing.length > 0) {
    const tests = plural(missing.length, 'baseline test');
    parts.push(`${tests} did not run (${missing.slice(0, MAX_NAMED).join(', ')})`);
  }
  return parts.length === 0 ? '' : `Still red: ${parts.join('; ')}.`;
}

function describeCheck(
  check: CheckResult,
  { diagnostics, checks, missing_tests: missing }: Evaluation,
): string {
  const { name, detail, kind, total, failed, errors } = check;
  if (check.status === 'error') return `${name} could not run (${detail})`;
  // Tests that did not run count as failed in the score, and are named by themselves.
  const isOnly = checks.filter((one) => one.kind === 'tests').length === 1;
  const lost = kind === 'tests' && isOnly && failed > missing.length ? missing.length : 0;
  const count =
    kind === 'tests' && failed > 0 ? `${failed - lost} of ${total - lost} failed` : plural(errors, 'error');
  const names = namesOf(diagnostics.filter((diagnostic) => diagnostic.check === name));
  // A check of ralph's own, such as `criteria`, is its only rule; its sentence says what is wrong.
  const isNamed = names !== '' && names !== name;
  return `${name}: ${count} (${isNamed ? names : shortened(detail).replace(/\.$/, '')})`;
}

/** The tampering of the loop, or an actor that changed nothing; empty if there is neither. */
function describeRefusal({ attempts, baseline, best, status }: Ended): string {
  const refused = attempts.findLast(
    ({ accepted, evaluation }) => !accepted && evaluation.tampering,
  )?.evaluation;
  if (refused !== undefined) return `Refused: ${refused.tampering![0]!.detail}`;
  const tampering = attempts.flatMap((attempt) => attempt.tampering);
  if (tampering.length > 0) {
    const files = [...new Set(tampering.map(({ file }) => file).filter((file) => file !== ''))];
    const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : '';
    return `The actor changed protected files (${files.slice(0, MAX_NAMED).join(', ')}${more}); they were restored before scoring (--allow lifts this).`;
  }
  const last = attempts.at(-1);
  if (last?.refusal !== undefined) return last.refusal;
  const beyond = last === best ? undefined : checkBeyond(baseline, last?.evaluation);
  if (beyond !== undefined)
    return `Attempt ${attempts.length} failed the check "${beyond.name}": ${beyond.detail}`;
  if (last === undefined || last.accepted || last.unproven) return '';
  const early = endedEarly(last);
  if (last.changes.files.length > 0)
    return early === undefined || status === 'budget' ? '' : `The last attempt ended early: ${early}`;
  if (last.trajectory.outcome === 'claimed_done')
    return last.trajectory.actor === 'command'
      ? 'The program ended with exit code 0, but it changed nothing.'
      : 'The actor ended as if it were done, but it changed nothing.';
  return `The last attempt changed nothing${early === undefined ? '.' : `: ${early}`}`;
}

/** A failed check that the baseline does not have, such as the one of held-out checks. */
function checkBeyond(baseline: Evaluation, last: Evaluation | undefined): CheckResult | undefined {
  return last?.checks.find(
    ({ name, status }) => status === 'fail' && baseline.checks.every((check) => check.name !== name),
  );
}

const MAX_MESSAGE = 400;

/** The first line of a message, cut at a word. */
function shortened(message: string): string {
  const [first = ''] = message.split('\n');
  if (first.length <= MAX_MESSAGE) return first;
  return `${first.slice(0, MAX_MESSAGE).replace(/\s+\S*$/, '')} …`;
}

/** File, line and rule of the first diagnostics, each once. */
function namesOf(diagnostics: readonly Diagnostic[]): string {
  const names = diagnostics.map(({ rule, file, line, message }) => {
    const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}`;
    return [place, rule ?? shortened(message)].filter((part) => part !== '').join(' ');
  });
  const unique = [...new Set(names)];
  return unique.slice(0, MAX_NAMED).join(', ') + (unique.length > MAX_NAMED ? ', …' : '');
}
