/** Compiles `schemas/*.json` to JavaScript at build time, so that ralph does not have to load ajv. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import standalone from 'ajv/dist/standalone/index.js';
import { createCompiler } from '../src/schema/compiler.ts';
import { SCHEMA_DIR, schemaId, type CheckedName } from '../src/schema/schema-files.ts';

/** Makes a folder and writes the check of every schema to it as `<name>.cjs`. */
export function compileSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(SCHEMA_DIR).filter((file) => file.endsWith('.schema.json'));
  const names = [
    ...files.map((file) => file.replace('.schema.json', '')),
    'self-reflection',
  ] as CheckedName[];
  for (const name of names) {
    const ajv = createCompiler({ source: true });
    const check = ajv.getSchema(schemaId(name));
    if (check === undefined) throw new Error(`There is no schema ${name}.`);
    writeFileSync(join(folder, `${name}.cjs`), standalone.default(ajv, check));
  }
}
