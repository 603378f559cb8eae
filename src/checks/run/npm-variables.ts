import { dirname, join } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { statOf } from '../../platform/files/real-paths.ts';

export type ManifestFields = Readonly<Record<string, unknown>>;

type Variable = readonly [name: string, value: unknown];

/** Fields of package.json whose members npm passes on. */
const PASSED = ['config', 'engines', 'bin'];

/** A script of a package, by its name. */
export interface PackageScript {
  /** Absolute folder of the package. */
  readonly folder: string;
  readonly name: string;
  readonly manifest: ManifestFields;
}

/**
 * The variables that npm sets for a script of a package, as far as programs read them
 * (https://docs.npmjs.com/cli/using-npm/scripts#environment).
 */
export function npmVariables({ folder, name, manifest }: PackageScript): Record<string, string> {
  const members = PASSED.flatMap((field) =>
    Object.entries(asRecord(manifest[field])).map(([key, value]): Variable => [
      `npm_package_${field}_${key}`,
      value,
    ]),
  );
  const texts: Variable[] = [
    ['npm_lifecycle_script', asRecord(manifest['scripts'])[name]],
    ['npm_package_name', manifest['name']],
    ['npm_package_version', manifest['version']],
    ...members,
  ];
  return {
    npm_command: 'run-script',
    npm_lifecycle_event: name,
    npm_package_json: join(folder, 'package.json'),
    npm_config_local_prefix: folder,
    INIT_CWD: folder,
    ...Object.fromEntries(texts.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []))),
  };
}

/**
 * Those variables for a command that comes from `source`, such as `package.json#scripts.test`, and runs in `cwd`
 * (absolute); none for a command of any other origin.
 */
export function scriptVariables(source: string, cwd: string, root: string): Record<string, string> {
  const name = /(?:^|\/)package\.json#scripts\.(.+)$/.exec(source)?.[1];
  if (name === undefined) return {};
  for (let folder = cwd; ; folder = dirname(folder)) {
    const manifest = readManifestFields(folder);
    if (manifest !== undefined && Object.hasOwn(asRecord(manifest['scripts']), name))
      return npmVariables({ folder, name, manifest });
    if (folder === root || folder === dirname(folder)) return {};
  }
}

/** The package.json of a folder; undefined where there is none that can be read. */
export function readManifestFields(folder: string): ManifestFields | undefined {
  const path = join(folder, 'package.json');
  if (statOf(path)?.isFile() !== true) return undefined;
  try {
    const value: unknown = JSON.parse(readTreeTextSync(path));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function asRecord(value: unknown): ManifestFields {
  return isRecord(value) ? value : {};
}

export function isRecord(value: unknown): value is ManifestFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
