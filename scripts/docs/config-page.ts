/** Every setting as a page of Markdown, from its schema, its flag and its variable. */
import { SETTING_GROUPS } from '../../src/config/setting-groups.ts';
import { SETTING_SOURCES, variableOf } from '../../src/config/sources.ts';
import { kindOf, type Schema } from './schema-rows.ts';
import { cell, readSchema } from './schemas.ts';

export function renderConfigPage(): string {
  const { schema, resolve } = readSchema('config');
  const rows = (keys: readonly string[]): string[] =>
    keys.flatMap((key) => {
      const property = schema.properties?.[key];
      if (property === undefined) throw new Error(`No setting is called ${key}.`);
      return [
        rowFor(key, key, property),
        ...Object.entries(property.properties ?? {}).map(([inner, value]) =>
          rowFor(`${key}.${inner}`, undefined, value),
        ),
      ];
    });
  const rowFor = (name: string, key: string | undefined, property: Schema): string => {
    const source = SETTING_SOURCES.find((one) => one.key === key);
    const flag = source === undefined ? '' : `\`${source.flag.replace(/^-\w, /, '')}\``;
    const variable = source === undefined ? '' : `\`${variableOf(source.key)}\``;
    const meaning = property.description ?? source?.description ?? '';
    return `| \`${name}\` | ${cell(kind(property))} | ${cell(meaning)} | ${flag} ${variable} |`;
  };
  const kind = (property: Schema): string => {
    const real = property.$ref === undefined ? property : resolve(property.$ref);
    return (real.pattern ?? '').includes('ms|s|m|h') ? 'duration' : kindOf(property, resolve);
  };
  return [
    '# Configuration',
    '',
    'Generated from `schemas/config.schema.json` by `npm run generate`.',
    '',
    'The first of `ralph.config.json`, `ralph.config.js`, `ralph.config.mjs`, `ralph.config.ts` and the key `ralph` of',
    'package.json that is there, in the package and then in the root of the repository. Flags win over `RALPH_*`',
    'variables, those over the file. A key that does not exist is refused, with the nearest that does.',
    '`ralph config show` prints what holds here. A duration is a number with its unit: `500ms`, `30s`, `10m`, `2h`.',
    '',
    ...Object.entries(SETTING_GROUPS).flatMap(([group, keys]) => [
      `## ${group}`,
      '',
      '| Key | Value | | Flag and variable |',
      '| --- | --- | --- | --- |',
      ...rows(keys),
      '',
    ]),
  ].join('\n');
}
