import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { median, time, timeLoop } from './measure.ts';
import { commit } from './repository.ts';

const MODULES = join(import.meta.dirname, '..', 'node_modules');
const OTHER_FILES = 12;

/** A small function, and what no small edit can make of it: the search goes on to its bounds. */
const SUBJECT = `/** Words of a title, joined for an address. */
export function slug(title: string, max = 20): string {
  const words = title.toLowerCase().split(' ');
  let result = '';
  for (const word of words) {
    if (result.length + word.length > max) break;
    result += word + '-';
  }
  return result;
}
`;
const TESTS = `import { expect, it } from 'vitest';
import { slug } from '../src/slug';
it('joins', () => expect([...slug('Hello World')].reverse().map((c) => c.codePointAt(0)).join('')).toBe('77'));
it('drops', () => expect(slug('Hello  World, again').length * slug('a').length).toBe(-1));
it('cuts', () => expect(slug('one two three', 4)).toBe('one-'));
`;

/**
 * Edits tried a second through `ralph run` in a vitest repository of 13 source files: in the trials, and over the
 * whole attempt with tracing and single runs; and how many of these fit in the time of one `npm test`.
 */
export async function measureSearch(runs: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-search-'));
  try {
    write(folder);
    commit(folder);
    const tests: number[] = [];
    for (let run = 0; run < runs; run++) tests.push((await time('npm', ['test'], folder)).ms);
    const { events } = await timeLoop(['--max-iterations', '1'], folder);
    const attempt = events.find((event) => event.type === 'actor_finished');
    if (attempt === undefined) throw new Error('The loop made no attempt.');
    const { actions, duration_ms, ruled_out } = attempt.trajectory;
    const whole = ruled_out.tried / (duration_ms / 1000);
    const batches = actions.map(
      ({ description }) => /^Tried (\d+) edits .* (\d+) ms:/.exec(description) ?? [],
    );
    const sum = (group: number): number =>
      batches.reduce((total, batch) => total + Number(batch[group] ?? 0), 0);
    const trials = sum(1) / (sum(2) / 1000);
    const seconds = median(tests) / 1000;
    return (
      `search    ${trials.toFixed(0)} edits a second in its trials, starts of the runner included; ` +
      `${whole.toFixed(0)} over the whole attempt (${ruled_out.tried} in ${(duration_ms / 1000).toFixed(1)} s); ` +
      `${(whole * seconds).toFixed(0)} in the time of one npm test (${seconds.toFixed(2)} s)`
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(folder: string): void {
  const files: Record<string, string> = {
    'package.json': JSON.stringify({ name: 'subject', type: 'module', scripts: { test: 'vitest run' } }),
    '.gitignore': 'node_modules\n',
    'src/slug.ts': SUBJECT,
    'test/slug.test.ts': TESTS,
  };
  for (let index = 1; index <= OTHER_FILES; index++) {
    files[`src/part${index}.ts`] =
      `export const add${index} = (n: number): number => n + ${index};\nexport const tag${index} = (s: string): string => s.trim() + ${index};\n`;
    files[`test/part${index}.test.ts`] =
      `import { expect, it } from 'vitest';\nimport { add${index}, tag${index} } from '../src/part${index}';\n` +
      `it('adds', () => expect(add${index}(1)).toBe(${index + 1}));\nit('tags', () => expect(tag${index}(' a ')).toBe('a${index}'));\n`;
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(MODULES, join(folder, 'node_modules'), 'dir');
}
