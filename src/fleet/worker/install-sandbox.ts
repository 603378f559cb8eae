import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSandbox } from '../../platform/sandbox/open.ts';
import { workspacePolicy } from '../../platform/sandbox/policy.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';
import type { Config } from '../../schema/generated.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How the package manager of a checkout is started. */
export interface InstallPlace {
  /** Undefined where the worker confines nothing. */
  readonly sandbox: Sandbox | undefined;
  /** The whole environment: caches of the repository's own, and what the network needs. */
  readonly env: Environment;
}

/** Names of variables that hold the path of certificates. */
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO'] as const;
const OF_NETWORK = [
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'no_proxy',
] as const;
const REGISTRIES = ['npm_config_registry', 'YARN_REGISTRY', 'YARN_NPM_REGISTRY_SERVER'] as const;

/**
 * A repository decides what its package manager runs (`git` and `yarn-path` of its settings are programs), so it is confined:
 * it has the network, writes the checkout and the cache, and sees no home, key or process of the worker. Throws RalphError
 * `no_sandbox` without one.
 */
export async function openInstallPlace(
  { root, cache }: { readonly root: string; readonly cache: string },
  { sandbox: mode = 'strict', sandboxEngine = 'auto', sandboxRead = [] }: Config,
  env: Environment,
): Promise<InstallPlace> {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const certificates = CERTIFICATES.flatMap((name) => env[name] ?? []);
  const opened = sandboxRead.map((path) => path.replace(/^~(?=\/|$)/, env['HOME'] ?? '~'));
  const read = [...opened, ...certificates].filter((path) => existsSync(path));
  const { sandbox } = await openSandbox({
    mode,
    engine: sandboxEngine,
    isForeign: false,
    policy: () => ({
      ...workspacePolicy(
        { root, repository: root, dependencies: [] },
        { network: true, passEnv: [], read, write: [cache] },
      ),
      // It has nothing but what is needed here.
      wholeEnvironment: true,
    }),
  });
  return { sandbox, env: environmentOf(root, cache, env) };
}

function environmentOf(root: string, cache: string, env: Environment): Environment {
  const kept = [...CERTIFICATES, ...OF_NETWORK].map((name) => [name, env[name]] as const);
  return {
    ...Object.fromEntries(kept),
    ...registriesFor(root, env),
    ...{ PATH: env['PATH'], HOME: env['HOME'], TMPDIR: env['TMPDIR'], CI: 'true' },
    npm_config_cache: join(cache, 'npm'),
    npm_config_store_dir: join(cache, 'pnpm'),
    YARN_CACHE_FOLDER: join(cache, 'yarn'),
    YARN_GLOBAL_FOLDER: join(cache, 'yarn-global'),
    BUN_INSTALL_CACHE_DIR: join(cache, 'bun'),
    XDG_CACHE_HOME: join(cache, 'xdg'),
  };
}

/** Those of the worker, unless the repository names its own; the home with the settings of npm cannot be seen. */
function registriesFor(root: string, env: Environment): Environment {
  const own = registryIn(join(root, '.npmrc'));
  const registry = own === undefined ? registryIn(join(env['HOME'] ?? '/', '.npmrc')) : undefined;
  const named = REGISTRIES.map((name) => [name, env[name]] as const).filter(
    ([, value]) => value !== undefined,
  );
  return {
    ...(registry === undefined ? {} : { npm_config_registry: registry }),
    ...Object.fromEntries(named),
  };
}

function registryIn(file: string): string | undefined {
  try {
    return /^\s*registry\s*=\s*["']?(https?:\/\/[^\s"'@]+)/m.exec(readFileSync(file, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
