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
  /** In commander's notation: `-i, --max-iterations <n>`. Undefined: only a configuration file can set it. */
  readonly flag: string | undefined;
  /** `maxIterations` → `RALPH_MAX_ITERATIONS`. */
  readonly variable: string;
  /** Undefined if there is no default, or if it depends on other settings. */
  readonly default: unknown;
  readonly parse: SettingParser;
  /** True if the flag can be given several times, each adding to the earlier values. */
  readonly isRepeatable: boolean;
}

/** The schema keywords of a property that describe a setting. */
export interface SettingSchema {
  readonly type?: string;
  readonly oneOf?: readonly { readonly type?: string }[];
  readonly additionalProperties?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly group?: string;
  readonly flag?: string;
  /** Separates the items of a list in one text; undefined: a text is one item. */
  readonly separator?: string;
}

let cached: readonly Setting[] | undefined;

/** All settings, in the order of the schema. */
export function allSettings(): readonly Setting[] {
  return (cached ??= Object.entries(configProperties()).flatMap(([key, schema]) =>
    schema.group === undefined ? [] : [toSetting(key as SettingKey, schema)],
  ));
}

/** The settings that have a flag and a variable. */
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
    isRepeatable: schema.type === 'array' || acceptsNamedTexts(schema),
  };
}

/** True for an object of texts, such as `--check NAME=COMMAND`. */
function acceptsNamedTexts({ type, additionalProperties }: SettingSchema): boolean {
  return type === 'object' && (additionalProperties as SettingSchema | undefined)?.type === 'string';
}
