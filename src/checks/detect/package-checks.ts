import type { ProjectPlan } from '../../ports/plan.ts';
import type { Config } from '../../schema/generated.ts';
import { detectLint } from './lint.ts';
import { foldersUpTo, readManifest, relativeTo, type Manifest } from './packages/manifest.ts';
import type { Findings, PackageContext } from './packages/package-context.ts';
import { workspacePackages } from './packages/workspaces.ts';
import { scopeOf } from './scripts/check-scripts.ts';
import { observedSteps, stepsOf } from './scripts/mirrored-script.ts';
import type { Step } from './scripts/step.ts';
import { expandScript } from './scripts/steps.ts';
import { detectTests, type TestFindings } from './tests.ts';
import { detectTypes } from './types.ts';

/** The checks of a package, and the command that confirms. */
export interface Detected extends Findings {
  readonly testCommand?: ProjectPlan['testCommand'];
}

/** Checks that the configuration replaces or skips are not detected, so that their detection cannot fail. */
export function detectChecks(place: PackageContext, config: Config): Detected {
  const wanted = (name: string): boolean =>
    config.checks?.[name] === undefined && config.skip?.includes(name) !== true;
  const steps = testSteps(place);
  const none: Findings = { checks: [], notes: [] };
  const tests: Detected = wanted('tests') ? testsUpTo(place, steps) : none;
  const types = wanted('types') ? detectTypes(place, steps) : none;
  const lint = wanted('lint') ? detectLint(place, steps) : none;
  const all: readonly Findings[] = [tests, types, lint];
  const checks = all.flatMap((findings) => findings.checks);
  const { testCommand } = tests;
  const script = { place, steps, checks };
  const isOwn = testCommand?.cwd === relativeTo(place.root, place.dir);
  return {
    checks,
    notes: all.flatMap((findings) => findings.notes),
    offers: all.flatMap((findings) => findings.offers ?? []),
    testCommand:
      testCommand &&
      (isOwn
        ? { ...testCommand, steps: stepsOf(script), observedSteps: observedSteps(script) }
        : testCommand),
  };
}

/** The package's own tests; without any, those of the nearest package above it that has tests. */
function testsUpTo(place: PackageContext, steps: readonly Step[]): Detected {
  const own: TestFindings = leavesTestsToPackages(place.dir, place.manifest)
    ? { checks: [], notes: [] }
    : detectTests(place, steps);
  if (own.checks.length > 0) return { ...own, testCommand: commandPlan(own, place) };
  for (const dir of foldersUpTo(place.dir, place.root).slice(1)) {
    const manifest = readManifest(dir);
    if (manifest === undefined || leavesTestsToPackages(dir, manifest)) continue;
    const above: PackageContext = { ...place, dir, manifest };
    const found = detectTests(above, testSteps(above));
    if (found.checks.length > 0) return { ...found, testCommand: commandPlan(found, above) };
  }
  return { ...own, testCommand: commandPlan(own, place) };
}

/** The root of a workspace without a test script: its packages have the tests, each with its own runner. */
function leavesTestsToPackages(dir: string, { scripts }: Manifest): boolean {
  return (
    scripts['test'] === undefined && workspacePackages(dir).some((it) => it.scripts['test'] !== undefined)
  );
}

function commandPlan(found: TestFindings, place: PackageContext): ProjectPlan['testCommand'] {
  if (found.testCommand === undefined) return undefined;
  return { command: found.testCommand, cwd: relativeTo(place.root, place.dir) };
}

function testSteps(place: PackageContext): Step[] {
  return expandScript('test', scopeOf(place));
}
