/**
 * Writes `action/package.json` and `action/package-lock.json`: the packages that the program is built from, and nothing
 * that only tests need, at the versions of `package-lock.json`. The GitHub action installs them in its own checkout. With
 * `--check` it writes nothing, and exits with 1 if a file differs.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const root = join(import.meta.dirname, '..');
const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;

const { version, devDependencies } = readJson<{ version: string; devDependencies: Record<string, string> }>(
  'package.json',
);
const { packages } = readJson<{ packages: Record<string, LockedPackage> }>('package-lock.json');

/** Packages that the sources and the build import. */
function imported(): string[] {
  const files = [
    ...globSync('src/**/*.{ts,js}', { cwd: root }),
    ...['build', 'bundle', 'compile-schemas'].map((name) => `scripts/${name}.ts`),
  ];
  const names = files.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return [...text.matchAll(/(?:from|import\()\s*'((?:@[\w.-]+\/)?[\w-][\w.-]*)(?=['/])/g)].map(
      ([, name]) => name!,
    );
  });
  // For dist/index.d.ts, which the action does not build, and of the repository whose tests run.
  const left = new Set(['rolldown-plugin-dts', 'typescript', 'vitest']);
  return [...new Set(names)].filter((name) => name in devDependencies && !left.has(name)).sort();
}

/** The folder of a package as seen from the folder of another one, as Node finds it. */
function placeOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (!folder.includes('/node_modules/')) return folder === '' ? undefined : placeOf(name, '');
  }
}

function withDependencies(names: readonly string[]): Record<string, LockedPackage> {
  const found = new Map<string, LockedPackage>();
  const add = (name: string, from: string): void => {
    const place = placeOf(name, from);
    if (place === undefined || found.has(place)) return;
    const { ...locked } = packages[place]! as LockedPackage & { dev?: boolean };
    delete locked.dev;
    found.set(place, locked);
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = locked;
    const peers = Object.keys(peerDependencies).filter((it) => peerDependenciesMeta?.[it]?.optional !== true);
    for (const it of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) add(it, place);
  };
  for (const name of names) add(name, '');
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const names = imported();
const dependencies = Object.fromEntries(names.map((name) => [name, devDependencies[name]!]));
const manifest = { name: 'ralph-action', version, private: true, type: 'module', dependencies };
const lock = {
  ...{ name: 'ralph-action', version, lockfileVersion: 3, requires: true },
  packages: { '': { name: 'ralph-action', version, dependencies }, ...withDependencies(names) },
};

mkdirSync(join(root, 'action'), { recursive: true });
for (const [name, value] of Object.entries({ 'package.json': manifest, 'package-lock.json': lock })) {
  const path = join(root, 'action', name);
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`action/${name} differs from package-lock.json and the sources: run \`npm run generate\`.`);
    process.exitCode = 1;
  }
}
