import { ExitCode, RalphError, usageError } from '../../errors.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { CheckKind, Config } from '../../schema/generated.ts';
import { commandDraft, toolDraft } from './drafts.ts';
import type { CheckDraft, PackageContext } from './packages/package-context.ts';
import { expandLine } from './scripts/steps.ts';

const STANDARD: readonly string[] = ['tests', 'types', 'lint'];
const DEFAULT_WEIGHTS: Readonly<Record<string, number>> = { tests: 0.5, types: 0.3, lint: 0.2 };
const OTHER_WEIGHT = 0.2;

/** Whether a name is accepted in the configuration of every repository, whatever checks it has. */
export function isStandardName(name: string): boolean {
  return STANDARD.includes(name);
}

/** The detected checks, replaced and completed by those of the configuration, in the order of their kinds. */
export function overrideChecks(
  detected: readonly CheckDraft[],
  checks: Config['checks'],
  place: PackageContext,
): CheckDraft[] {
  const given = Object.entries(checks ?? {});
  const names = given.map(([name]) => name);
  const kept = detected.filter((check) => !names.includes(check.name) && !names.includes(familyOf(check)));
  return [...given.map(([name, line]) => givenCheck(name, line, place)), ...kept].sort(byKind);
}

/** The checks without those that `skip` names. Throws RalphError (usage) for a name that no check has. */
export function skipChecks(checks: readonly CheckDraft[], skip: readonly string[]): CheckDraft[] {
  const unknown = skip.find((name) => !isKnownName(name, checks));
  if (unknown !== undefined) throw unknownName('skip', unknown, checks);
  return checks.filter((check) => !skip.includes(check.name) && !skip.includes(familyOf(check)));
}

/**
 * Gives each check its share of the reward before normalising: tests 0.5, types 0.3, lint 0.2, every other check
 * 0.2, unless `weights` sets another. Checks of one family share the family's weight. Throws RalphError (usage) for
 * a name that no check has, for a weight that is not a number from 0 upward, and where every weight is 0.
 */
export function weighChecks(checks: readonly CheckDraft[], weights: Config['weights'] = {}): CheckPlan[] {
  for (const [name, weight] of Object.entries(weights)) {
    if (!isKnownName(name, checks)) throw unknownName('weights', name, checks);
    if (!(weight >= 0) || !Number.isFinite(weight)) {
      throw usageError(`--weights ${name}=${weight}: a weight is a number from 0 upward.`);
    }
  }
  const plans = checks.map((check) => ({ ...check, weight: weightOf(check, checks, weights) }));
  if (plans.length > 0 && plans.every((plan) => plan.weight === 0)) {
    throw usageError(
      `--weights: no check would count; the checks here are ${namesOf(checks)}.`,
      'Give at least one of them a weight above 0.',
    );
  }
  return plans;
}

/** The error for a repository without any check. `where`: its path, or the package. */
export function noChecks(where: string): RalphError {
  return new RalphError(`No tests found in ${where}, and no type check or lint either.`, {
    code: 'no_checks',
    exitCode: ExitCode.check,
    hint: 'Name the command that decides: --check tests="<your test command>", or add a test script to package.json.',
  });
}

function givenCheck(name: string, line: string, place: PackageContext): CheckDraft {
  const source = `--check ${name}=…`;
  const kind = isStandardName(name) ? (name as CheckKind) : 'command';
  const options = { name, kind };
  const step = directStep(kind, line, place);
  if (step !== undefined) return toolDraft({ ...step, source }, step.program, place, options);
  return commandDraft({ line, dir: place.dir, source }, place, options);
}

/** The step of a line that is one call of a known test runner: its report says more than an exit code. */
function directStep(kind: CheckKind, line: string, place: PackageContext) {
  if (kind !== 'tests' || place.manager.plugAndPlay) return undefined;
  const [step, ...others] = expandLine(line, { scripts: {}, dir: place.dir, runsHooks: false }, line);
  return others.length === 0 && step?.kind === 'runner' && !step.watches ? step : undefined;
}

/** `tests-2` belongs to the family `tests`; a check that the user named is its own family. */
function familyOf(check: CheckDraft): string {
  return check.kind === 'command' ? check.name : check.kind;
}

function byKind(one: CheckDraft, other: CheckDraft): number {
  const order: readonly CheckKind[] = ['tests', 'types', 'lint', 'command'];
  return order.indexOf(one.kind) - order.indexOf(other.kind);
}

function weightOf(
  check: CheckDraft,
  checks: readonly CheckDraft[],
  weights: Readonly<Record<string, number>>,
): number {
  const family = familyOf(check);
  const given = new Map(Object.entries(weights));
  const own = check.name === family ? undefined : given.get(check.name);
  if (own !== undefined) return own;
  const members = checks.filter((other) => familyOf(other) === family).length;
  const standard = new Map(Object.entries(DEFAULT_WEIGHTS)).get(family);
  return rounded((given.get(family) ?? standard ?? OTHER_WEIGHT) / members);
}

/** Without the error of binary fractions: 0.3 / 3 is 0.1. */
function rounded(weight: number): number {
  return Number(weight.toPrecision(12));
}

/** The standard names are always accepted, so that one configuration fits repositories without types or lint. */
function isKnownName(name: string, checks: readonly CheckDraft[]): boolean {
  return isStandardName(name) || checks.some((check) => check.name === name);
}

function unknownName(option: string, name: string, checks: readonly CheckDraft[]): RalphError {
  return usageError(`--${option}: there is no check "${name}"; the checks here are ${namesOf(checks)}.`);
}

function namesOf(checks: readonly CheckDraft[]): string {
  return checks.map((check) => check.name).join(', ');
}
