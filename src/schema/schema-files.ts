import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EverySchema } from './generated.ts';
import { packageFile } from '../platform/package-files.ts';

/** `reflection.schema.json` → `reflection`. */
export type SchemaName = keyof EverySchema extends infer Key
  ? Key extends `${infer Name}.schema.json`
    ? Name
    : never
  : never;

/** A schema, or a definition in one that is checked by itself. */
export type CheckedName = SchemaName | 'self-reflection';

/** Folder with `*.schema.json`. */
export const SCHEMA_DIR = packageFile('schemas');

const SELF_REFLECTION = 'SelfReflection';

/** By which ajv knows it: the `$id` of the file, with a pointer where a definition in it is meant. */
export function schemaId(name: CheckedName): string {
  const [file, pointer] =
    name === 'self-reflection' ? ['reflection', `#/$defs/${SELF_REFLECTION}`] : [name, ''];
  return `https://ralph-reflexion.dev/schemas/${file}.schema.json${pointer}`;
}

/** The definition of a self-reflection as it is written. */
export function readSelfReflectionSchema(): object {
  const text = readFileSync(join(SCHEMA_DIR, 'reflection.schema.json'), 'utf8');
  const { $defs } = JSON.parse(text) as { readonly $defs: Readonly<Record<string, object>> };
  return $defs[SELF_REFLECTION]!;
}
