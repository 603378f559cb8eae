import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, type RalphError } from '../errors.ts';
import { readTreeTextSync } from '../platform/files/read-bounded.ts';
import { configError } from './config-error.ts';

/** Configuration files in order of precedence; the key `ralph` of package.json comes last. */
export const CONFIG_FILE_NAMES = [
  'ralph.config.json',
  'ralph.config.js',
  'ralph.config.mjs',
  'ralph.config.ts',
];

/** A configuration file that was found. */
export interface FoundConfig {
  readonly path: string;
  /** Name in error messages. */
  readonly label: string;
  /** Value of a file that is data. */
  readonly data: unknown;
  /** Text of a module that is more than data, and has not been run. */
  readonly program: string | undefined;
}

/** The configuration file of the nearest folder that has one; a module is read and not run. */
export async function findConfigFile(folders: readonly string[]): Promise<FoundConfig | undefined> {
  for (const folder of folders) {
    const name = CONFIG_FILE_NAMES.find((candidate) => existsSync(join(folder, candidate)));
    if (name !== undefined) return readConfigFile(join(folder, name), name);
    const manifest = join(folder, 'package.json');
    const data = readManifestConfig(manifest);
    if (data !== undefined) return { path: manifest, label: 'package.json#ralph', data, program: undefined };
  }
  return undefined;
}

async function readConfigFile(path: string, label: string): Promise<FoundConfig> {
  try {
    const text = readTreeTextSync(path);
    if (label.endsWith('.json')) return { path, label, data: JSON.parse(text), program: undefined };
    // The parser of JavaScript is loaded for modules only.
    const { literalDefault } = await import('./literal-module.ts');
    const data = literalDefault(text);
    return { path, label, data, program: data === undefined ? text : undefined };
  } catch (error) {
    throw unreadable(label, error);
  }
}

function unreadable(name: string, error: unknown): RalphError {
  return configError(
    `${name} could not be read: ${messageOf(error)}`,
    'Correct the file, or remove it.',
    error,
  );
}

/** The default export of a module as plain data. Throws RalphError if it has none, for any reason. */
export async function importConfig(path: string, name: string): Promise<unknown> {
  const { runModule } = await import('./run-module.ts');
  const answer = await runModule(path);
  if ('problem' in answer) throw unreadable(name, answer.problem);
  return answer.data;
}

function readManifestConfig(path: string): unknown {
  try {
    return (JSON.parse(readTreeTextSync(path)) as { ralph?: unknown }).ralph;
  } catch {
    // A missing or broken package.json is reported when checks are detected.
    return undefined;
  }
}
