import { resolveSettings } from '../config/settings.ts';
import { loadConfig } from '../config/load.ts';
import { runProcess } from '../platform/processes/process.ts';
import { childEnvironment } from '../platform/processes/environment.ts';
import type { Config } from '../schema/generated.ts';
import { openRepository } from '../workspace/repository.ts';
import { openProjectSandbox } from './sandbox.ts';

/**
 * The home folder of the sandbox is gone afterwards, so nothing that the installed packages still need may lie in it:
 * Plug'n'Play of Yarn reads packages from the cache, and pnpm can link to a store of all projects.
 */
const IN_THE_CHECKOUT = {
  npm_config_cache: '/tmp/npm',
  npm_config_enable_global_virtual_store: 'false',
  // A store in the user's home folder cannot be written; packages are copied out of this one.
  npm_config_store_dir: '/tmp/pnpm-store',
  pnpm_config_store_dir: '/tmp/pnpm-store',
  YARN_ENABLE_GLOBAL_CACHE: 'false',
  // Where the programs themselves lie in `~/.bun` and `~/.yarn`, these can be read only.
  BUN_INSTALL_CACHE_DIR: '/tmp/bun',
  YARN_GLOBAL_FOLDER: '/tmp/yarn',
};

/** A command that installs the packages of a checkout. */
export interface InstallRequest {
  /** Absolute path of the folder that it runs in. */
  readonly cwd: string;
  /** For `sh -c`. */
  readonly command: string;
  /** Settings of the sandbox. */
  readonly flags: Config;
  readonly onOutput: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs the command in the sandbox, with the network: it can write the work tree, and sees no secret of the environment, no
 * home folder and no other process. Package managers run code that the checkout brings, not only in scripts: `.npmrc` can
 * name a program, `.pnpmfile.cjs` and `.yarnrc.yml` are programs. Returns the exit code. Throws RalphError without a
 * sandbox.
 */
export async function installPackages(request: InstallRequest): Promise<number> {
  const { cwd, command, flags, onOutput, signal } = request;
  const { config } = await loadConfig({
    folders: [],
    env: {},
    flags: { sandbox: 'strict', allowNetwork: true, ...flags },
  });
  const repository = await openRepository(cwd);
  const place = { root: repository.root, repository: repository.root, dependencies: [] };
  const { sandbox } = await openProjectSandbox(
    { settings: resolveSettings(config), repository },
    place,
    true,
  );
  const env = childEnvironment(IN_THE_CHECKOUT, cwd);
  const ended = await runProcess({ shell: command, cwd, env, sandbox, signal, onOutput });
  if (ended.failure !== undefined) onOutput(`${ended.failure}\n`);
  return ended.exitCode ?? 1;
}
