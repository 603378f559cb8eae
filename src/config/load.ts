import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ExitCode, RalphError, messageOf } from '../errors.ts';
import type { Config } from '../schema/generated.ts';
import { validate, type SchemaProblem } from '../schema/validate.ts';
import { nearest } from '../platform/text/nearest.ts';
import { configProperties, flagSettings, variableOf } from './setting-list.ts';

/** Configuration files by precedence; `package.json#ralph` comes after them. */
export const CONFIG_FILE_NAMES = [
  'ralph.config.json',
  'ralph.config.js',
  'ralph.config.mjs',
  'ralph.config.ts',
];

export interface ConfigRequest {
  /** Absolute folders that are looked in, the nearest first. */
  readonly folders: readonly string[];
  /** Settings from the command line, already parsed. */
  readonly flags: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface LoadedConfig {
  readonly config: Config;
  /** Absolute path of the file that was read, if there was one. */
  readonly file: string | undefined;
}

/**
 * Flags over RALPH_* variables over the configuration file, each checked by the schema on its own, so that a
 * message names where the value came from. Throws RalphError (exit 2).
 */
export async function loadConfig({ folders, flags, env }: ConfigRequest): Promise<LoadedConfig> {
  const found = await readConfigFile(folders);
  const fromFile =
    found === undefined ? {} : checked(found.value, (key) => `${found.label}: ${key}`, found.label);
  const fromEnv = checked(configOfEnvironment(env), variableOf, 'environment');
  const fromFlags = checked(flags, flagOf, 'command line');
  return { config: { ...fromFile, ...fromEnv, ...fromFlags }, file: found?.path };
}

interface FoundConfig {
  readonly path: string;
  /** As messages name it. */
  readonly label: string;
  readonly value: unknown;
}

async function readConfigFile(folders: readonly string[]): Promise<FoundConfig | undefined> {
  for (const folder of folders) {
    const name = CONFIG_FILE_NAMES.find((candidate) => existsSync(join(folder, candidate)));
    if (name !== undefined)
      return { path: join(folder, name), label: name, value: await readValue(join(folder, name), name) };
    const manifest = join(folder, 'package.json');
    const inManifest = readManifestConfig(manifest);
    if (inManifest !== undefined) return { path: manifest, label: 'package.json#ralph', value: inManifest };
  }
  return undefined;
}

async function readValue(path: string, name: string): Promise<unknown> {
  try {
    if (name.endsWith('.json')) return JSON.parse(readFileSync(path, 'utf8'));
    return ((await import(pathToFileURL(path).href)) as { default?: unknown }).default;
  } catch (error) {
    throw configError(
      `${name} could not be read: ${messageOf(error)}`,
      'Correct the file, or move it away.',
      error,
    );
  }
}

function readManifestConfig(path: string): unknown {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { ralph?: unknown }).ralph;
  } catch {
    // The detection of checks reports a missing or broken manifest.
    return undefined;
  }
}

function configOfEnvironment(env: ConfigRequest['env']): Config {
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

function checked(value: unknown, nameOf: (key: string) => string, where: string): Config {
  const result = validate('config', value);
  if (result.ok) return result.value;
  const problem = mostTelling(result.problems);
  throw configError(describe(problem, value, nameOf, where), remedyOf(problem, value));
}

/** A union reports each of its branches; the one that says the most is shown. */
function mostTelling(problems: readonly SchemaProblem[]): SchemaProblem {
  const order = ['additionalProperties', 'oneOf', 'enum', 'pattern', 'minimum', 'maximum'];
  const rank = ({ keyword }: SchemaProblem): number =>
    (order.indexOf(keyword) + order.length + 1) % (order.length + 1);
  return [...problems].sort((a, b) => rank(a) - rank(b))[0]!;
}

function describe(
  problem: SchemaProblem,
  value: unknown,
  nameOf: (key: string) => string,
  where: string,
): string {
  const [key, ...rest] = problem.path.split('/').slice(1);
  if (problem.keyword === 'additionalProperties') {
    const unknown = String(problem.params.additionalProperty);
    return `${where} has an unknown key "${[key, ...rest, unknown].filter((part) => part !== undefined).join('.')}".`;
  }
  if (key === undefined) return `${where} ${problem.message}.`;
  const name = [nameOf(key), ...rest].join('.');
  return `${name} is ${JSON.stringify(valueAt(value, [key, ...rest]))}: ${ruleOf(problem, key)}.`;
}

function ruleOf(problem: SchemaProblem, key: string): string {
  if (key === 'omega') return 'it must be a whole number from 1 to 10, or auto';
  if (problem.keyword === 'enum')
    return `it must be one of ${(problem.params.allowedValues as string[]).join(', ')}`;
  if (/maxTime|Timeout|Silence|Delay/i.test(problem.path) && problem.keyword === 'pattern')
    return 'it must be a duration such as 500ms, 30s, 10m or 2h';
  if (key === 'checks' && problem.keyword === 'minLength') return 'a check is given as NAME=COMMAND';
  if (key === 'weights') return 'a weight is a number of 0 or more, as in tests=0.5,types=0.3';
  return `it ${problem.message}`;
}

function remedyOf({ keyword, params, path }: SchemaProblem, value: unknown): string {
  const listed = 'ralph run --help lists the options and their values.';
  if (keyword === 'enum') {
    const meant = nearest(String(valueAt(value, path.split('/').slice(1))), params.allowedValues as string[]);
    return meant === undefined ? listed : `Did you mean ${meant}?`;
  }
  if (keyword !== 'additionalProperties') return listed;
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
