import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import type { CommandPlan, ProjectPlan } from '../../ports/plan.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';
import type { Config } from '../../schema/generated.ts';
import { isStandardName, noChecks, overrideChecks, skipChecks, weighChecks } from './apply-config.ts';
import { findBuiltImport } from './built-imports.ts';
import { findBuiltTests } from './built-tests.ts';
import { choosePackages } from './packages/choose-packages.ts';
import { combinePlans } from './packages/combine-plans.ts';
import { scopeOf } from './scripts/check-scripts.ts';
import { detectLint } from './lint.ts';
import { foldersUpTo, readManifest, relativeTo, type Manifest } from './packages/manifest.ts';
import { observedSteps, stepsOf } from './scripts/mirrored-script.ts';
import { observeWrappers } from './scripts/observe.ts';
import { detectPackageManager } from './packages/package-manager.ts';
import type { Findings, PackageContext } from './packages/package-context.ts';
import { expandScript } from './scripts/steps.ts';
import type { Step } from './scripts/step.ts';
import { detectTests, type TestFindings } from './tests.ts';
import { findInstalledPackage } from './installed-tool.ts';
import { runnableManager } from './packages/runnable-manager.ts';
import { detectTypes } from './types.ts';
import { workspacePackages } from './packages/workspaces.ts';
import { findWorkspaceBuilds, type WorkspaceBuilds } from './packages/workspace-builds.ts';

export { findPackageDir } from './packages/manifest.ts';

/** The package whose checks are detected, and the settings that change them. */
export interface DetectOptions {
  /** Absolute path of the repository. */
  readonly root: string;
  /** The package to detect, relative to the root; `.` is the root itself. */
  readonly packageDir: string;
  readonly config: Config;
  /** Opens the sandbox in which wrappers are observed; without it, nothing of the repository runs. */
  readonly openSandbox?: () => Promise<Sandbox | undefined>;
  /** The value of PATH; without it, the package manager is taken to be installed. */
  readonly path?: string | undefined;
}

const NO_MANIFEST: Manifest = { scripts: {}, dependencies: [], sections: new Set() };

/**
 * Detects how a repository checks itself, from its files; a wrapper such as `kcd-scripts` runs once, and the tools that
 * it starts are stopped at their start. Rejects with RalphError:
 * no_package, no_dependencies and no_checks (exit 6), usage (exit 2) for a name in `skip` or `weights` that no check
 * has.
 */
export async function detectProject(options: DetectOptions): Promise<ProjectPlan> {
  const { root, packageDir, config } = options;
  const chosen = choosePackages({ root, packageDir, wanted: config.packages ?? [] });
  if (chosen.length > 0) return detectPackages(options, chosen);
  try {
    return await detectPackage(options);
  } catch (error) {
    const all = isWithoutChecks(error) ? allPackages(options) : [];
    if (all.length === 0) throw error;
    return detectPackages(options, all);
  }
}

function allPackages({ root, packageDir }: DetectOptions): string[] {
  return packageDir === '.' ? choosePackages({ root, packageDir, wanted: ['all'] }) : [];
}

/** The checks of the user's package and of others; those that the user gives are checks of the user's package. */
async function detectPackages(options: DetectOptions, others: readonly string[]): Promise<ProjectPlan> {
  const { packageDir, config } = options;
  const { weights, skip = [], checks: given, ...shared } = config;
  const detected = { ...shared, skip: skip.filter(isStandardName) };
  // Skipped tests of a package take their test command with them.
  const skippedIn = (dir: string): string[] => (skip.includes(`${dir}:tests`) ? ['tests'] : []);
  const plans = await Promise.all([
    planOrNothing({ ...options, config: { ...detected, checks: given } }),
    ...others.map((dir) =>
      planOrNothing({
        ...options,
        packageDir: dir,
        config: { ...detected, skip: [...detected.skip, ...skippedIn(dir)] },
      }),
    ),
  ]);
  const found = plans.filter((plan) => plan !== undefined);
  if (found.length === 0) throw noChecks('any of the packages');
  const plan = combinePlans(packageDir, found);
  const left = skip.filter((name) => !others.some((dir) => name === `${dir}:tests`));
  return { ...plan, checks: weighChecks(skipChecks(plan.checks, left), weights) };
}

async function planOrNothing(options: DetectOptions): Promise<ProjectPlan | undefined> {
  try {
    return await detectPackage(options);
  } catch (error) {
    if (isWithoutChecks(error)) return undefined;
    throw error;
  }
}

function isWithoutChecks(error: unknown): boolean {
  return error instanceof RalphError && (error.code === 'no_checks' || error.code === 'no_package');
}

async function detectPackage(options: DetectOptions): Promise<ProjectPlan> {
  const { config, root } = options;
  const place = placeOf(options);
  requireDependencies(place, config);
  const observed = options.openSandbox && (await observeWrappers(place, options.openSandbox));
  const detected = await withBuild(detectChecks({ ...place, observed }, config), place);
  const builds = await findWorkspaceBuilds(place);
  const carry = builds.outputsFor(['.', options.packageDir, ...detected.checks.map(({ cwd }) => cwd)]);
  const found = withWorkspaceBuilds(detected, builds, carry);
  const overridden = overrideChecks(found.checks, config.checks, place);
  const checks = weighChecks(skipChecks(overridden, config.skip ?? []), config.weights);
  if (checks.length === 0) throw noChecks(options.packageDir === '.' ? root : options.packageDir);
  const replaced = config.checks?.['tests'] !== undefined || config.skip?.includes('tests') === true;
  const { testCommand } = found;
  return {
    repository: root,
    packageDir: options.packageDir,
    packageManager: { name: place.manager.name, installCommand: place.manager.installCommand },
    checks,
    testCommand: replaced ? undefined : testCommand,
    notes: [...placeNotes(place), ...found.notes, ...configNotes(config)],
    offers: found.offers ?? [],
    carry,
  };
}

