import type { CommandStep } from '../../../ports/plan.ts';
import { shellCommand } from '../../../platform/processes/shell-words.ts';
import { tools } from '../../../tools.ts';
import { keepArguments } from '../../run/option-rules.ts';
import { coverageDemand, isMeasuredApart, reportsLimit } from '../coverage.ts';
import { relativeTo } from '../packages/manifest.ts';
import type { CheckDraft, PackageContext } from '../packages/package-context.ts';
import type { ObservedWrapper, Step } from './step.ts';
import { findConfig } from '../config-files.ts';
import { throughYarn, yarnLine } from '../plug-and-play.ts';
import { reportingLine } from '../test-programs.ts';

/** The commands of a test script and the checks that were detected. */
export interface MirrorRequest {
  readonly place: PackageContext;
  /** Every step of the test script, in order. */
  readonly steps: readonly Step[];
  readonly checks: readonly CheckDraft[];
}

/**
 * The commands of a test script with the checks that run them; undefined where only its wrappers know them, or only the
 * script itself can measure the coverage that it demands.
 */
export function stepsOf(request: MirrorRequest): readonly CommandStep[] | undefined {
  return replacedBy(request).length > 0 ? undefined : mirrored(request);
}

/**
 * The commands of a test script with wrappers that succeeded in all they did beside the tools that were seen; undefined if one
 * did not. They are all of it only in the tree that the wrappers were observed in.
 */
export function observedSteps(request: MirrorRequest): readonly CommandStep[] | undefined {
  const observed = replacedBy(request);
  return observed.length > 0 && observed.every(({ succeeded }) => succeeded) ? mirrored(request) : undefined;
}

/** The wrappers in whose place the tools stand that they start. */
function replacedBy({ place }: MirrorRequest): ObservedWrapper[] {
  return [...(place.observed?.values() ?? [])].filter(({ commands }) => commands.length > 0);
}

function mirrored({ place, steps, checks }: MirrorRequest): CommandStep[] | undefined {
  if (steps.some(({ watches }) => watches)) return undefined;
  if (steps.some((step) => isMeasuredApart(step) || reportsLimit(step))) return undefined;
  const setup = new Set(checks.flatMap((check) => check.setup));
  return steps
    .filter(({ kind }) => kind !== 'nothing')
    .map((step) => ({
      command: typed(lineOf(step), place),
      cwd: relativeTo(place.root, step.dir),
      env: step.env,
      check: checkOf(step, { place, checks })?.name,
      ...(setup.has(typed(step.text, place)) ? { isSetup: true } : {}),
    }));
}

function typed(line: string, { manager }: PackageContext): string {
  return manager.plugAndPlay ? throughYarn(line) : line;
}

/** The check that runs a step as it stands, and measures the coverage that the step demands. */
function checkOf(
  step: Step,
  { place, checks }: Pick<MirrorRequest, 'place' | 'checks'>,
): CheckDraft | undefined {
  const cwd = relativeTo(place.root, step.dir);
  return checks.find((check) => {
    if (check.cwd !== cwd) return false;
    if (place.manager.plugAndPlay && check.kind === 'tests') return isYarnCheck(step, check, place);
    const isSame =
      check.tool === 'command'
        ? check.args[0]!.includes(step.text) || check.args[0] === reportingLine(step)
        : check.tool === step.program && JSON.stringify(check.args) === JSON.stringify(argsOf(step));
    return isSame && coverageDemand(step, check, place.root) !== 'apart';
  });
}

/** A check through yarn measures no coverage: where the step demands some, only the step itself can tell. */
function isYarnCheck(step: Step, check: CheckDraft, { root }: PackageContext): boolean {
  if (check.args[0] !== yarnLine(step)) return false;
  if (step.kind !== 'runner') return coverageDemand(step, check, root) === 'none';
  const config = findConfig(step.program, { dir: step.dir, root }, step.args);
  return coverageDemand(step, { ...check, tool: step.program, config }, root) === 'none';
}

/** The arguments that a check of the step keeps: those of a type check stay as written until then. */
function argsOf({ kind, program, args }: Step): readonly string[] {
  return kind === 'types' && program === 'tsc' ? keepArguments(tools.tsc.options, args) : args;
}

/** The command line with its wrapper, which stands in the script that called the one of the step. */
function lineOf({ text, wrapper }: Step): string {
  const isInside = wrapper === undefined || new RegExp(String.raw`\b${wrapper.words[0]}\s`).test(text);
  return isInside ? text : `${shellCommand(wrapper.words)} ${text}`;
}
