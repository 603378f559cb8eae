import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from '../src/platform/files/temporary-folder.ts';
import { median, time, timeLoop } from './measure.ts';
import { commitRepository } from './repository.ts';

const MODULES = join(import.meta.dirname, '..', 'node_modules');
const OTHER_FILES = 12;

/** The test runners in whose repositories edits are counted. */
export type Runner = keyof typeof RUNNERS;

/** How the files of a repository with a runner are written. */
interface Layout {
  readonly command: string;
  /** Extension of its files. */
  readonly extension: 'ts' | 'js';
  /** Fields of package.json. */
  readonly fields: Readonly<Record<string, string>>;
  readonly exported: (name: string) => string;
  readonly imported: (names: string, file: string) => string;
}

const RUNNERS = {
  vitest: {
    command: 'vitest run',
    extension: 'ts',
    fields: { type: 'module' },
    exported: () => '',
    imported: (names, file) =>
      `import { expect, it } from 'vitest';\nimport { ${names} } from '../src/${file}';\n`,
  },
  jest: {
    command: 'jest',
    extension: 'js',
    fields: {},
    exported: (name) => `exports.${name} = ${name};\n`,
    imported: (names, file) => `const { ${names} } = require('../src/${file}');\n`,
  },
} satisfies Readonly<Record<string, Layout>>;

/** A small function whose tests no small edit can make pass, so that the search continues to its limits. */
const SUBJECT = `/** Words of a title, joined for an address. */
function slug(title: string, max = 20): string {
  const words = title.toLowerCase().split(' ');
  let result = '';
  for (const word of words) {
    if (result.length + word.length > max) break;
    result += word + '-';
  }
  return result;
}
`;
const TESTS = `it('joins', () => expect([...slug('Hello World')].reverse().map((c) => c.codePointAt(0)).join('')).toBe('77'));
it('drops', () => expect(slug('Hello  World, again').length * slug('a').length).toBe(-1));
it('cuts', () => expect(slug('one two three', 4)).toBe('one-'));
`;

/**
 * Measures the edits that `ralph run` tries per second in a repository of 13 source files: during the trials, and over
 * the whole attempt, which includes tracing and confirmation; and the edits tried in the time of one `npm test`.
 */
export async function measureSearch(runs: number, runner: Runner): Promise<string> {
  const folder = makeTemporaryFolder('bench-search');
  const repository = join(folder, 'repository');
  try {
    writeRepository(repository, RUNNERS[runner]);
    commitRepository(repository);
    const tests: number[] = [];
    for (let run = 0; run < runs; run++) tests.push((await time('npm', ['test'], repository)).ms);
    const { events } = await timeLoop(['--max-iterations', '1'], repository);
    const attempt = events.find((event) => event.type === 'actor_finished');
    if (attempt === undefined) throw new Error('The loop made no attempt.');
    const { actions, duration_ms, ruled_out } = attempt.trajectory;
    const whole = ruled_out.tried / (duration_ms / 1000);
    const batches = actions.map(
      ({ description }) => /^Tried (\d+) edits? .* (\d+) ms:/.exec(description) ?? [],
    );
    const sum = (group: number): number =>
      batches.reduce((total, batch) => total + Number(batch[group] ?? 0), 0);
    const trials = sum(1) / (sum(2) / 1000);
    const seconds = median(tests) / 1000;
    return (
      `search    ${runner}: ${trials.toFixed(0)} edits per second in the trials, with the starts of the test runner; ` +
      `${whole.toFixed(0)} per second over the whole attempt (${ruled_out.tried} in ${(duration_ms / 1000).toFixed(1)} s); ` +
      `${(whole * seconds).toFixed(0)} edits in the time of one npm test (${seconds.toFixed(2)} s)`
    );
  } finally {
    removeTemporaryFolder(folder);
  }
}

function writeRepository(folder: string, { command, extension, fields, exported, imported }: Layout): void {
  const written = (name: string, text: string): string =>
    extension === 'ts'
      ? text.replace(/^(?=function|const)/m, 'export ')
      : withoutTypes(text) + exported(name);
  const files: Record<string, string> = {
    'package.json': JSON.stringify({ name: 'subject', ...fields, scripts: { test: command } }),
    '.gitignore': 'node_modules\n',
    [`src/slug.${extension}`]: written('slug', SUBJECT),
    [`test/slug.test.${extension}`]: imported('slug', 'slug') + TESTS,
  };
  for (let index = 1; index <= OTHER_FILES; index++) {
    const [add, tag] = [`add${index}`, `tag${index}`];
    files[`src/part${index}.${extension}`] =
      written(add, `const ${add} = (n: number): number => n + ${index};\n`) +
      written(tag, `const ${tag} = (s: string): string => s.trim() + ${index};\n`);
    files[`test/part${index}.test.${extension}`] =
      `${imported(`${add}, ${tag}`, `part${index}`)}it('adds', () => expect(${add}(1)).toBe(${index + 1}));\n` +
      `it('tags', () => expect(${tag}(' a ')).toBe('a${index}'));\n`;
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(MODULES, join(folder, 'node_modules'), 'dir');
}

function withoutTypes(text: string): string {
  return text.replace(/: (?:string|number)/g, '');
}
