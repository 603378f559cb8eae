import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readTreeTextSync } from '../platform/files/read-bounded.ts';
import { ExitCode, RalphError, messageOf } from '../errors.ts';
import type { Config } from '../schema/generated.ts';
import { validate, type SchemaProblem } from '../schema/validate.ts';
import { nearest } from '../platform/text/nearest.ts';
import { withoutRemoved } from './removed-settings.ts';
import { requireTrust, wishOfData, wishOfProgram, type TrustRequest, type Wish } from './trust.ts';
import { configProperties, flagSettings, variableOf } from './setting-list.ts';

/** Configuration files in order of precedence; the key `ralph` of package.json comes last. */
export const CONFIG_FILE_NAMES = [
  'ralph.config.json',
  'ralph.config.js',
  'ralph.config.mjs',
  'ralph.config.ts',
];

export interface ConfigRequest {
  /** Absolute folders to search, the nearest first. */
  readonly folders: readonly string[];
  /** Parsed settings from the command line. */
  readonly flags: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Settings that only a flag can set: their values in the file and the environment are left out. Default: none. */
  readonly flagsOnly?: ReadonlySet<string>;
  /**
   * The repository whose file must be trusted if it is a program or wants what the sandbox does not confine; undefined:
   * the file is trusted, as the default branch's is in CI.
   */
  readonly trust?: TrustRequest | undefined;
}

export interface LoadedConfig {
  readonly config: Config;
  /** Absolute path of the configuration file; undefined if there is none. */
  readonly file: string | undefined;
  /** Settings of `flagsOnly` that the file or the environment has, as they are named there: `RALPH_BASE_URL`. */
  readonly leftOut: readonly string[];
}

/**
 * Merges the configuration file, RALPH_* variables and flags; later ones override earlier ones. Each is validated by
 * itself, so that an error message names the source of the value. Throws RalphError (exit 2), also for a file that is not
 * trusted.
 */
export async function loadConfig({
  folders,
  flags,
  env,
  flagsOnly = new Set(),
  trust,
}: ConfigRequest): Promise<LoadedConfig> {
  const found = await findConfigFile(folders);
  const fromEnv = validated(readVariables(env), variableOf, 'environment');
  const fromFlags = validated(flags, flagOf, 'command line');
  const isOverridden = (key: string): boolean => key in fromEnv || key in fromFlags;
  const fromFile = found === undefined ? {} : await readTrusted(found, { trust, isOverridden });
  const isLeftOut = (key: string): boolean => flagsOnly.has(key);
  const leftOut = [
    ...Object.keys(fromFile).flatMap((key) => (isLeftOut(key) ? [`${found!.label}: ${key}`] : [])),
    ...Object.keys(fromEnv).filter(isLeftOut).map(variableOf),
  ];
  const kept = Object.entries({ ...fromFile, ...fromEnv }).filter(([key]) => !isLeftOut(key));
  return { config: { ...Object.fromEntries(kept), ...fromFlags }, file: found?.path, leftOut };
}

/** What the configuration file in these folders wants that needs trust; undefined if there is nothing. Runs no program. */
export async function wishIn(folders: readonly string[]): Promise<Wish | undefined> {
  const found = await findConfigFile(folders);
  if (found === undefined) return undefined;
  if (found.program !== undefined) return wishOfProgram(found.label, found.program);
  return wishOfData(found.label, validatedFile(found, found.data), () => false);
}

async function readTrusted(
  found: FoundConfig,
  {
    trust,
    isOverridden,
  }: { readonly trust: TrustRequest | undefined; readonly isOverridden: (key: string) => boolean },
): Promise<Config> {
  const { label, path, program } = found;
  if (program !== undefined) {
    if (trust !== undefined) await requireTrust(wishOfProgram(label, program), trust);
    return validatedFile(found, await importConfig(path, label));
  }
  const config = validatedFile(found, found.data);
  const wish = trust === undefined ? undefined : wishOfData(label, config, isOverridden);
  if (wish !== undefined) await requireTrust(wish, trust!);
  return config;
}

function validatedFile({ label }: FoundConfig, value: unknown): Config {
  return validated(known(value), (key) => `${label}: ${key}`, label);
}

/** A file's value without removed settings; other values are left for the schema to refuse. */
function known(value: unknown): unknown {
  return typeof value !== 'object' || value === null || Array.isArray(value) ? value : withoutRemoved(value);
}

interface FoundConfig {
  readonly path: string;
  /** Name in error messages. */
  readonly label: string;
  /** Value of a file that is data. */
  readonly data: unknown;
  /** Text of a module that is more than data, and has not been run. */
  readonly program: string | undefined;
}

