import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findAnyMember } from '../../../src/proof/types/any-members.ts';
import type { Diagnostic } from '../../../src/schema/generated.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

const ROW = 'export interface Row { id: number; name: string }\n';
const LABEL =
  'import type { Row } from "./row.js";\nexport const label = (r: Row): string => r.title + r.id;\n';
const CONFIG = {
  compilerOptions: { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', skipLibCheck: true },
  include: ['src'],
};
const PROBLEM: Diagnostic = {
  ...{
    type: 'type_error',
    severity: 'error',
    check: 'types',
    fingerprint: 'a',
    file: 'src/label.ts',
    line: 2,
  },
  message: "Property 'title' does not exist on type 'Row'.",
};

interface Change {
  readonly row?: string;
  readonly label?: string;
  readonly declared?: string;
}

/** What is found in a tree whose sources replace `ROW` and `LABEL`. */
function found(
  { row = ROW, label = LABEL, declared }: Change,
  before = [PROBLEM],
): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { type: 'module' },
    'tsconfig.json': CONFIG,
    ...{ 'src/row.ts': row, 'src/label.ts': label },
    ...(declared !== undefined && { 'src/row-more.d.ts': declared }),
  });
  linkModules(root, ['typescript']);
  const request = {
    ...{ root, cacheDir: join(temporaryFolder(), 'cache'), fresh: true, timeoutMs: 50_000 },
    signal: new AbortController().signal,
  };
  const base = new Map([
    ['src/row.ts', ROW],
    ['src/label.ts', LABEL],
  ]);
  const baseText = (path: string): Promise<string | undefined> => Promise.resolve(base.get(path));
  const data = declared === undefined ? [] : ['src/row-more.d.ts'];
  const files = { request, sources: ['src/row.ts', 'src/label.ts'], data, baseText };
  return findAnyMember(createCheck(planFor('tsc')), files, before);
}

const MORE = 'import "./row.js";\ndeclare module "./row.js" { interface Row { title: any } }\n';

it.each<[string, Change, string]>([
  ['a member', { row: ROW.replace('name', 'title: any; name') }, '"title: any" in src/row.ts'],
  ['a member of a list', { row: ROW.replace('name', 'title: any[]; name') }, '"title: any[]" in src/row.ts'],
  [
    'every index',
    { row: ROW.replace('name', '[key: string]: any; name') },
    '"[key: string]: any" in src/row.ts',
  ],
  [
    'what an interface extends',
    { row: ROW.replace('Row', 'Row extends Record<"title", any>') },
    '"Record<"title", any>" in src/row.ts',
  ],
  [
    'what a type is joined with',
    { row: 'export type Row = { id: number; name: string } & Record<"title", any>;\n' },
    '"Record<"title", any>" in src/row.ts',
  ],
  [
    'a property of a class',
    { row: 'export class Row {\n  id = 0;\n  name = "";\n  title: any;\n}\n' },
    '"title: any" in src/row.ts',
  ],
  ['a whole type', { row: 'export type Row = any;\n' }, '"any" in src/row.ts'],
  ['an interface that is added to', { declared: MORE }, '"title: any" in src/row-more.d.ts'],
])('%s of the type any hides a problem', async (_name, change, shown) => {
  const sentence = await found(change);
  expect(sentence).toContain(shown);
  expect(sentence).toContain('hides a problem of the type checker');
});

it.each<[string, Change]>([
  [
    'any in the code of a class',
    {
      row: 'export class Row {\n  id = 0;\n  name = "";\n  title = "";\n  read(): void {\n    const it: any = this.id;\n    it();\n  }\n}\n',
    },
  ],
  ['a member with a type', { row: ROW.replace('name', 'title: string; name') }],
  ['the right name', { label: LABEL.replace('title', 'name') }],
  [
    'any that has nothing to do with it',
    { row: `${ROW}export type Loose = any;\n`, label: LABEL.replace('title', 'name') },
  ],
])('%s hides none', async (_name, change) => {
  expect(await found(change)).toBeUndefined();
});

it('asks nothing where no problem was reported before', async () => {
  expect(await found({ row: ROW.replace('name', 'title: any; name') }, [])).toBeUndefined();
});
