import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import type { ProjectPlan } from '../../ports/plan.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';
import type { Config } from '../../schema/generated.ts';
import { noChecks, overrideChecks, skipChecks, weighChecks } from './apply-config.ts';
import { withBuild, withWorkspaceBuilds } from './builds-before.ts';
import { findInstalledPackage } from './installed-tool.ts';
import { detectChecks } from './package-checks.ts';
import { foldersUpTo, readManifest, type Manifest } from './packages/manifest.ts';
import type { PackageContext } from './packages/package-context.ts';
import { detectPackageManager } from './packages/package-manager.ts';
import { runnableManager } from './packages/runnable-manager.ts';
import { findWorkspaceBuilds } from './packages/workspace-builds.ts';
import { observeWrappers } from './scripts/observe.ts';

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

/** Detects the checks of one package. Rejects as `detectProject`. */
export async function detectPackage(options: DetectOptions): Promise<ProjectPlan> {
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
