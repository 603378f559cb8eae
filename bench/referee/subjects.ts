import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFile } from '../../src/platform/package-files.ts';
import type { WireReply } from '../../test/support/wire/index.ts';
import { commitRepository } from '../repository.ts';

/** The tool whose failures a generated repository has. */
export const TOOLS = ['node', 'vitest', 'tsc', 'eslint'] as const;
export type Tool = (typeof TOOLS)[number];

/** Who makes the attempts. */
export const ACTORS = ['search', 'command', 'model'] as const;
export type ActorName = (typeof ACTORS)[number];

/** One change of one attempt: the first occurrence of a text of a file and its replacement; an empty text adds to its end. */
export interface ScriptedEdit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Every line gets the line end of Windows too. */
  readonly isWindows?: boolean;
}

/** A generated repository, with what a scripted actor does in each attempt. */
export interface Subject {
  readonly files: Readonly<Record<string, string>>;
  readonly attempts: readonly (readonly ScriptedEdit[])[];
}

const SOURCES: Readonly<Record<Tool, string>> = { node: 'js', vitest: 'js', tsc: 'ts', eslint: 'js' };

/** A repository with three mistakes, varied by the seed: bounds, operators and constants. */
export function makeSubject(tool: Tool, seed: number): Subject {
  const by = (seed % 4) + 2;
  const end = SOURCES[tool];
  const [file, other] = [`src/stock.${end}`, `src/text.${end}`];
  const number = tool === 'tsc' ? ': number' : '';
  const stock = [
    `export function pages(items${number}, size${number})${number} {`,
    '  const count = items / size;',
    '  return Math.floor(count);',
    '}',
    `export function price(net${number})${number} {`,
    `  return net - ${by};`,
    '}',
    `export function isSmall(value${number}) {`,
    tool === 'eslint' ? `  return value == ${by};` : `  return value > ${by};`,
    '}',
    ...(tool === 'tsc'
      ? [`export const label: string = ${by};`, `export const size: number = 'x${by}';`]
      : []),
    ...(tool === 'eslint' ? ['const unused = 1;'] : []),
    '',
  ].join('\n');
  const text = [
    `export function shout(word${tool === 'tsc' ? ': string' : ''}) {`,
    '  return word.toUpperCase();',
    '}',
    '',
  ].join('\n');
  const attempts: ScriptedEdit[][] = [
    // Another function than the failing ones, then only a comment, the same again, and one of the mistakes.
    [{ file: other, from: 'word.toUpperCase()', to: '`${word.toUpperCase()}`.trim()' }],
    [{ file: 'src/notes.md', from: '', to: `# Notes ${seed}\n` }],
    [{ file, from: 'Math.floor(count)', to: 'Math.round(count)' }],
    [{ file, from: 'Math.floor(count)', to: 'Math.round(count)' }],
    [{ file, from: `net - ${by}`, to: `net + ${by}` }],
    [
      { file, from: 'items / size', to: 'items * size' },
      { file: other, from: 'word.toUpperCase()', to: 'word.toLowerCase()' },
    ],
    [{ file, from: 'return Math.floor(count);', to: 'return Math.floor(count;' }],
    [],
    // One mistake mended and another made, other line ends, and the same error of a tool at a second place.
    [
      { file, from: `net - ${by}`, to: `net + ${by}` },
      { file: other, from: 'word.toUpperCase()', to: 'word.toLowerCase()' },
    ],
    [{ file, from: `net - ${by}`, to: `net * ${by}`, isWindows: true }],
    ...(tool === 'tsc'
      ? [[{ file, from: 'export const size', to: `export const tag: string = ${by};\nexport const size` }]]
      : []),
    ...(tool === 'eslint'
      ? [
          [
            {
              file,
              from: 'const unused',
              to: `export const isSame = (value) => value == ${by};\nconst unused`,
            },
          ],
        ]
      : []),
  ];
  return { files: { ...common(tool, by), [file]: stock, [other]: text }, attempts: rotated(attempts, seed) };
}

