import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { SCHEMA_DIR } from './schema-files.ts';

/**
 * ajv with `schemas/*.json` in it, each compiled when it is first asked for. `source`: what it compiles can be
 * written out as a program.
 */
export function createCompiler({ source = false }: { readonly source?: boolean } = {}): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, code: { source } });
  formats.default(ajv);
  // For the generator of types alone.
  ajv.addVocabulary(['tsType']);
  // For the command line and the reference of settings (config/setting-list.ts).
  ajv.addVocabulary(['group', 'flag', 'separator']);
  for (const file of readdirSync(SCHEMA_DIR)) {
    if (file.endsWith('.schema.json')) {
      ajv.addSchema(JSON.parse(readFileSync(join(SCHEMA_DIR, file), 'utf8')) as object);
    }
  }
  return ajv;
}
