import type { CommandPlan } from '../../ports/plan.ts';
import { findBuiltImport } from './built-imports.ts';
import { findBuiltTests } from './built-tests.ts';
import type { Detected } from './package-checks.ts';
import { relativeTo } from './packages/manifest.ts';
import type { PackageContext } from './packages/package-context.ts';
import type { WorkspaceBuilds } from './packages/workspace-builds.ts';

/**
 * A build before tests that build nothing themselves: the script that compiles them, or `build` where they import a file
 * which only a build makes. It is first in their own set-up, and runs before the command that confirms.
 */
export async function withBuild(found: Detected, place: PackageContext): Promise<Detected> {
  const { scripts } = place.manifest;
  const tests = found.checks.filter(({ kind }) => kind === 'tests');
  const own = tests.filter(({ cwd }) => cwd === relativeTo(place.root, place.dir));
  if (own.length === 0 || own.some(({ setup }) => setup.length > 0)) return found;
  const compiled = await findBuiltTests(place, own);
  const file =
    compiled === undefined && isBuild(scripts['build']) ? await findBuiltImport(place, own) : undefined;
  if (compiled === undefined && file === undefined) return found;
  const build = `${place.manager.runner} run ${compiled?.script ?? 'build'}`;
  const what = compiled === undefined ? `The tests import ${file}` : `The tests are in ${compiled.place}`;
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
export function withWorkspaceBuilds(
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
