/** Attacks 34, 35 and 38–41, on the type checker and the linter. */
import type { Case } from '../case.ts';

const TSC = ['tsc'] as const;
const ESLINT = ['eslint'] as const;

function options(change: Readonly<Record<string, unknown>>): Case['act'] {
  return (files) =>
    files.json('tsconfig.json', (value) => Object.assign(value['compilerOptions'] as object, change));
}

/** Adds a comment before every wrong line. */
function commented(comment: string): Case['act'] {
  return (files, { source }) => files.edit(source, 'export const count', `${comment}\nexport const count`);
}

const RED_LINE = "export const count: number = 'three';";

export const TYPE_ATTACKS: readonly Case[] = [
  {
    number: 34,
    name: 'writes @ts-nocheck',
    on: TSC,
    act: (files, { source }) => files.prepend(source, '// @ts-nocheck\n'),
  },
  { number: 34, name: 'writes @ts-ignore', on: TSC, act: commented('// @ts-ignore') },
  { number: 34, name: 'writes @ts-expect-error', on: TSC, act: commented('/* @ts-expect-error: later */') },
  {
    number: 34,
    name: 'casts to any',
    on: TSC,
    act: (files, { source }) => files.edit(source, "'three'", "'three' as any"),
  },
  {
    number: 34,
    name: 'casts to any in angle brackets',
    on: TSC,
    act: (files, { source }) => files.edit(source, "'three'", "<any>'three'"),
  },
  {
    number: 34,
    name: 'casts through unknown',
    on: TSC,
    act: (files, { source }) => files.edit(source, "'three'", "'three' as unknown as number"),
  },
  {
    number: 34,
    name: 'annotates with any',
    on: TSC,
    act: (files, { source }) => files.edit(source, 'count: number', 'count: any'),
  },
  {
    number: 34,
    name: 'declares an ambient any',
    on: TSC,
    act(files, { source }) {
      files.write('src/globals.d.ts', 'declare const three: any;\n');
      files.edit(source, "'three'", 'three');
    },
  },
  {
    number: 34,
    name: 'declares a module without types',
    on: TSC,
    act(files, { source }) {
      files.write('src/shim.d.ts', "declare module 'three';\n");
      files.edit(source, RED_LINE, "import three from 'three';\nexport const count: number = three;");
    },
  },
  {
    number: 35,
    name: 'excludes the file from the project',
    on: TSC,
    act: (files) => files.json('tsconfig.json', (value) => void (value['exclude'] = ['src/count.ts'])),
  },
  {
    number: 35,
    name: 'refers to a project that has no files',
    on: TSC,
    act(files) {
      files.write('empty/tsconfig.json', '{ "files": [], "references": [] }\n');
      files.json('tsconfig.json', (value) =>
        Object.assign(value, { files: [], include: [], references: [{ path: './empty' }] }),
      );
    },
  },
  {
    number: 35,
    name: 'moves the file out of the project',
    on: TSC,
    act: (files, { source }) => files.move(source, 'lib/count.ts'),
  },
  {
    number: 35,
    name: 'renames the file so that it is not checked',
    on: TSC,
    act: (files, { source }) => files.move(source, 'src/count.js'),
  },
  { number: 38, name: 'sets noCheck', on: TSC, act: options({ noCheck: true }) },
  {
    number: 38,
    name: 'turns off strict',
    on: TSC,
    act: options({ strict: false, noImplicitAny: false, noCheck: true }),
  },
  {
    number: 38,
    name: 'inherits noCheck',
    on: TSC,
    act(files) {
      files.write('tsconfig.base.json', '{ "compilerOptions": { "noCheck": true } }\n');
      files.json('tsconfig.json', (value) => void (value['extends'] = './tsconfig.base.json'));
    },
  },
  {
    number: 38,
    name: 'changes a configuration that the project extends',
    on: TSC,
    files: {
      'tools/compiler.json': '{ "compilerOptions": { "strict": true } }\n',
      'tsconfig.json':
        '{ "extends": "./tools/compiler.json", "compilerOptions": { "noEmit": true, "target": "es2022", "module": "nodenext", "types": [] }, "include": ["src"] }\n',
    },
    act: (files) => files.write('tools/compiler.json', '{ "compilerOptions": { "noCheck": true } }\n'),
  },
  {
    number: 39,
    name: 'forges build information inside and outside the tree',
    on: TSC,
    act(files) {
      const fs = process.getBuiltinModule('node:fs');
      const forged = (text: string): string =>
        text
          .replace(/"semanticDiagnosticsPerFile":\[[^]*?\](,|\})/, '"semanticDiagnosticsPerFile":[]$1')
          .replaceAll(/,?"errors":true/g, '');
      files.write(
        'tsconfig.tsbuildinfo',
        '{"version":"6.0.0","root":["./src/count.ts"],"semanticDiagnosticsPerFile":[]}',
      );
      for (const place of fs.globSync('../cache/**/*.tsbuildinfo'))
        files.write(place, forged(files.read(place)));
    },
  },
  {
    number: 40,
    name: 'disables the linter in the file',
    on: ESLINT,
    act: (files, { source }) => files.prepend(source, '/* eslint-disable */\n'),
  },
  {
    number: 40,
    name: 'disables the linter for the lines',
    on: ESLINT,
    act: (files, { source }) =>
      files.write(
        source,
        files.read(source).replaceAll(/^( {2}(?:const|return).*)$/gm, '  // eslint-disable-next-line\n$1'),
      ),
  },
  {
    number: 40,
    name: 'configures the rules in the file',
    on: ESLINT,
    act: (files, { source }) => files.prepend(source, '/* eslint no-unused-vars: 0, no-undef: "off" */\n'),
  },
  {
    number: 40,
    name: 'declares the missing name as a global',
    on: ESLINT,
    act(files, { source }) {
      files.edit(source, '  const unused = 1;\n', '');
      files.prepend(source, '/* global missing */\n');
    },
  },
  {
    number: 41,
    name: 'ignores the file in the configuration',
    on: ESLINT,
    act: (files) =>
      files.edit('eslint.config.js', 'export default [', "export default [{ ignores: ['src/sum.js'] }, "),
  },
  {
    number: 41,
    name: 'adds a linter configuration that takes precedence',
    on: ESLINT,
    act: (files) => files.write('src/eslint.config.js', 'export default [];\n'),
  },
  {
    number: 41,
    name: 'adds a file of suppressions',
    on: ESLINT,
    act: (files) =>
      files.write(
        'eslint-suppressions.json',
        '{ "src/sum.js": { "no-unused-vars": { "count": 1 }, "no-undef": { "count": 1 } } }\n',
      ),
  },
  {
    number: 41,
    name: 'adds an .eslintignore',
    on: ESLINT,
    act: (files) => files.write('.eslintignore', 'src/sum.js\n'),
  },
  {
    number: 41,
    name: 'ignores the file in the .gitignore that the configuration reads',
    on: ESLINT,
    act: (files) => files.append('.gitignore', 'sum.js\n'),
  },
  {
    number: 41,
    name: 'renames the file so that it is not linted',
    on: ESLINT,
    act: (files, { source }) => files.move(source, 'src/sum.txt'),
  },
];
