import { join } from 'node:path';
import { detectProject, findPackageDir } from '../checks/detect/index.ts';
import { refuseContradictions } from '../config/contradictions.ts';
import { loadConfig, wishIn } from '../config/load.ts';
import { trust, type TrustRequest, type Wish } from '../config/trust.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import { openReadOnlySandbox } from './sandbox.ts';
import { withAccepted } from './loop/task-proof.ts';
import type { CheckOffer, ProjectPlan } from '../ports/plan.ts';
import type { Config } from '../schema/generated.ts';
import { PACKAGE_ROOT } from '../platform/package-files.ts';
import { openRepository, type Repository } from '../workspace/repository.ts';

/** A repository with its resolved configuration and its checks. */
export interface Project {
  readonly repository: Repository;
  readonly config: Config;
  readonly settings: Settings;
  /** Absolute path of the configuration file; undefined where there is none. */
  readonly configFile: string | undefined;
  /** Settings of the file and the environment that were left out, because only a flag can set them. */
  readonly leftOut?: readonly string[];
  /** Folder with AGENTS.md; default: the repository's root. */
  readonly guidanceRoot?: string;
  /** Absolute folders in which packages of providers that ralph does not ship are looked up, in this order. */
  readonly providerFolders: readonly string[];
  readonly plan: ProjectPlan;
}

/** The place and the settings of a project. */
export interface ProjectRequest {
  readonly cwd: string;
  /** The repository of `cwd`; default: opened. */
  readonly repository?: Repository | undefined;
  /** Settings from the command line, not yet validated. */
  readonly flags: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True where the flags are the whole configuration, as for a resumed loop. */
  readonly ignoreFile?: boolean;
  /**
   * Absolute path of a copy of the repository whose configuration file is read instead of the repository's own: in CI,
   * that of the default branch.
   */
  readonly configRoot?: string;
  /**
   * False where nothing that the repository has installed may run in ralph itself, as in CI and on a worker: providers of
   * models are then looked up beside ralph alone. Default: true.
   */
  readonly mayRunInstalled?: boolean;
  /** Settings that only a flag can set; see `ConfigRequest`. */
  readonly flagsOnly?: ReadonlySet<string>;
  /** Asks the user to trust the configuration file; undefined where there is no terminal. */
  readonly confirm?: TrustRequest['confirm'];
}

/** Finds the repository, reads the configuration, and detects the checks. Throws RalphError. */
export async function openProject(request: ProjectRequest): Promise<Project> {
  const { cwd, flags, env, ignoreFile, flagsOnly } = request;
  // Errors of the command line are reported before errors of the repository.
  await loadConfig({ folders: [], flags, env });
  const repository = request.repository ?? (await openRepository(cwd));
  const packageDir = packageDirOf(repository);
  const configRoot = request.configRoot ?? repository.root;
  const folders = ignoreFile === true ? [] : configFolders(configRoot, packageDir);
  const trusting =
    request.configRoot === undefined
      ? { repositoryRoot: repository.root, env, confirm: request.confirm }
      : undefined;
  const { config, file, leftOut } = await loadConfig({ folders, flags, env, flagsOnly, trust: trusting });
  const settings = resolveSettings(config);
  refuseContradictions(settings);
  const openSandbox = () => openReadOnlySandbox({ settings, repository });
  const detected = await detectProject({
    root: repository.root,
    packageDir,
    config,
    openSandbox,
    // No setting: a loop that is resumed without variables has the programs of now.
    path: env['PATH'] ?? process.env['PATH'],
  });
  const plan = withAccepted(detected, settings.accept);
  const installed =
    request.mayRunInstalled === false ? [] : [join(repository.root, packageDir), repository.root];
  return {
    ...{ repository, config, settings, configFile: file, leftOut, plan, guidanceRoot: configRoot },
    providerFolders: [...installed, PACKAGE_ROOT],
  };
}

/**
 * Trusts the configuration of the project at `cwd` for what it wants now; returns that, or undefined if it wants nothing
 * that needs trust. Throws RalphError.
 */
export async function trustProject(cwd: string, env: ProjectRequest['env']): Promise<Wish | undefined> {
  const repository = await openRepository(cwd);
  const wish = await wishIn(configFolders(repository.root, packageDirOf(repository)));
  if (wish !== undefined) await trust(wish, { repositoryRoot: repository.root, env });
  return wish;
}

/**
 * Checks that the package at `cwd` is configured for and that none of its scripts runs; none where the package cannot be
 * checked. Runs nothing of the repository. Never rejects.
 */
export async function findOffers(cwd: string, root: string): Promise<readonly CheckOffer[]> {
  const packageDir = findPackageDir(cwd, root) ?? '.';
  return detectProject({ root, packageDir, config: {} }).then(
    ({ offers }) => offers ?? [],
    () => [],
  );
}

function packageDirOf({ packageStart, root }: Repository): string {
  return findPackageDir(packageStart, root) ?? '.';
}

/** Folders with the configuration of a package, the nearest first. */
function configFolders(root: string, packageDir: string): string[] {
  return [...new Set([join(root, packageDir), root])];
}
