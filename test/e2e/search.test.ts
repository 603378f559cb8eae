import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { RALPH_PATHS } from '../../src/platform/ralph-folder.ts';
import { put, sampleReflection } from '../memory/sample.ts';
import { filesLoaded, holdsText } from '../support/loaded.ts';
import { ralph, type Finished } from '../support/ralph.ts';
import { repositoryWith } from '../support/repositories.ts';

const CHUNKS = join(import.meta.dirname, '..', '..', 'dist', 'chunks');

let root: string;
beforeAll(() => {
  root = repositoryWith({ 'README.md': '' });
  const add = (loop: string, iteration: number, lesson: string, fingerprint: string): void =>
    put(
      root,
      RALPH_PATHS.reflection(loop, iteration),
      sampleReflection({
        loop,
        iteration,
        lessons: [lesson],
        errors: [
          {
            type: 'test_failure',
            message: 'expected 3 to be 2',
            severity: 'error',
            check: 'tests',
            fingerprint,
          },
        ],
      }),
    );
  add('ralph-login', 0, 'The webhook answers with an empty body.', 'aaaaaaaaaaaa');
  add('ralph-login', 1, 'Sessions end at midnight.', 'bbbbbbbbbbbb');
  add('ralph-cart', 0, 'Prices are texts: the webhook sends them so.', 'aaaaaaaaaaaa');
});

async function paths(...args: readonly string[]): Promise<string[]> {
  const { stdout } = await ralph(root, ['reflections', 'search', '--format', 'json', ...args]);
  return (JSON.parse(stdout) as { path: string }[])
    .map(({ path }) => path.split('/').slice(-2).join('/'))
    .sort();
}

describe('ralph reflections search', () => {
  it('builds an index that git ignores at the first search, and updates it for changed files', async () => {
    expect(await paths('webhook')).toEqual(['ralph-cart/001.json', 'ralph-login/001.json']);
    expect(readdirSync(join(root, '.aiwg/ralph')).sort()).toEqual([
      '.gitignore',
      'index.sqlite',
      'index.sqlite-writer',
      'reflections',
    ]);
    put(
      root,
      '.aiwg/ralph/reflections/ralph-login/002.json',
      sampleReflection({ loop: 'ralph-login', iteration: 1, lessons: ['The webhook too.'] }),
    );
    expect(await paths('webhook')).toHaveLength(3);
    rmSync(join(root, '.aiwg/ralph/index.sqlite'));
    expect(await paths('webhook')).toHaveLength(3);
  });

  it('accepts words with filters, and filters alone', async () => {
    expect(await paths('webhook', '--fingerprint', 'aaaaaaaaaaaa', '--loop', 'ralph-cart')).toEqual([
      'ralph-cart/001.json',
    ]);
    expect(await paths('--loop', 'ralph-login')).toHaveLength(2);
    expect(await paths('--fingerprint', 'aaaaaaaaaaaa')).toHaveLength(2);
  });

  const wrong: [string[], string][] = [
    [['<='], '"<=" cannot be searched for'],
    [['--since', 'yesterday'], '--since "yesterday" is not a time'],
    [['--category', 'logic_eror'], 'Did you mean logic_error?'],
    [['--loop', 'ralph-none'], 'There is no loop ralph-none'],
  ];
  it.each(wrong)('refuses %j', async (args, said) => {
    const { exitCode, stderr } = await ralph(root, ['reflections', 'search', ...args]);
    expect([exitCode, stderr.includes(said)]).toEqual([2, true]);
  });

  it('loads neither the model layer nor the memory server', async () => {
    const loaded = await filesLoaded(root, ['reflections', 'search', 'webhook']);
    const built = readdirSync(CHUNKS).map((name) => join(CHUNKS, name));
    // Strings from the code of the search, the AI SDK and the MCP SDK, which survive bundling.
    const marks: [string, boolean][] = [
      ['CREATE VIRTUAL TABLE words', true],
      ['vercel.ai.error', false],
      ['io.modelcontextprotocol/', false],
    ];
    for (const [mark, isNeeded] of marks) {
      expect([mark, holdsText(built, mark), holdsText(loaded, mark)]).toEqual([mark, true, isNeeded]);
    }
  });
});

describe('ralph reflections export and import', () => {
  const json = (finished: Finished): Record<string, unknown> =>
    JSON.parse(finished.stdout) as Record<string, unknown>;

  it('copy a store to another repository and back without duplicates', async () => {
    const other = repositoryWith({ 'README.md': '' });
    const file = join(other, 'all.jsonl');
    const exported = await ralph(root, ['reflections', 'export', '--format', 'jsonl', '-o', file]);
    expect([exported.exitCode, exported.stdout]).toEqual([0, '']);
    const dry = json(await ralph(other, ['reflections', 'import', file, '--dry-run', '--format', 'json']));
    expect(dry).toMatchObject({ dry_run: true, imported: 3 });
    expect(readdirSync(other)).not.toContain('.aiwg');
    const done = json(await ralph(other, ['reflections', 'import', file, '--format', 'json']));
    expect(done).toEqual({ ...dry, dry_run: false });
    expect((await ralph(other, ['reflections', 'import', root])).stdout).toMatch(
      /^0 imported, 3 already present/,
    );
    const all = await ralph(other, ['reflections', 'export']);
    const own = JSON.parse((await ralph(root, ['reflections', 'export'])).stdout) as object[];
    expect(own).toHaveLength(3);
    expect(JSON.parse(all.stdout)).toEqual(own.map((reflection) => ({ ...reflection, imported: true })));
    expect((await ralph(other, ['reflections', 'validate'])).exitCode).toBe(0);
  });

  it('export filtered reflections as Markdown', async () => {
    const { stdout } = await ralph(root, [
      'reflections',
      'export',
      '--format',
      'markdown',
      '--loop',
      'ralph-cart',
    ]);
    expect(stdout).toMatch(/^# ralph-cart\n/);
    expect(stdout).not.toContain('ralph-login');
  });

  it('exit 2 if there is nothing to import', async () => {
    const missing = await ralph(root, ['reflections', 'import', '/none/such']);
    expect([missing.exitCode, missing.stderr.includes('/none/such cannot be read')]).toEqual([2, true]);
    put(root, 'notes.json', { hello: 1 });
    const none = await ralph(root, ['reflections', 'import', 'notes.json']);
    expect([none.exitCode, none.stdout.includes('1 refused')]).toEqual([2, true]);
  });
});
