import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ralph, type Finished } from './ralph.ts';
import { repositoryWith, temporaryFolder, writeFiles, type Files } from './repositories.ts';

/** `adds` fails from the start; `doubles` and `negates` pass. */
export const SOURCE =
  'export const add = (a, b) => a - b;\nexport const twice = (a) => a * 2;\nexport const negate = (a) => -a;\n';
export const FIXED = SOURCE.replace('a - b', 'a + b');
export const BROKEN = SOURCE.replace('a * 2', 'a * 3');
export const FILES: Files = {
  'package.json': { name: 'sums', type: 'module', scripts: { test: 'node --test' } },
  'src/sums.js': SOURCE,
  'test/sums.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, negate, twice } from '../src/sums.js';
test('adds', () => assert.equal(add(1, 2), 3));
test('doubles', () => assert.equal(twice(2), 4));
test('negates', () => assert.equal(negate(2), -2));
`,
};

/** The same with a test that compares by an installed package, which git ignores. */
export const PACKAGE_FILES: Files = {
  ...FILES,
  'package.json': { ...(FILES['package.json'] as object), dependencies: { same: '1.0.0' } },
  '.gitignore': 'node_modules\n',
  'node_modules/same/package.json': { name: 'same', version: '1.0.0', type: 'module', exports: './index.js' },
  'node_modules/same/index.js':
    'export const same = (a, b) => { if (a !== b) throw new Error("differs"); };\n',
  'test/same.test.js':
    "import { test } from 'node:test';\nimport { same } from 'same';\nimport { twice } from '../src/sums.js';\ntest('twice', () => same(twice(2), 4));\n",
};

/** A repository that the gate watches. */
export interface Gate {
  readonly root: string;
  /** The user's folder for state, with the sessions. */
  readonly state: string;
  /** Makes the folder too. */
  write(path: string, text: string): void;
  /** Resolves when a copy of the files with this text is there to be judged. */
  untilCopied(text: string): Promise<void>;
  run(args: readonly string[], input?: object | string): Promise<Finished>;
  /** The answer of `check --hook claude`, as an object. */
  stop(payload?: object, args?: readonly string[]): Promise<Answer>;
}

interface Answer {
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
}

/** Makes the repository, with places of its own for copies and sessions. `isProjectNamed`: the hooks name it, as those of Claude do. */
export function gateIn(files: Files = FILES, isProjectNamed = false): Gate {
  const root = repositoryWith(files);
  const copies = temporaryFolder();
  const state = temporaryFolder();
  const project: Record<string, string> = isProjectNamed ? { CLAUDE_PROJECT_DIR: root } : {};
  const env = { TMPDIR: copies, XDG_STATE_HOME: state, ...project };
  const run: Gate['run'] = (args, input = '') =>
    ralph(root, ['gate', ...args], { env, input: typeof input === 'string' ? input : JSON.stringify(input) });
  return {
    root,
    state,
    write: (path, text) => writeFiles(root, { [path]: text }),
    async untilCopied(text) {
      const sources = (): string[] =>
        readdirSync(copies, { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('src/sums.js'))
          .map((name) => readFileSync(join(copies, name), 'utf8'));
      await expect.poll(sources, { timeout: 60_000 }).toContainEqual(expect.stringContaining(text));
    },
    run,
    async stop(payload = {}, args = []) {
      const { stdout } = await run(['check', '--hook', 'claude', ...args], {
        session_id: 's1',
        cwd: root,
        ...payload,
      });
      return stdout === '' ? {} : (JSON.parse(stdout) as Answer);
    },
  };
}