function placeOf({ root, packageDir, config, path }: DetectOptions): PackageContext {
  const dir = join(root, packageDir);
  const manifest = readManifest(dir);
  if (manifest === undefined && config.checks?.['tests'] === undefined) {
    throw new RalphError(`There is no package.json in ${dir}.`, {
      code: 'no_package',
      exitCode: ExitCode.check,
      hint: 'Run ralph inside a package, or name the test command: --check tests="…"',
    });
  }
  const facts = detectPackageManager(dir, root);
  const isGiven = config.checks?.['tests'] !== undefined || config.skip?.includes('tests') === true;
  return {
    root,
    dir,
    manifest: manifest ?? NO_MANIFEST,
    manager:
      isGiven || path === undefined
        ? facts
        : runnableManager({ root, facts, manifest: manifest ?? NO_MANIFEST, path }),
  };
}

/** Not required where the user names the test command, which may install them itself. */
function requireDependencies(place: PackageContext, config: Config): void {
  const { dir, root, manifest, manager } = place;
  if (config.checks?.['tests'] !== undefined || manager.plugAndPlay || manifest.dependencies.length === 0)
    return;
  if (foldersUpTo(dir, root).some((folder) => existsSync(join(folder, 'node_modules')))) return;
  if (manifest.dependencies.some((name) => findInstalledPackage(name, dir) !== undefined)) return;
  throw new RalphError('The dependencies are not installed: there is no node_modules.', {
    code: 'no_dependencies',
    exitCode: ExitCode.check,
    hint: `Install them first: ${manager.installCommand}`,
  });
}

interface Detected extends Findings {
  readonly testCommand?: ProjectPlan['testCommand'];
}

/** Checks that the configuration replaces or skips are not detected, so that their detection cannot fail. */
function detectChecks(place: PackageContext, config: Config): Detected {
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

/**
 * A build before tests that build nothing themselves: the script that compiles them, or `build` where they import a file
 * which only a build makes. It is first in their own set-up, and runs before the command that confirms.
 */
async function withBuild(found: Detected, place: PackageContext): Promise<Detected> {
  const { scripts } = place.manifest;
  const tests = found.checks.filter(({ kind }) => kind === 'tests');
  const own = tests.filter(({ cwd }) => cwd === relativeTo(place.root, place.dir));
  if (own.length === 0 || own.some(({ setup }) => setup.length > 0)) return found;
  const compiled = await findBuiltTests(place, own);
  const file =
    compiled === undefined && isBuild(scripts['build']) ? await findBuiltImport(place, own) : undefined;
  if (compiled === undefined && file === undefined) return found;
  const build = `${place.manager.runner} run ${compiled?.script ?? 'build'}`;
  const what = compiled === undefined ? `The tests import ${file}` : `The tests are in ${compiled.folder}`;
  const { testCommand } = found;
  return {
    ...found,
    checks: found.checks.map((check) => (own.includes(check) ? { ...check, setup: [build] } : check)),
    testCommand: testCommand && builtBefore(testCommand, build),
    notes: [...found.notes, `${what}, which git ignores: "${build}" runs before them.`],
  };
}

/** A script that publishes, even without doing it, runs much that is no build. */
function isBuild(script: string | undefined): boolean {
  return script !== undefined && !/\bpublish\b/.test(script);
}

function builtBefore({ command, steps, ...rest }: CommandPlan, build: string): CommandPlan {
  const first = { command: build, cwd: rest.cwd, isSetup: true };
  return { ...rest, command: `${build} && ${command}`, steps: steps && [first, ...steps] };
}

/** The builds of other packages of the workspace before the checks that need them. */
function withWorkspaceBuilds(
  found: Detected,
  { setupOf }: WorkspaceBuilds,
  outputs: readonly string[],
): Detected {
  const { testCommand } = found;
  const setup = testCommand === undefined ? [] : setupOf(testCommand.cwd);
  const more = outputs.length > 3 ? ` and ${outputs.length - 3} more` : '';
  const note = `Built by the packages, ignored by git and copied from your tree: ${outputs.slice(0, 3).join(', ')}${more}.`;
  return {
    ...found,
    checks: found.checks.map((check) => ({ ...check, setup: [...setupOf(check.cwd), ...check.setup] })),
    testCommand: testCommand && setup.length > 0 ? { ...testCommand, setup } : testCommand,
    notes: outputs.length === 0 ? found.notes : [...found.notes, note],
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

function placeNotes({ manager, manifest }: PackageContext): string[] {
  const script = manifest.scripts['test'];
  return [
    `Package manager: ${manager.name} (${manager.source}).`,
    ...(manager.runner === manager.name
      ? []
      : [
          `${manager.name} cannot run scripts here, since it is not on the PATH or did not install the packages: ${manager.runner} does.`,
        ]),
    ...(manager.plugAndPlay ? ["Yarn Plug'n'Play: there is no node_modules, tools run through yarn."] : []),
    ...(script === undefined ? [] : [`${manager.testCommand} runs: ${script}`]),
  ];
}

function configNotes(config: Config): string[] {
  const given = Object.entries(config.checks ?? {}).map(([name, line]) => `Given: ${name} is "${line}".`);
  const skipped = (config.skip ?? []).map((name) => `Skipped: ${name}, by the configuration.`);
  return [...given, ...skipped];
}
