import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tools } from '../../tools.ts';
import { keepArguments } from '../run/option-rules.ts';
import { tsconfigPath } from '../run/tsconfig.ts';
import { commandDraft, describeDraft, toolDraft } from './drafts.ts';
import { findInstalledTool } from './installed-tool.ts';
import { relativeTo } from './manifest.ts';
import { type CheckDraft, type Findings, numberedName, type PackageContext } from './package-context.ts';
import { expandScript, type Step } from './steps.ts';
import { isBuild, projectsOf } from './tsconfig.ts';

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

/**
 * The type checks of a package: those of its type-check script, else those of its test script, else its
 * tsconfig.json. Throws RalphError where a checker that a script names is not installed.
 */
export function detectTypes(place: PackageContext, testSteps: readonly Step[]): Findings {
  const scope = { scripts: place.manifest.scripts, dir: place.dir, runsHooks: place.manager.runsHooks };
  const named = SCRIPTS.map((name) => expandScript(name, scope).filter(isTypeCheck));
  const steps = named.find((found) => found.length > 0) ?? testSteps.filter((step) => step.kind === 'types');
  if (steps.length > 0) return fromSteps(place, steps.flatMap(splitProjects));
  return fromTsconfig(place);
}

/** In a script named for type checking, `tsc` is a check even where it writes files. */
function isTypeCheck(step: Step): boolean {
  return step.kind === 'types' || (step.kind === 'other' && step.program === 'tsc');
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

function fromSteps(place: PackageContext, steps: readonly Step[]): Findings {
  const checks = steps.map((step, index) => typesCheck(place, step, numberedName('types', index)));
  return { checks, notes: checks.map(describe) };
}

function typesCheck(place: PackageContext, step: Step, name: string): CheckDraft {
  const options = { name, kind: 'types' } as const;
  if (step.program === 'tsc' && !place.manager.plugAndPlay) {
    const draft = toolDraft(step, 'tsc', place, options);
    const project = projectsOf(step.args)[0];
    if (project === undefined) return draft;
    return { ...draft, config: relativeTo(place.root, tsconfigPath(resolve(step.dir, project))) };
  }
  const line = place.manager.plugAndPlay ? `yarn ${step.text}` : step.text;
  return commandDraft({ line, dir: step.dir, source: step.source }, place, options);
}

function fromTsconfig(place: PackageContext): Findings {
  const path = join(place.dir, 'tsconfig.json');
  if (!existsSync(path)) return { checks: [], notes: [] };
  const source = relativeTo(place.root, path);
  const step: Step = {
    kind: 'types',
    program: 'tsc',
    args: [],
    env: {},
    watches: false,
    text: 'tsc --noEmit',
    dir: place.dir,
    source,
  };
  if (!place.manager.plugAndPlay && findInstalledTool('tsc', place.dir, place) === undefined) {
    return { checks: [], notes: [`Types: not checked, typescript is not installed (${source}).`] };
  }
  return fromSteps(place, [step]);
}

function describe(check: CheckDraft): string {
  return `Types: ${describeDraft(check)} (${check.config ?? check.source}).`;
}
