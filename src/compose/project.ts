import { join } from 'node:path';
import { detectProject, findPackageDir } from '../checks/detect/index.ts';
import { requireManager } from '../checks/detect/require-manager.ts';
import { refuseContradictions } from '../config/contradictions.ts';
import { loadConfig } from '../config/load.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import { withAccepted } from './task-proof.ts';
import type { ProjectPlan } from '../ports.ts';
import type { Config } from '../schema/generated.ts';
import { openRepository, type Repository } from '../workspace/repository.ts';

/** A repository with its resolved configuration and its checks. */
export interface Project {
  readonly repository: Repository;
  readonly config: Config;
  readonly settings: Settings;
  /** Absolute path of the configuration file; undefined where there is none. */
  readonly configFile: string | undefined;
  readonly plan: ProjectPlan;
}

/** The place and the settings of a project. */
export interface ProjectRequest {
  readonly cwd: string;
  /** Settings from the command line, not yet validated. */
  readonly flags: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True where the flags are the whole configuration, as for a resumed loop. */
  readonly ignoreFile?: boolean;
}

/** Finds the repository, reads the configuration, and detects the checks. Throws RalphError. */
export async function openProject({ cwd, flags, env, ignoreFile }: ProjectRequest): Promise<Project> {
  // Errors of the command line are reported before errors of the repository.
  await loadConfig({ folders: [], flags, env });
  const repository = await openRepository(cwd);
  const packageDir = findPackageDir(repository.packageStart, repository.root) ?? '.';
  const folders = [...new Set([join(repository.root, packageDir), repository.root])];
  const { config, file } = await loadConfig({ folders: ignoreFile === true ? [] : folders, flags, env });
  const settings = resolveSettings(config);
  refuseContradictions(settings);
  const detected = await detectProject({ root: repository.root, packageDir, config });
  requireManager(detected);
  const plan = withAccepted(detected, settings.accept);
  return { repository, config, settings, configFile: file, plan };
}
