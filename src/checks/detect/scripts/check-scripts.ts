import { ciLines } from './ci-lines.ts';
import type { PackageContext } from '../packages/package-context.ts';
import { workspacePackages } from '../packages/workspaces.ts';
import { expandLine, expandScript } from './steps.ts';
import type { ScriptScope, Step } from './step.ts';

/** The scripts that are looked through for the steps of one kind of check. */
export interface CheckScripts {
  /** Usual names of such scripts, the best one first. */
  readonly names: readonly string[];
  /** Other script names that say what they check. */
  readonly pattern: RegExp;
}

/** Scripts that write, wait, publish or measure: what they run is no check. */
const NO_CHECK =
  /(^|[:_-])(fix|write|watch|dev|start|update|release|publish|bench|docs?|perf|examples?|browser|clean|format:fix)([:_-]|$)/;

/** How the scripts of a package are expanded. */
export function scopeOf({ manifest, dir, manager, observed }: PackageContext): ScriptScope {
  const packages = workspacePackages(dir);
  return { scripts: manifest.scripts, dir, runsHooks: manager.runsHooks, packages, observed };
}

/**
 * The wanted steps of the first script that has any: one with a usual name, else those of the continuous-integration
 * workflow, else one whose name matches the pattern.
 */
export function stepsOfScripts(
  place: PackageContext,
  { names, pattern }: CheckScripts,
  isWanted: (step: Step) => boolean,
): Step[] {
  const ofScript = (name: string): Step[] =>
    expandScript(name, scopeOf(place)).filter((step) => isWanted(step) && !step.watches);
  const others = Object.keys(place.manifest.scripts).filter(
    (name) => pattern.test(name) && !NO_CHECK.test(name),
  );
  return (
    firstWithSteps(names, ofScript) ??
    nonEmpty(stepsOfWorkflows(place).filter((step) => isWanted(step) && !step.watches)) ??
    firstWithSteps(others, ofScript) ??
    []
  );
}

const ofWorkflows = new WeakMap<PackageContext, Step[]>();

/** Every command that the continuous-integration workflows run in the end. They are read once for a package. */
export function stepsOfWorkflows(place: PackageContext): Step[] {
  const scope = scopeOf(place);
  const steps =
    ofWorkflows.get(place) ??
    uniqueSteps(ciLines(place).flatMap(({ line, source }) => expandLine(line, scope, source)));
  ofWorkflows.set(place, steps);
  return steps;
}

/** The steps without those that run the same program with the same arguments in the same folder as one before. */
export function uniqueSteps(steps: readonly Step[]): Step[] {
  const keys = steps.map(({ program, args, dir }) => JSON.stringify([program, args, dir]));
  return steps.filter((_, at) => keys.indexOf(keys[at]!) === at);
}

function firstWithSteps(names: readonly string[], stepsOf: (name: string) => Step[]): Step[] | undefined {
  return names.map(stepsOf).find((steps) => steps.length > 0);
}

function nonEmpty(steps: Step[]): Step[] | undefined {
  return steps.length === 0 ? undefined : steps;
}
