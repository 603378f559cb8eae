/**
 * Generates the types in `src/schema/generated.ts` from `schemas/*.json`. With `--check` it writes nothing, and exits with
 * 1 if the file differs.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';

const root = join(import.meta.dirname, '..');
const schemaDir = join(root, 'schemas');
const target = join(root, 'src', 'schema', 'generated.ts');

const files = (await readdir(schemaDir)).filter((name) => name.endsWith('.schema.json')).sort();
const umbrella = {
  title: 'EverySchema',
  type: 'object',
  additionalProperties: false,
  required: files,
  properties: Object.fromEntries(files.map((file) => [file, { $ref: `./${file}` }])),
} as JSONSchema;

const types = await compile(umbrella, 'EverySchema', {
  cwd: `${schemaDir}/`,
  bannerComment: '/* Generated from schemas/*.json by `npm run generate`. Do not edit. */',
  ignoreMinAndMaxItems: true,
  style: { singleQuote: true, printWidth: 110 },
});

const { properties } = JSON.parse(await readFile(join(schemaDir, 'config.schema.json'), 'utf8')) as {
  properties: Record<string, { default?: unknown }>;
};
const defaulted = Object.keys(properties).filter((key) => properties[key]!.default !== undefined);
const generated = `${types}/** Settings that have a default in the schema. */
export type DefaultedSetting = ${defaulted.map((key) => `'${key}'`).join(' | ')};
`;

if (process.argv.includes('--check')) {
  const committed = await readFile(target, 'utf8').catch(() => '');
  if (committed !== generated) {
    console.error('src/schema/generated.ts differs from schemas/*.json: run `npm run generate`.');
    process.exitCode = 1;
  }
} else {
  await writeFile(target, generated);
}
