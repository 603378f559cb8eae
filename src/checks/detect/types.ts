import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tools } from '../../tools.ts';
import { keepArguments } from '../run/option-rules.ts';
import { tsconfigPath } from '../run/tsconfig.ts';
import { shellWord } from '../../platform/processes/shell-words.ts';
import { withoutDownloaded } from './downloaded-programs.ts';
import { commandDraft, describeDraft, toolDraft, type DraftOptions } from './drafts.ts';
import { findInstalledTool } from './installed-tool.ts';
import { relativeTo } from './packages/manifest.ts';
import {
  type CheckDraft,
  type Findings,
  numberedName,
  type PackageContext,
} from './packages/package-context.ts';
import { stepsOfScripts, uniqueSteps } from './scripts/check-scripts.ts';
import { setupBefore, type Step } from './scripts/step.ts';
import { checksFiles, isBuild, namesFiles, projectsOf } from './tsconfig.ts';

/** Names of type-check scripts, the usual one first. */
const SCRIPTS = [
  'typecheck',
  'type-check',
  'types',
  'check-types',
  'check:types',
  'types:check',
  'typecheck:all',
  'test:types',
  'lint:types',
  'check:type',
  'check:ts',
  'tsc',
  'ts:check',
  'types:tsc',
  'typings',
];

/** Other names of scripts that check types. */
const PATTERN = /(^|[:_-])(types?|typings|typecheck|typescript|tsc|tsd|tstyche|dts)([:_-]|$)/i;
const CHECKS = { names: SCRIPTS, pattern: PATTERN };
/** Any script: `tsc` in a build reports type errors too. */
const BUILDS = { names: SCRIPTS, pattern: /./ };

/**
 * The type checks of a package: those of its type-check script and of its test script, else its builds by `tsc`. A
 * tsconfig.json that no script uses is an offer. Throws RalphError where a checker that a script names is not installed.
 */
export function detectTypes(place: PackageContext, testSteps: readonly Step[]): Findings {
  const isCheck = (step: Step): boolean => step.kind === 'types' && !readsBuild(step);
  const checks = [...stepsOfScripts(place, CHECKS, isCheck), ...testSteps.filter(isCheck)];
  const named = checks.length > 0 ? checks : stepsOfScripts(place, BUILDS, isTypeCheck);
  const { steps, notes } = withoutDownloaded(named, place);
  const found =
    steps.length > 0
      ? fromSteps(place, uniqueSteps(steps.flatMap(splitProjects)), testSteps)
      : fromTsconfig(place);
  return { ...found, notes: [...found.notes, ...notes] };
}

/** `attw` in a build reads the package that the build has just made. */
function readsBuild({ program, source }: Step): boolean {
  return program === 'attw' && /#scripts\.(pre|post)?(build|pack|prepare|publish)/.test(source);
}

/** `tsc` reports type errors also where it writes files. */
function isTypeCheck(step: Step): boolean {
  if (step.kind === 'types') return !readsBuild(step);
  if (step.kind !== 'other' || step.program !== 'tsc' || !checksFiles(step.args)) return false;
  // Only a shell finds the projects of `tsc -b packages/*`.
  return !projectsOf(step.args).some((project) => /[*?]/.test(project));
}

/** `tsc -b a b` → `tsc -p a` and `tsc -p b`; the check follows references by itself. */
function splitProjects(step: Step): Step[] {
  const projects = projectsOf(step.args);
  if (step.program !== 'tsc' || !isBuild(step.args)) return [step];
  const args = keepArguments(tools.tsc.options, step.args).filter((word) => !projects.includes(word));
  return projects.length === 0
    ? [{ ...step, args }]
    : projects.map((it) => ({ ...step, args: ['-p', it, ...args] }));
}

function fromSteps(place: PackageContext, steps: readonly Step[], testSteps: readonly Step[]): Findings {
  const checks = steps.map((step, index) => {
    const options = { name: numberedName('types', index), kind: 'types' } as const;
    const at = testSteps.findIndex(({ text, dir }) => text === step.text && dir === step.dir);
    return typesCheck(place, step, {
      ...options,
      setup: setupBefore(step, testSteps.slice(0, Math.max(0, at))),
    });
  });
  return { checks, notes: checks.map(describe) };
}

function typesCheck(place: PackageContext, step: Step, options: DraftOptions): CheckDraft {
  // The files of a command line are a program of their own: the adapter reads projects.
  if (step.program === 'tsc' && !place.manager.plugAndPlay && !namesFiles(step.args)) {
    const draft = toolDraft(step, 'tsc', place, options);
    const project = projectsOf(step.args)[0];
    if (project === undefined) return draft;
    return { ...draft, config: relativeTo(place.root, tsconfigPath(resolve(step.dir, project))) };
  }
  const line = place.manager.plugAndPlay
    ? ['yarn', step.program, ...step.args].map(shellWord).join(' ')
    : step.text;
  return commandDraft({ line, dir: step.dir, source: step.source }, place, options);
}

function fromTsconfig(place: PackageContext): Findings {
  const path = join(place.dir, 'tsconfig.json');
  if (!existsSync(path)) return { checks: [], notes: [] };
  const source = relativeTo(place.root, path);
  if (!place.manager.plugAndPlay && findInstalledTool('tsc', place, place) === undefined) {
    return { checks: [], notes: [`Types: not checked, typescript is not installed (${source}).`] };
  }
  const command = place.manager.plugAndPlay ? 'yarn tsc --noEmit' : 'npx tsc --noEmit';
  return { checks: [], notes: [], offers: [{ check: 'types', command, source }] };
}

function describe(check: CheckDraft): string {
  return `Types: ${describeDraft(check)} (${check.config ?? check.source}).`;
}
