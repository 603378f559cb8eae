import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { keepArguments } from './arguments.ts';
import { commandDraft, installedTool, toolDraft } from './drafts.ts';
import { relativeTo } from './manifest.ts';
import { type CheckDraft, type Findings, numberedName, type Place } from './place.ts';
import { expandScript, type Step } from './steps.ts';
import { configPath, projectsOf } from './tsconfig.ts';

/** Scripts that people give the type checker, the likeliest first. */
const SCRIPTS = [
  ...['typecheck', 'type-check', 'types', 'check-types', 'check:types', 'types:check', 'typecheck:all'],
  ...['test:types', 'lint:types', 'check:type', 'check:ts', 'tsc', 'ts:check', 'types:tsc', 'typings'],
];

/**
 * The type checks of a package: what its own type-check script runs, else what its test script runs, else
 * its tsconfig.json. Throws RalphError where a checker that a script names is not installed.
 */
export function detectTypes(place: Place, testSteps: readonly Step[]): Findings {
  const scope = { scripts: place.manifest.scripts, dir: place.dir, runsHooks: place.manager.runsHooks };
  const named = SCRIPTS.map((name) => expandScript(name, scope).filter(isTypeCheck));
  const steps = named.find((found) => found.length > 0) ?? testSteps.filter((step) => step.kind === 'types');
  if (steps.length > 0) return fromSteps(place, steps.flatMap(splitProjects));
  return fromTsconfig(place);
}

/** In a script called `typecheck`, `tsc` is a check, whatever it writes. */
function isTypeCheck(step: Step): boolean {
  return step.kind === 'types' || (step.kind === 'other' && step.program === 'tsc');
}

/** `tsc -b a b` → `tsc -p a` and `tsc -p b`; the check itself follows references. */
function splitProjects(step: Step): Step[] {
  const builds = step.args.includes('-b') || step.args.includes('--build');
  const projects = projectsOf(step.args);
  if (step.program !== 'tsc' || !builds) return [step];
  const args = keepArguments('tsc', step.args).filter((word) => !projects.includes(word));
  return projects.length === 0
    ? [{ ...step, args }]
    : projects.map((it) => ({ ...step, args: ['-p', it, ...args] }));
}

function fromSteps(place: Place, steps: readonly Step[]): Findings {
  const checks = steps.map((step, index) => typesCheck(place, step, numberedName('types', index)));
  return { checks, notes: checks.map(describe) };
}

function typesCheck(place: Place, step: Step, name: string): CheckDraft {
  const options = { name, kind: 'types' } as const;
  if (step.program === 'tsc' && !place.manager.plugAndPlay) {
    const draft = toolDraft(step, 'tsc', place, options);
    const project = projectsOf(step.args)[0];
    if (project === undefined) return draft;
    return { ...draft, config: relativeTo(place.root, configPath(resolve(step.dir, project))) };
  }
  const line = place.manager.plugAndPlay ? `yarn ${step.text}` : step.text;
  return commandDraft({ line, dir: step.dir, source: step.source }, place, options);
}

function fromTsconfig(place: Place): Findings {
  const path = join(place.dir, 'tsconfig.json');
  if (!existsSync(path)) return { checks: [], notes: [] };
  const source = relativeTo(place.root, path);
  const step: Step = {
    ...{ kind: 'types', program: 'tsc', args: [], env: {}, watches: false },
    ...{ text: 'tsc --noEmit', dir: place.dir, source },
  };
  if (!place.manager.plugAndPlay && installedTool('tsc', place.dir, place) === undefined) {
    return { checks: [], notes: [`Types: not checked, typescript is not installed (${source}).`] };
  }
  return fromSteps(place, [step]);
}

function describe(check: CheckDraft): string {
  const what = check.tool === 'command' ? check.args[0]! : `${check.tool} ${check.version ?? ''}`.trim();
  return `Types: ${what} (${check.config ?? check.source}).`;
}
