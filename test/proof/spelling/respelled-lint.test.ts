import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRespelledProblem } from '../../../src/proof/spelling/respelled-lint.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

const CONFIG = `export default [{ languageOptions: { globals: { console: 'readonly', globalThis: 'readonly' } }, rules: { 'no-console': 'error' } }];`;
const SAYS = "console.log('added');\n";
const OTHER = "globalThis.console.warn('slow');\n";

async function found(now: string, base: string): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { type: 'module' }, 'eslint.config.js': CONFIG, 'src/a.js': now });
  linkModules(root, ['eslint']);
  const sentence = await findRespelledProblem(
    createCheck(planFor('eslint', { config: 'eslint.config.js', args: ['src'] })),
    {
      request: {
        root,
        cacheDir: join(temporaryFolder(), 'cache'),
        fresh: true,
        timeoutMs: 50_000,
        signal: new AbortController().signal,
      },
      sources: ['src/a.js'],
      baseText: () => Promise.resolve(base),
    },
    [
      {
        ...{ type: 'lint_error', message: 'Unexpected console statement.', severity: 'error', check: 'lint' },
        ...{ fingerprint: 'a', file: 'src/a.js', line: 1, rule: 'no-console' },
      },
    ],
  );
  expect(readFileSync(join(root, 'src/a.js'), 'utf8')).toBe(now);
  return sentence;
}

test('a problem that stays in another spelling is named with its rule', async () => {
  expect(await found(`globalThis.${SAYS}`, SAYS)).toMatch(
    /^The problem that no-console reported is still in src\/a\.js, .* --allow src\/a\.js permits it\.$/,
  );
});

test.each([
  ['a repair', 'export const a = 1;\n', SAYS],
  ['a repair beside such a spelling of the base', OTHER, `${SAYS}${OTHER}`],
])('%s is left alone', async (_, now, base) => {
  expect(await found(now, base)).toBeUndefined();
});
