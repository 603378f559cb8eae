import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildInTrials } from '../../../src/proof/strength/build-in-trials.ts';
import type { StrengthRequest } from '../../../src/ports/acceptance.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const BUILD = `node -e "fs.writeFileSync('dist/a.js', '// built\\n' + fs.readFileSync('src/a.js'))"`;

/** The setup commands of the tests in trials of a change, and the built file after them. */
async function setupFor(
  dist: string,
  files: readonly string[] = ['src/a.js', 'dist/a.js'],
  scripts: Readonly<Record<string, string>> = { build: BUILD },
  own: readonly string[] = [],
): Promise<readonly string[]> {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { name: 'kit', scripts },
    'src/a.js': 'export const a = 1;\n',
    'dist/a.js': dist,
  });
  const plan = { checks: [planFor('node', { name: 'tests', setup: [...own] })] };
  const settings = { plan, checks: [], cacheDir: temporaryFolder(), checkTimeoutMs: 60_000 };
  const changed = files.map((path) => ({ path, kind: 'modified', linesAdded: 1, linesDeleted: 1 }));
  const request = { root, changes: { files: changed }, signal: new AbortController().signal };
  const { options } = await buildInTrials(settings as never, request as unknown as StrengthRequest);
  expect(readFileSync(join(root, 'dist/a.js'), 'utf8')).toBe(dist);
  return options.plan.checks[0]!.setup;
}

const AS_BUILT = '// built\nexport const a = 1;\n';

it('lets the tests build where the build makes the built files as they are', async () => {
  expect(await setupFor(AS_BUILT)).toEqual(['npm run build']);
});

it.each<[string, Parameters<typeof setupFor>]>([
  ['the built files are other ones', ['// by hand\n']],
  ['only built files are changed', [AS_BUILT, ['dist/a.js']]],
  ['only sources are changed', [AS_BUILT, ['src/a.js']]],
  ['no script writes them', [AS_BUILT, undefined, { build: 'node docs.mjs' }]],
  ['a built file is no file', [AS_BUILT, ['src/a.js', 'dist/gone.js']]],
  ['the build fails', [AS_BUILT, undefined, { build: 'cp missing dist/' }]],
])('leaves the tests as they are where %s', async (_, given) => {
  expect(await setupFor(...given)).toEqual([]);
});

it('leaves tests that build by themselves as they are', async () => {
  expect(await setupFor(AS_BUILT, undefined, undefined, ['npm run own'])).toEqual(['npm run own']);
});
