import { RalphError } from '../../errors.ts';
import type { ProjectPlan } from '../../ports/plan.ts';
import { isStandardName, noChecks, skipChecks, weighChecks } from './apply-config.ts';
import { detectPackage, type DetectOptions } from './detect-package.ts';
import { choosePackages } from './packages/choose-packages.ts';
import { combinePlans } from './packages/combine-plans.ts';

export type { DetectOptions } from './detect-package.ts';
export { findPackageDir } from './packages/manifest.ts';

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
