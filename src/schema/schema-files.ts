import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EverySchema } from './generated.ts';
import { packageFile } from '../platform/package-files.ts';

/** Name of a schema file without its ending: `reflection` for `reflection.schema.json`. */
export type SchemaName = keyof EverySchema extends infer Key
  ? Key extends `${infer Name}.schema.json`
    ? Name
    : never
  : never;

/** A schema, or a definition with a validator of its own. */
export type CheckedName = SchemaName | 'self-reflection';

/** Folder with `*.schema.json`. */
export const SCHEMA_DIR = packageFile('schemas');

const SELF_REFLECTION = 'SelfReflection';

/** The id of a schema in ajv: the `$id` of the file, followed by a pointer for a definition in it. */
export function schemaId(name: CheckedName): string {
  const [file, pointer] =
    name === 'self-reflection' ? ['reflection', `#/$defs/${SELF_REFLECTION}`] : [name, ''];
  return `https://ralph-reflexion.dev/schemas/${file}.schema.json${pointer}`;
}

/** Reads the definition of a self-reflection. */
export function readSelfReflectionSchema(): object {
  const text = readFileSync(join(SCHEMA_DIR, 'reflection.schema.json'), 'utf8');
  const { $defs } = JSON.parse(text) as { readonly $defs: Readonly<Record<string, object>> };
  return $defs[SELF_REFLECTION]!;
}
