import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandStep } from '../../ports.ts';
import type { CheckDraft, PackageContext } from './package-context.ts';
import { relativeTo } from './manifest.ts';
import { testScriptTexts } from './reached-scripts.ts';
import type { Step } from './steps.ts';

/** Programs and options that fail a run for the coverage of its tests, which checks leave out. */
const COVERAGE = /(^|[\s;&|"'])(c8|nyc)\s|--coverage(?![\w-]*=(false|0))\b|check-coverage/;
const CONFIGURED_COVERAGE =
  /collectCoverage["']?\s*:\s*true|coverage["']?\s*:\s*\{[^}]*enabled["']?\s*:\s*true/;

/** The commands of a test script and the checks that were detected. */
export interface MirrorRequest {
  readonly place: PackageContext;
  /** Every step of the test script, in order. */
  readonly steps: readonly Step[];
  readonly checks: readonly CheckDraft[];
}

/**
 * Whether the checks and their set-up run every command of the test script as it stands, so that the script itself would add
 * nothing to them.
 */
export function isMirrored({ place, steps, checks }: MirrorRequest): boolean {
  if ((place.observed?.size ?? 0) > 0 || steps.some(({ watches }) => watches)) return false;
  if (testScriptTexts(place.manifest.scripts).some((text) => COVERAGE.test(text))) return false;
  if (checks.some((check) => CONFIGURED_COVERAGE.test(configText(check, place.root)))) return false;
  const setup = new Set(checks.flatMap((check) => check.setup));
  return steps.every(
    (step) =>
      step.kind === 'nothing' || setup.has(step.text) || checkOf(step, { place, checks }) !== undefined,
  );
}

/** The commands of a test script with the checks that run them; undefined where only its wrappers know them. */
export function stepsOf({ place, steps, checks }: MirrorRequest): readonly CommandStep[] | undefined {
  if ((place.observed?.size ?? 0) > 0 || steps.some(({ watches }) => watches)) return undefined;
  return steps
    .filter(({ kind }) => kind !== 'nothing')
    .map((step) => ({
      command: step.text,
      cwd: relativeTo(place.root, step.dir),
      env: step.env,
      check: checkOf(step, { place, checks })?.name,
    }));
}

function configText({ config }: CheckDraft, root: string): string {
  try {
    return config === undefined ? '' : readFileSync(join(root, config), 'utf8');
  } catch {
    return '';
  }
}

/** The check that runs a step as it stands. */
function checkOf(
  step: Step,
  { place, checks }: Pick<MirrorRequest, 'place' | 'checks'>,
): CheckDraft | undefined {
  const cwd = relativeTo(place.root, step.dir);
  return checks.find((check) => {
    if (check.cwd !== cwd) return false;
    if (check.tool === 'command') return check.args[0]!.includes(step.text) && !measuresCoverage(step);
    return check.tool === step.program && JSON.stringify(check.args) === JSON.stringify(step.args);
  });
}

/** tap demands full coverage unless it is told otherwise. */
function measuresCoverage({ program, args }: Step): boolean {
  return program === 'tap' && !args.some((arg) => /^--(disable|no)-coverage$/.test(arg));
}
