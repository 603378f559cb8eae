import { readFileSync } from 'node:fs';
import { packageFile } from '../platform/package-files.ts';
import type { Config } from '../schema/generated.ts';
import { parserFor, type SettingParser } from './setting-text.ts';

export type SettingKey = Exclude<keyof Config, '$schema'>;

/** One key of the configuration, as `schemas/config.schema.json` declares it. */
export interface Setting {
  readonly key: SettingKey;
  /** Heading in `--help`, the man page and the reference. */
  readonly group: string;
  readonly description: string;
  /** As commander writes flags: `-i, --max-iterations <n>`. Undefined: only a file can set it. */
  readonly flag: string | undefined;
  /** `maxIterations` → `RALPH_MAX_ITERATIONS`. */
  readonly variable: string;
  /** Undefined where the default depends on other settings, or is "not set". */
  readonly default: unknown;
  readonly parse: SettingParser;
  /** True for settings that are given several times: each use adds to the earlier ones. */
  readonly isRepeatable: boolean;
}

/** The keywords of a property that are read here. */
export interface SettingSchema {
  readonly type?: string;
  readonly oneOf?: readonly { readonly type?: string }[];
  readonly additionalProperties?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly group?: string;
  readonly flag?: string;
  /** Between the items of a list in one text; without it, a text is one item. */
  readonly separator?: string;
}

let known: readonly Setting[] | undefined;

/** Every setting, in the order of the schema. */
export function allSettings(): readonly Setting[] {
  return (known ??= Object.entries(configProperties()).flatMap(([key, schema]) =>
    schema.group === undefined ? [] : [toSetting(key as SettingKey, schema)],
  ));
}

/** The settings that a flag or a variable can give. */
export function flagSettings(): readonly (Setting & { readonly flag: string })[] {
  return allSettings().filter((setting): setting is Setting & { flag: string } => setting.flag !== undefined);
}

/** The properties of the configuration's schema. */
export function configProperties(): Readonly<Record<string, SettingSchema>> {
  const text = readFileSync(packageFile('schemas', 'config.schema.json'), 'utf8');
  return (JSON.parse(text) as { properties: Record<string, SettingSchema> }).properties;
}

/** `maxIterations` → `RALPH_MAX_ITERATIONS`. */
export function variableOf(key: string): string {
  return `RALPH_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

function toSetting(key: SettingKey, schema: SettingSchema): Setting {
  return {
    key,
    group: schema.group!,
    description: schema.description ?? '',
    flag: schema.flag,
    variable: variableOf(key),
    default: schema.default,
    parse: parserFor(schema),
    isRepeatable: schema.type === 'array' || takesNamedTexts(schema),
  };
}

/** `--check NAME=COMMAND`: an object of texts. */
function takesNamedTexts({ type, additionalProperties }: SettingSchema): boolean {
  return type === 'object' && (additionalProperties as SettingSchema | undefined)?.type === 'string';
}
