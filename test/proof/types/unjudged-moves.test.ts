import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findUnjudgedMove } from '../../../src/proof/types/unjudged-moves.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

const BASE = 'export const first = (list: string[]): string => list[0].trim();\n';
const MOVED =
  '/** @param {string[]} list @returns {string} */\nexport const first = (list) => list[0].trim();\n';
const AGAIN = "export { first } from './plain.js';\n";

interface Given {
  readonly now?: string;
  readonly plain?: string;
  readonly options?: object;
}

async function found({ now = AGAIN, plain = MOVED, options = {} }: Given = {}): Promise<string | undefined> {
  const root = temporaryFolder();
  const compilerOptions = {
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    allowJs: true,
    ...options,
  };
  writeFiles(root, {
    'package.json': { type: 'module' },
    'tsconfig.json': {
      compilerOptions: { module: 'nodenext', skipLibCheck: true, ...compilerOptions },
      include: ['src'],
    },
    'src/a.ts': now,
    'src/plain.js': plain,
  });
  linkModules(root, ['typescript']);
  const request = {
    ...{ root, cacheDir: join(temporaryFolder(), 'cache'), fresh: true, timeoutMs: 50_000 },
    signal: new AbortController().signal,
  };
  const baseText = (path: string) => Promise.resolve(path === 'src/a.ts' ? BASE : undefined);
  return findUnjudgedMove(
    createCheck(planFor('tsc')),
    { request, sources: ['src/a.ts', 'src/plain.js'], baseText },
    [
      {
        ...{
          type: 'type_error',
          severity: 'error',
          check: 'types',
          fingerprint: 'a',
          file: 'src/a.ts',
          line: 1,
        },
        message: 'Object is possibly undefined.',
      },
    ],
  );
}

it('names code that is moved to where the type checker does not look', async () => {
  expect(await found()).toContain('first was moved from src/a.ts to src/plain.js');
});

it.each<[string, Given]>([
  ['JavaScript is judged', { options: { checkJs: true } }],
  ['the file asks to be judged', { plain: `// @ts-check\n${MOVED}` }],
  [
    'the new file has other code',
    { now: `${BASE}${AGAIN.replace('first', 'last')}`, plain: MOVED.replace('first', 'last') },
  ],
  ['the new file is not what the code uses', { now: BASE.replace('[0]', '[0]!').replace('first', 'other') }],
])('has nothing to say where %s', async (_, given) => {
  expect(await found(given)).toBeUndefined();
});
