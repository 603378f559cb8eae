import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { SCHEMA_DIR } from './schema-files.ts';

/** Creates an ajv with all of `schemas/*.json`, each compiled on first use. `source` keeps the code of compiled validators. */
export function createCompiler({ source = false }: { readonly source?: boolean } = {}): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, code: { source } });
  formats.default(ajv);
  // Used by the type generator only.
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
