import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_DIR } from '../../src/schema/schema-files.ts';
import type { Resolve, Schema } from './schema-rows.ts';

/** One of `schemas/*.json`, with a function that resolves its references. */
export function readSchema(name: string): { readonly schema: Schema; readonly resolve: Resolve } {
  const schema = read(`${name}.schema.json`);
  const resolve: Resolve = (reference) => {
    const [file = '', pointer = ''] = reference.split('#');
    const from = file === '' ? schema : read(file);
    const found = pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], from) as Schema;
    return found.$ref === undefined
      ? found
      : file === ''
        ? resolve(found.$ref)
        : readSchema(file.replace('.schema.json', '')).resolve(found.$ref);
  };
  return { schema, resolve };
}

function read(file: string): Schema {
  return JSON.parse(readFileSync(join(SCHEMA_DIR, file), 'utf8')) as Schema;
}

/** Text escaped for a cell of a Markdown table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;').replaceAll('*', '\\*');
}