async function findConfigFile(folders: readonly string[]): Promise<FoundConfig | undefined> {
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
async function importConfig(path: string, name: string): Promise<unknown> {
  const refuseExit = (): void => {
    process.exitCode = ExitCode.usage;
    process.stderr.write(`ralph: ${name} ended the process.\n  Remove its call of process.exit.\n`);
  };
  process.once('exit', refuseExit);
  const address = pathToFileURL(path).href;
  refuseLateErrors(address, name);
  try {
    const module = (await import(address)) as { default?: unknown };
    return structuredClone(await module.default);
  } catch (error) {
    throw unreadable(name, error);
  } finally {
    process.off('exit', refuseExit);
  }
}

/** Names the module in place of a stack trace when it throws what nothing catches: in a timer, or in a promise of its own. */
function refuseLateErrors(address: string, name: string): void {
  process.on('uncaughtException', function refuse(error: unknown) {
    if (!(error instanceof Error) || error.stack?.includes(address) !== true) {
      process.off('uncaughtException', refuse);
      queueMicrotask(() => {
        throw error;
      });
      return;
    }
    process.stderr.write(`ralph: ${name} threw an error that it does not catch: ${messageOf(error)}\n`);
    // No caller can catch the error, and the process must not go on.
    // eslint-disable-next-line no-restricted-syntax
    process.exit(ExitCode.usage);
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

function readVariables(env: ConfigRequest['env']): Config {
  const given = flagSettings().flatMap(({ key, variable, parse, isRepeatable }) => {
    const text = env[variable];
    return text === undefined || (isRepeatable && text === '') ? [] : [[key, parse(text)]];
  });
  return Object.fromEntries(given) as Config;
}

function flagOf(key: string): string {
  const flag = flagSettings().find((setting) => setting.key === key)?.flag ?? `--${key}`;
  return flag.replace(/^-\w, /, '').split(' ')[0]!;
}

function validated(value: unknown, nameOf: (key: string) => string, source: string): Config {
  const result = validate('config', value);
  if (result.ok) return result.value;
  const problem = mostSpecific(result.problems);
  throw configError(describeProblem(problem, value, nameOf, source), hintFor(problem, value));
}

/** A union reports a problem for each branch; only the most specific one is shown. */
function mostSpecific(problems: readonly SchemaProblem[]): SchemaProblem {
  const order = ['additionalProperties', 'oneOf', 'enum', 'pattern', 'minimum', 'maximum'];
  const rank = ({ keyword }: SchemaProblem): number =>
    (order.indexOf(keyword) + order.length + 1) % (order.length + 1);
  return [...problems].sort((a, b) => rank(a) - rank(b))[0]!;
}

function describeProblem(
  problem: SchemaProblem,
  value: unknown,
  nameOf: (key: string) => string,
  source: string,
): string {
  const [key, ...rest] = problem.path.split('/').slice(1);
  if (problem.keyword === 'additionalProperties') {
    const unknown = String(problem.params.additionalProperty);
    return `${source} has an unknown key "${[key, ...rest, unknown]
      .filter((part) => part !== undefined)
      .join('.')
      .slice(0, MAX_SHOWN)}".`;
  }
  if (key === undefined) return `${source} ${problem.message}.`;
  const name = [nameOf(key), ...rest].join('.');
  return `${name} is ${renderValue(valueAt(value, [key, ...rest]))}: ${describeRule(problem, key)}.`;
}

const MAX_SHOWN = 200;

/** A value as JSON, bounded; a configuration module may export values that JSON does not have, such as 3n. */
function renderValue(value: unknown): string {
  const text = typeof value === 'object' || typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
}

function describeRule(problem: SchemaProblem, key: string): string {
  if (key === 'omega') return 'it must be a whole number from 1 to 10, or auto';
  if (problem.keyword === 'enum')
    return `it must be one of ${(problem.params.allowedValues as string[]).join(', ')}`;
  if (/maxTime|Timeout|Silence|Delay/i.test(problem.path) && problem.keyword === 'pattern')
    return 'it must be a duration above 0 and below 500h, such as 500ms, 30s, 10m or 2h';
  if (key === 'checks' && problem.keyword === 'minLength') return 'a check must be given as NAME=COMMAND';
  if (key === 'weights') return 'a weight must be a number of 0 or more, as in tests=0.5,types=0.3';
  return `it ${problem.message}`;
}

function hintFor({ keyword, params, path }: SchemaProblem, value: unknown): string {
  const helpHint = 'For all options and their values: ralph run --help';
  if (keyword === 'enum') {
    const near = nearest(String(valueAt(value, path.split('/').slice(1))), params.allowedValues as string[]);
    return near === undefined ? helpHint : `Did you mean ${near}?`;
  }
  if (keyword !== 'additionalProperties') return helpHint;
  const known = Object.keys(configProperties());
  const near = nearest(String(params.additionalProperty), known);
  return near === undefined ? `Known keys: ${known.join(', ')}.` : `Did you mean "${near}"?`;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

function configError(message: string, hint: string, cause?: unknown): RalphError {
  return new RalphError(message, { code: 'config_invalid', exitCode: ExitCode.usage, hint, cause });
}
