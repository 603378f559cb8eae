/** Every setting as a page of Markdown, from its schema, its flag and its variable. */
import { allSettings, type Setting } from '../../src/config/setting-list.ts';
import { describeValues, type Schema } from './schema-rows.ts';
import { cell, readSchema } from './schemas.ts';

/** A table of settings for each group. */
export function renderConfigPage(): string {
  const { schema, resolve } = readSchema('config');
  const rows = (setting: Setting): string[] => {
    const property = schema.properties![setting.key]!;
    const inner = Object.entries(property.properties ?? {});
    return [
      rowFor(setting.key, property, setting),
      ...inner.map(([name, value]) => rowFor(`${setting.key}.${name}`, value)),
    ];
  };
  const rowFor = (name: string, property: Schema, setting?: Setting): string => {
    const flag = setting?.flag === undefined ? '' : `\`${setting.flag.replace(/^-\w, /, '')}\``;
    const variable = setting?.flag === undefined ? '' : `\`${setting.variable}\``;
    const value = isShown(property.default) ? ` Default: \`${JSON.stringify(property.default)}\`.` : '';
    const meaning = `${property.description ?? ''}${value}`;
    return `| \`${name}\` | ${cell(kind(property))} | ${cell(meaning)} | ${flag} ${variable} |`;
  };
  const kind = (property: Schema): string => {
    const real = property.$ref === undefined ? property : resolve(property.$ref);
    return (real.pattern ?? '').includes('ms|s|m|h') ? 'duration' : describeValues(property, resolve);
  };
  return [
    '# Configuration',
    '',
    'Generated from `schemas/config.schema.json` by `npm run generate`.',
    '',
    'Settings are read from the first of `ralph.config.json`, `ralph.config.js`, `ralph.config.mjs`, `ralph.config.ts` and',
    'the key `ralph` of package.json that exists, first in the package and then in the root of the repository. Flags',
    'override `RALPH_*` variables, and variables override the file. An unknown key is an error that names the nearest key.',
    '`ralph config show` prints the resolved settings. A duration is a number with a unit: `500ms`, `30s`, `10m`, `2h`.',
    '',
    ...[...Map.groupBy(allSettings(), ({ group }) => group)].flatMap(([group, settings]) => [
      `## ${group}`,
      '',
      '| Key | Value | | Flag and variable |',
      '| --- | --- | --- | --- |',
      ...settings.flatMap(rows),
      '',
    ]),
  ].join('\n');
}

/** False for undefined and for empty lists and maps. */
function isShown(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined;
}
