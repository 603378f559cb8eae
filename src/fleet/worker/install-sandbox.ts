import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSandbox } from '../../platform/sandbox/open.ts';
import { workspacePolicy } from '../../platform/sandbox/policy.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';
import type { Config } from '../../schema/generated.ts';
import { namedServers, REGISTRIES } from './install-hosts.ts';
import { openInstallProxy, type InstallProxy } from './install-proxy.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How the package manager of a checkout is started. */
export interface InstallPlace {
  /** Undefined where the worker confines nothing. */
  readonly sandbox: Sandbox | undefined;
  /** The only way to the network; undefined where the worker confines nothing. */
  readonly proxy: InstallProxy | undefined;
  /** The whole environment: caches of the repository's own, and where nothing is confined the worker's proxies. */
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

/**
 * A repository decides what its package manager runs (`git` and `yarn-path` of its settings are programs), so it is confined:
 * it writes the checkout and the cache, reaches registries and other public servers, and sees no home, key, process or service of
 * the worker and its network. Throws RalphError `no_sandbox` without one. The proxy is to be closed.
 */
export async function openInstallPlace(
  { root, cache, address }: { readonly root: string; readonly cache: string; readonly address: string },
  { sandbox: mode = 'strict', sandboxEngine = 'auto', sandboxRead = [] }: Config,
  env: Environment,
): Promise<InstallPlace> {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const certificates = CERTIFICATES.flatMap((name) => env[name] ?? []);
  const opened = sandboxRead.map((path) => path.replace(/^~(?=\/|$)/, env['HOME'] ?? '~'));
  const read = [...opened, ...certificates].filter((path) => existsSync(path));
  const given = environmentOf(root, cache, env);
  if (mode === 'off') return { sandbox: undefined, proxy: undefined, env: given };
  const proxy = await openInstallProxy({ named: namedServers(address, env), env });
  const { sandbox } = await openSandbox({
    mode,
    // The other engine has no socket for the proxy.
    engine: sandboxEngine === 'auto' ? 'bubblewrap' : sandboxEngine,
    isForeign: false,
    policy: () => ({
      ...workspacePolicy(
        { root, repository: root, dependencies: [] },
        {
          ...{ passEnv: [], write: [cache] },
          network: sandboxEngine === 'sandbox-runtime',
          read: [...read, proxy.socket],
        },
      ),
      // It has nothing but what is needed here.
      wholeEnvironment: true,
    }),
  }).catch((error: unknown) => {
    proxy.close();
    throw error;
  });
  if (sandbox === undefined) {
    proxy.close();
    return { sandbox, proxy: undefined, env: given };
  }
  const own = Object.fromEntries(OF_NETWORK.map((name) => [name, undefined]));
  return { sandbox, proxy, env: { ...given, ...own } };
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
