import { usageError } from '../errors.ts';
import type { Config } from '../schema/generated.ts';
import { findConfigFile, importConfig, type FoundConfig } from './config-file.ts';
import { withoutRemoved } from './removed-settings.ts';
import { flagSettings, variableOf } from './setting-list.ts';
import { requireTrust, wishOfData, wishOfProgram, type TrustRequest, type Wish } from './trust.ts';
import { validated } from './validated.ts';

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
  const fromEnv = validated(readVariables(env), variableOf, 'environment', usageError);
  const fromFlags = validated(flags, flagOf, 'command line', usageError);
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
