import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTreeTextSync } from '../../../platform/files/read-bounded.ts';
import type { PackageManager } from '../../../ports/plan.ts';
import { foldersUpTo, readManifest } from './manifest.ts';

type Name = PackageManager['name'];

/** A package manager and how it runs scripts. */
export interface ManagerFacts extends PackageManager {
  /** Command that runs the `test` script, for example `npm test`. */
  readonly testCommand: string;
  /** The program that runs scripts; npm where the package manager is not on the PATH. */
  readonly runner: Name;
  /** Yarn 2 and later run no `pre` and `post` scripts. */
  readonly runsHooks: boolean;
  /** Yarn Plug'n'Play: no node_modules; tools run through `yarn`. */
  readonly plugAndPlay: boolean;
  /** The file or field that it was detected by, such as `package-lock.json`. */
  readonly source: string;
  /** The file that locks the versions; none if absent. */
  readonly lockfile?: string | undefined;
}

const LOCKFILES: readonly (readonly [file: string, name: Name])[] = [
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

const TEST_COMMANDS: Readonly<Record<Name, string>> = {
  npm: 'npm test',
  pnpm: 'pnpm test',
  yarn: 'yarn test',
  // `bun test` would start bun's own test runner.
  bun: 'bun run test',
};

/**
 * The package manager of a package: the nearest `packageManager` field up to the root wins, then the nearest
 * lockfile, then npm. Both paths absolute.
 */
export function detectPackageManager(dir: string, root: string): ManagerFacts {
  const folders = foldersUpTo(dir, root);
  const locks = folders.flatMap((folder) =>
    LOCKFILES.filter(([file]) => existsSync(join(folder, file))).map(([file, name]) => ({
      folder,
      file,
      name,
    })),
  );
  const field = folders.map((folder) => readManifest(folder)?.packageManager).find((it) => it !== undefined);
  const [, declared, major] = /^(npm|pnpm|yarn|bun)(?:@(\d+))?/.exec(field ?? '') ?? [];
  const name = (declared as Name | undefined) ?? locks[0]?.name ?? 'npm';
  const lock = locks.find((it) => it.name === name);
  const modern = name === 'yarn' && isModernYarn(folders, major, lock && join(lock.folder, lock.file));
  return {
    name,
    runner: name,
    installCommand: installCommand(name, { locked: lock !== undefined, modern }),
    testCommand: TEST_COMMANDS[name],
    runsHooks: !modern,
    plugAndPlay: modern && folders.some((folder) => existsSync(join(folder, '.pnp.cjs'))),
    lockfile: lock?.file,
    source: declared === undefined ? (lock?.file ?? 'no lockfile') : 'package.json#packageManager',
  };
}

function installCommand(name: Name, lock: { locked: boolean; modern: boolean }): string {
  if (!lock.locked) return `${name} install`;
  if (name === 'npm') return 'npm ci';
  return name === 'yarn' && lock.modern ? 'yarn install --immutable' : `${name} install --frozen-lockfile`;
}

/** Yarn 2 and later. Yarn 1 has no `--immutable` and no Plug'n'Play by default, but runs `pre` and `post` scripts. */
function isModernYarn(folders: readonly string[], major: string | undefined, lockfile?: string): boolean {
  if (major !== undefined) return Number(major) >= 2;
  if (folders.some((it) => existsSync(join(it, '.yarnrc.yml')) || existsSync(join(it, '.pnp.cjs'))))
    return true;
  return lockfile !== undefined && !readTreeTextSync(lockfile).slice(0, 500).includes('yarn lockfile v1');
}
