/** The output of `--format json` as a page of Markdown, from the schemas. */
import { rowsOf } from './schema-rows.ts';
import { cell, readSchema } from './schemas.ts';

/** A table of fields for the verdict and for a list of tasks. */
export function renderVerdictPage(): string {
  return [
    '# Verdict',
    '',
    'Generated from `schemas/verdict.schema.json` and `schemas/task-run.schema.json` by `npm run generate`.',
    '',
    '`ralph run`, `ralph resume` and `ralph evaluate` print exactly one object on standard output with `--format json`, and',
    'everything else on standard error. If a run cannot start, it is the same object with `status` `error`.',
    '',
    ...table('verdict'),
    '',
    '## A list of tasks',
    '',
    '`ralph run --tasks FILE --format json` prints one object for the whole list.',
    '',
    ...table('task-run', /\.verdict\b./),
    '',
  ].join('\n');
}

function table(name: string, without?: RegExp): string[] {
  const { schema, resolve } = readSchema(name);
  const rows = rowsOf(schema, resolve).filter(([path]) => without?.test(path) !== true);
  return [
    '| Field | Value | |',
    '| --- | --- | --- |',
    ...rows.map(([path, kind, meaning]) => `| \`${path}\` | ${cell(kind)} | ${cell(meaning)} |`),
  ];
}
