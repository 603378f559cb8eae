import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findSelfJudging } from '../../../src/proof/watched/judged-command.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const BASE = "export const say = () => console.log('no');\n";
const LOOKS_AT_TEXT = '[ "$(node bin/say.js Ann)" = "hi Ann" ]';
const LOOKS_AT_BOTH = `out=$(node bin/say.js Ann) && [ "$out" = "hi Ann" ]`;

/** What is said of a source that a program prints with, after a shell command turned green. */
async function said(source: string, command = LOOKS_AT_TEXT, base = BASE): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { type: 'module' },
    'src/say.js': source,
    'bin/say.js': "import { say } from '../src/say.js';\nsay(process.argv[2]);\n",
  });
  const check = createCheck({ ...planFor('command'), args: [command] });
  const request = {
    ...{ root, cacheDir: join(temporaryFolder(), 'cache'), fresh: true, timeoutMs: 50_000 },
    signal: new AbortController().signal,
  };
  const asked = { request, sources: ['src/say.js'], baseText: () => Promise.resolve(base) };
  expect((await check.run(request)).status).toBe('pass');
  const { tampering, narrow } = await findSelfJudging(check, () => false, asked);
  expect(tampering).toEqual([]);
  return narrow;
}

it.each([
  ['an error after the text', 'console.log(`hi ${name}`); process.exit(3);', 'ends with exit code 3'],
  ['an error that is thrown', 'console.log(`hi ${name}`); throw 1;', 'ends with exit code 1'],
  ['characters that a shell drops', 'process.stdout.write(`hi\\0 ${name}\\n`);', 'writes NUL characters'],
])('%s is named', async (_name, body, shown) => {
  expect(await said(`export const say = (name) => { ${body} };\n`)).toContain(`bin/say.js Ann ${shown}`);
});

it.each<[name: string, body: string, command?: string, base?: string]>([
  ['a good end', 'console.log(`hi ${name}`);'],
  ['an exit code that the command looks at', 'console.log(`hi ${name}`);', LOOKS_AT_BOTH],
  [
    'an error that the command asks for',
    'console.log(`hi ${name}`); process.exit(3);',
    'node bin/say.js Ann; [ $? = 3 ]',
  ],
  [
    'an error of the base',
    'console.log(`hi ${name}`); process.exit(3);',
    LOOKS_AT_TEXT,
    "export const say = () => { console.log('no'); process.exit(2); };\n",
  ],
])('%s is left alone', async (_name, body, command, base) => {
  expect(await said(`export const say = (name) => { ${body} };\n`, command, base)).toBeUndefined();
});
