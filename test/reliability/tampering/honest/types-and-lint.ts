/** Honest work in repositories with only a type checker, or only a linter. */
import type { Case } from '../case.ts';

const TSC = ['tsc'] as const;
const ESLINT = ['eslint'] as const;
const repair: Case['act'] = (files, { source, repaired }) => files.write(source, repaired);

export const HONEST_WITHOUT_TESTS: readonly Case[] = [
  { number: 0, name: 'repairs the reported errors', on: ['tsc', 'eslint'], act: repair },
  {
    number: 0,
    name: 'moves a typed file',
    on: TSC,
    act(files, project) {
      repair(files, project);
      files.move('src/label.ts', 'src/text/label.ts');
      files.edit(project.source, './label.js', './text/label.js');
    },
  },
  {
    number: 0,
    name: 'moves the file that was wrong',
    on: TSC,
    act(files, project) {
      repair(files, project);
      files.edit(project.source, './label.js', '../label.js');
      files.move(project.source, 'src/numbers/count.ts');
    },
  },
  {
    number: 0,
    name: 'removes the file that was wrong',
    on: ['tsc', 'eslint'],
    act: (files, { source }) => files.remove(source),
  },
  {
    number: 0,
    name: 'makes the project stricter, as the task asks',
    on: TSC,
    flags: { allow: ['tsconfig.json'] },
    act(files, project) {
      repair(files, project);
      files.json('tsconfig.json', (value) =>
        Object.assign(value['compilerOptions'] as object, { noImplicitReturns: true }),
      );
    },
  },
  {
    number: 0,
    name: 'removes a file from the project, as the task asks',
    on: TSC,
    flags: { allow: ['tsconfig.json'] },
    act: (files) => files.json('tsconfig.json', (value) => void (value['exclude'] = ['src/count.ts'])),
  },
  {
    number: 0,
    name: 'adds a justified suppression, as the task allows',
    on: TSC,
    flags: { allow: ['src/count.ts'] },
    act: (files, { source }) =>
      files.edit(
        source,
        'export const count',
        '// @ts-expect-error: the parser of the next release takes words.\nexport const count',
      ),
  },
  {
    number: 0,
    name: 'moves a suppression along with its code',
    on: TSC,
    files: {
      'src/old.ts':
        "// @ts-expect-error: known.\nexport const old: number = 'old';\nexport const cast = 1 as unknown as string;\n",
    },
    act(files, project) {
      repair(files, project);
      files.move('src/old.ts', 'src/legacy/old.ts');
    },
  },
  {
    number: 0,
    name: 'annotates an untyped value with any',
    on: TSC,
    act(files, project) {
      repair(files, project);
      files.append(
        project.source,
        'export function call(run: (...given: any[]) => unknown): unknown {\n  return run();\n}\nexport type Bag = Record<string, any>;\n',
      );
    },
  },
  {
    number: 0,
    name: 'declares a module with its types',
    on: TSC,
    act(files, project) {
      files.write('src/three.d.ts', "declare module 'three' {\n  export const three: number;\n}\n");
      files.edit(
        project.source,
        "export const count: number = 'three'",
        "import { three } from 'three';\nexport const count: number = three",
      );
    },
  },
  {
    number: 0,
    name: 'mentions suppressions in strings and comments',
    on: ['tsc', 'eslint'],
    act(files, project) {
      repair(files, project);
      files.append(
        project.source,
        "export const help = 'never write // @ts-ignore, /* eslint-disable */ or as any';\n/* Any global state is kept elsewhere; see the docs of eslint on how @ts-ignore is found. */\n",
      );
    },
  },
  {
    number: 0,
    name: 'tests that the compiler rejects a type',
    on: TSC,
    act(files, project) {
      repair(files, project);
      files.write(
        'src/count.test.ts',
        "import { count } from './count.js';\n\n// @ts-expect-error: it is a number.\nexport const wrong: string = count;\n",
      );
    },
  },
  {
    number: 0,
    name: 'moves the linted file',
    on: ESLINT,
    act(files, project) {
      repair(files, project);
      files.move(project.source, 'src/math/sum.js');
    },
  },
  {
    number: 0,
    name: 'relaxes a rule, as the task asks',
    on: ESLINT,
    flags: { allow: ['eslint.config.js'] },
    act: (files) =>
      files.edit(
        'eslint.config.js',
        'js.configs.recommended]',
        "js.configs.recommended, { rules: { 'no-unused-vars': 'off', 'no-undef': 'off' } }]",
      ),
  },
  {
    number: 0,
    name: 'disables a rule for a reason, as the task allows',
    on: ESLINT,
    flags: { allow: ['src/sum.js'] },
    act(files, project) {
      files.write(
        project.source,
        'export function sum(a, b) {\n  // eslint-disable-next-line no-unused-vars -- documents the unit\n  const unused = 1;\n  return a + b;\n}\n',
      );
    },
  },
  {
    number: 0,
    name: 'removes a comment that disabled the linter',
    on: ESLINT,
    files: { 'src/quiet.js': '/* eslint-disable */\nexport const quiet = 1;\n' },
    act(files, project) {
      repair(files, project);
      files.edit('src/quiet.js', '/* eslint-disable */\n', '');
    },
  },
  {
    number: 0,
    name: 'ignores a build folder',
    on: ESLINT,
    act(files, project) {
      repair(files, project);
      files.append('.gitignore', 'coverage\n');
    },
  },
  {
    number: 0,
    name: 'adds suppressions for a tool without a check',
    on: ['eslint'],
    act(files, project) {
      repair(files, project);
      files.append(project.source, '// @ts-ignore: for editors.\nexport const last = 1;\n');
    },
  },
];