function rotated<T>(items: readonly T[], by: number): T[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

function common(tool: Tool, by: number): Record<string, string> {
  const scripts: Record<Tool, Record<string, string>> = {
    node: { test: 'node --test' },
    vitest: { test: 'vitest run' },
    tsc: { test: 'tsc --noEmit -p .' },
    eslint: { test: 'eslint src', lint: 'eslint src' },
  };
  const manifest = { name: 'subject', private: true, type: 'module', scripts: scripts[tool] };
  const calls = [
    ['counts a last page that is not full', 'pages(21, 10)', '3'],
    ['adds to the price', 'price(10)', String(10 + by)],
    ['knows what is not small', `isSmall(${by})`, 'true'],
    ['shouts', "shout('a')", "'A'"],
  ] as const;
  const imports =
    "import { pages, price, isSmall } from '../src/stock.js';\nimport { shout } from '../src/text.js';\n";
  const tests: Record<Tool, Record<string, string>> = {
    node: {
      'test/stock.test.js': `import test from 'node:test';\nimport assert from 'node:assert/strict';\n${imports}\n${calls
        .map(([title, call, value]) => `test('${title}', () => {\n  assert.equal(${call}, ${value});\n});\n`)
        .join('')}`,
    },
    vitest: {
      'test/stock.test.js': `import { expect, test } from 'vitest';\n${imports}\n${calls
        .map(([title, call, value]) => `test('${title}', () => {\n  expect(${call}).toBe(${value});\n});\n`)
        .join('')}`,
    },
    tsc: {
      'tsconfig.json': JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: [] },
        include: ['src'],
      }),
    },
    eslint: {
      'eslint.config.js':
        "export default [{ files: ['src/**/*.js'], rules: { eqeqeq: 'error', 'no-unused-vars': 'error', 'max-params': ['error', 1] } }];\n",
    },
  };
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    '.gitignore': 'node_modules\n.aiwg\n',
    ...tests[tool],
  };
}

/** Writes and commits a subject; its packages are those of this repository. */
export function writeSubject(root: string, { files }: Subject): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  symlinkSync(packageFile('node_modules'), join(root, 'node_modules'));
  commitRepository(root);
}

/** A program for `--command` that makes the scripted edits of the running attempt. */
export function commandProgram(attempts: Subject['attempts']): string {
  return [
    "import { existsSync, readFileSync, writeFileSync } from 'node:fs';",
    `const attempts = ${JSON.stringify(attempts)};`,
    'const edits = attempts[(Number(process.env.RALPH_ITERATION) - 1) % attempts.length];',
    'for (const { file, from, to, isWindows } of edits) {',
    "  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';",
    '  const edited = from === "" ? text + to : text.replace(from, to);',
    '  writeFileSync(file, isWindows ? edited.replaceAll("\\n", "\\r\\n") : edited);',
    '}',
    "console.log(edits.length === 0 ? 'Nothing to do.' : 'Done.');",
    '',
  ].join('\n');
}

/** The replies of a model that makes the scripted edits, one conversation per attempt; some are mute, refuse or run in vain. */
export function modelReplies(attempts: Subject['attempts'], seed: number): WireReply[][] {
  const others: WireReply[][] = [
    seed % 2 === 0
      ? [{ text: 'Sorry.', finish: 'filter' }]
      : [{ text: "I'm sorry, but I can't help with that." }],
    [{ toolCalls: [{ name: 'bash', input: { command: 'false' } }] }, { text: 'I could not run anything.' }],
    [{ text: 'All 57 tests pass now.' }],
  ];
  const edits = attempts.slice(0, 4).map((changes): WireReply[] => [
    ...changes.map(({ file, from, to }): WireReply => ({
      toolCalls: [
        from === ''
          ? { name: 'write', input: { path: file, content: to } }
          : { name: 'edit', input: { path: file, edits: [{ oldText: from, newText: to }] } },
      ],
    })),
    { text: 'Done.' },
  ]);
  return rotated([others[seed % 3]!, ...edits, others[(seed + 1) % 3]!], seed);
}
