import { join } from 'node:path';
import { DEFAULT_BRANCH_FOLDER } from '../../ci/default-branch.ts';
import { FLAGS_ONLY } from '../../ci/settings.ts';
import { openProject, type Project } from '../../compose/project.ts';
import type { Config } from '../../schema/generated.ts';
import { printWarning } from '../messages.ts';

/**
 * The project of the working directory with the settings of the default branch, which the plan carries; who acts and how
 * code is confined is set by flags alone. Warns of what is left out. Throws RalphError.
 */
export async function openPlannedProject(planFolder: string, flags: Config): Promise<Project> {
  const { env } = process;
  const removedAddresses = removeAddresses(env);
  const project = await openProject({
    cwd: process.cwd(),
    flags,
    env,
    configRoot: join(planFolder, DEFAULT_BRANCH_FOLDER),
    flagsOnly: FLAGS_ONLY,
    mayRunInstalled: false,
  });
  warnOfLeftOut([...(project.leftOut ?? []), ...removedAddresses]);
  return project;
}

/** Without it, the environment would decide where a model's key is sent: earlier steps of the job can set variables. */
function removeAddresses(env: NodeJS.ProcessEnv): string[] {
  const names = Object.keys(env).filter((name) => /^(?!RALPH_)\w+_BASE_URL$/.test(name) && env[name] !== '');
  for (const name of names) env[name] = '';
  return names;
}

function warnOfLeftOut(names: readonly string[]): void {
  if (names.length === 0) return;
  printWarning(
    `${names.join(', ')}: not used. In CI, only flags of the command set this, such as --base-url URL or --agent NAME.`,
  );
}
