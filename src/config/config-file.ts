import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ExitCode, messageOf, type RalphError } from '../errors.ts';
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

/** The default export of a module as plain data; a promise is awaited. Throws RalphError for any error of the module. */
export async function importConfig(path: string, name: string): Promise<unknown> {
  const refuseExit = (): void => {
    process.exitCode = ExitCode.usage;
    process.stderr.write(`ralph: ${name} ended the process.\n  Remove its call of process.exit.\n`);
  };
  process.once('exit', refuseExit);
  const address = pathToFileURL(path).href;
  refuseLateErrors(address, name);
  try {
    const module = (await import(address)) as { default?: unknown };
    const data: unknown = structuredClone(await module.default);
    // A value that contains itself throws here, not where the settings are used.
    JSON.stringify(data, (_, it: unknown) => (typeof it === 'bigint' ? String(it) : it));
    return data;
  } catch (error) {
    throw unreadable(name, error);
  } finally {
    process.off('exit', refuseExit);
  }
}

/** Names the module in place of a stack trace when it throws what nothing catches: in a timer, or in a promise of its own. */
function refuseLateErrors(address: string, name: string): void {
  const isOf = (error: unknown): error is Error =>
    error instanceof Error && error.stack?.includes(address) === true;
  const end = (error: Error): void => {
    process.stderr.write(`ralph: ${name} threw an error that it does not catch: ${messageOf(error)}\n`);
    // No caller can catch the error, and the process must not go on.
    // eslint-disable-next-line no-restricted-syntax
    process.exit(ExitCode.usage);
  };
  process.on('unhandledRejection', (reason) => {
    if (isOf(reason)) end(reason);
  });
  process.on('uncaughtException', function refuse(error: unknown) {
    if (isOf(error)) return end(error);
    process.off('uncaughtException', refuse);
    queueMicrotask(() => {
      throw error;
    });
  });
}

function readManifestConfig(path: string): unknown {
  try {
    return (JSON.parse(readTreeTextSync(path)) as { ralph?: unknown }).ralph;
  } catch {
    // A missing or broken package.json is reported when checks are detected.
    return undefined;
  }
}
