/** `schemas/*.json` → one program a schema: a run then neither loads ajv nor compiles anything. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import standalone from 'ajv/dist/standalone/index.js';
import { createCompiler } from '../src/schema/compiler.ts';
import { SCHEMA_DIR, schemaId, type CheckedName } from '../src/schema/schema-files.ts';

/** Writes `<name>.cjs` for every schema into a folder, which is made. */
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
    if (check === undefined) throw new Error(`No schema is called ${name}.`);
    writeFileSync(join(folder, `${name}.cjs`), standalone.default(ajv, check));
  }
}
