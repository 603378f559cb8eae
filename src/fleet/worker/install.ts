import { cpSync, existsSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { detectPackageManager } from '../../checks/detect/packages/package-manager.ts';
import { ExitCode, RalphError } from '../../errors.ts';
import { programFile } from '../../platform/package-files.ts';
import { runProcess } from '../../platform/processes/process.ts';
import type { Config } from '../../schema/generated.ts';
import { openInstallPlace } from './install-sandbox.ts';
import { hashOf, type WorkerPlace } from './place.ts';

/** How the dependencies of a checkout are installed. */
export interface Install {
  /** The file that decides on the versions: `package.json` if they are not locked. */
  readonly file: string;
  /** Installs exactly what the file says, and runs no script of a package. */
  readonly command: readonly string[];
  /** The manager keeps a store of its own, from which it links files. */
  readonly hasStore: boolean;
}

const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

/** Absolute path of the program through which an install reaches the network. */
const FORWARDER = programFile('fleet/worker/install-forwarder');

const TIMEOUT_MS = 10 * 60_000;
const SHOWN_CHARS = 600;

export interface InstallRequest {
  readonly place: WorkerPlace;
  /** Absolute path of the checkout. */
  readonly root: string;
  /** What git clones: each repository has a cache, and what was installed, of its own. */
  readonly address: string;
  /** Settings of this worker. */
  readonly overrides: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Installs the dependencies of a checkout by its lockfile, or those of package.json if there is none. What npm installed for
 * one lockfile of a repository is kept, and hard links of it are put into later checkouts. False if there is nothing to install. Throws
 * RalphError `no_dependencies` with the beginning of the manager's errors.
 */
export async function installDependencies(request: InstallRequest): Promise<boolean> {
  const { place, root, address } = request;
  const needs = needsOf(root);
  const how = installOf(root);
  if (how.file === 'package.json' && needs !== 'packages' && needs !== 'workspaces') return false;
  if (how.hasStore || needs === 'unknown' || needs === 'workspaces') {
    await install(how, request);
    return true;
  }
  const key = hashOf(
    JSON.stringify([
      address,
      process.version,
      process.arch,
      ...[how.file, 'package.json'].map((file) => readTreeTextSync(join(root, file))),
    ]),
  );
  const kept = place.dependencies(key);
  const target = join(root, 'node_modules');
  await place.exclusive(`dependencies-${key}`, async () => {
    if (existsSync(kept)) return;
    await install(how, request);
    if (!existsSync(target)) return;
    // Complete or not there: a killed worker leaves a folder that nobody uses.
    const fresh = `${kept}.${process.pid}`;
    rmSync(fresh, { recursive: true, force: true });
    await link(target, fresh);
    renameSync(fresh, kept);
  });
  if (existsSync(kept) && !existsSync(target)) await link(kept, target);
  return true;
}

/**
 * By the package manager of a checkout. npm installs what is not locked: other managers would write a lockfile, which would
 * become a part of the result.
 */
export function installOf(root: string): Install {
  const { name, lockfile, installCommand, runsHooks } = detectPackageManager(root, root);
  if (lockfile === undefined)
    return {
      ...{ file: 'package.json', hasStore: false },
      command: ['npm', 'install', '--no-package-lock', ...NPM_FLAGS],
    };
  // Yarn 2 and later have another flag, and link from a cache of their own.
  const isModernYarn = name === 'yarn' && !runsHooks;
  const flags = name === 'npm' ? NPM_FLAGS : [isModernYarn ? '--mode=skip-build' : '--ignore-scripts'];
  return {
    file: lockfile,
    command: [...installCommand.split(' '), ...flags],
    hasStore: name === 'pnpm' || name === 'bun' || isModernYarn,
  };
}

async function install({ command, file: source }: Install, request: InstallRequest): Promise<void> {
  const [file = ''] = command;
  const { place, address, overrides, signal } = request;
  const root = realpathSync(request.root);
  const cache = place.cache(address);
  const { sandbox, proxy, env } = await openInstallPlace({ root, cache, address }, overrides, request.env);
  const [program, ...args] =
    proxy === undefined ? command : [process.execPath, FORWARDER, proxy.socket, ...command];
  const { exitCode, failure, stdout, stderr, timedOut } = await runProcess({
    ...{ file: program!, args, cwd: root, env, signal, sandbox },
    ownFolder: root,
    timeoutMs: TIMEOUT_MS,
  }).finally(() => proxy?.close());
  if (exitCode === 0) return;
  signal.throwIfAborted();
  if (failure?.includes('ENOENT') === true || stderr.includes(`spawn ${file} ENOENT`))
    throw new RalphError(`${source} needs ${file}, which this worker does not have.`, {
      code: 'no_program',
      exitCode: ExitCode.workspace,
      hint: `Install it on the machines of the workers: npm install --global ${file}`,
    });
  const said = failure ?? (timedOut ? 'it took longer than 10 minutes' : firstErrors(`${stderr}\n${stdout}`));
  const problems = (proxy?.problems() ?? []).map((text) => ` ${text}`).join('');
  throw new RalphError(`${source} does not install: ${said}${problems}`, {
    code: 'no_dependencies',
    exitCode: ExitCode.workspace,
    hint: `It was tried with: ${command.join(' ')}`,
  });
}

/** Lines of an error that Node.js prints with its stack and fields. */
const OF_A_STACK =
  /^at .+:\d+:\d+\)?$|^at (?:async )?\S+ \(.*\)$|^[{}\]],?$|^\w+: .*[,[{]$|^(?:errno|type|port): /;

/** The managers begin with the cause; npm ends with its manual and the place of its log. */
export function firstErrors(output: string): string {
  const [causes = ''] = output.split(/^npm (?:error|ERR!) Usage:$/m);
  const lines = causes
    .split('\n')
    .filter((line) => !/^npm (?:warn|notice)\b/i.test(line))
    .map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim())
    .filter((line) => line !== '' && !OF_A_STACK.test(line));
  return lines.join('\n').slice(0, SHOWN_CHARS);
}

/** Hard links where the file system has them. */
async function link(from: string, to: string): Promise<void> {
  const { exitCode } = await runProcess({
    file: 'cp',
    args: ['-al', from, to],
    cwd: '/',
    env: { PATH: process.env.PATH },
    timeoutMs: TIMEOUT_MS,
  });
  if (exitCode === 0) return;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** What a package.json asks for; `unknown` without one that can be read. */
function needsOf(root: string): 'nothing' | 'packages' | 'workspaces' | 'unknown' {
  try {
    const manifest = JSON.parse(readTreeTextSync(join(root, 'package.json'))) as Record<string, unknown>;
    if ('workspaces' in manifest) return 'workspaces';
    const lists = [manifest['dependencies'], manifest['devDependencies']];
    return lists.some((list) => Object.keys(list ?? {}).length > 0) ? 'packages' : 'nothing';
  } catch {
    return 'unknown';
  }
}
