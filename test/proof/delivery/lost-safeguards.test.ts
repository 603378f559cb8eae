import { expect, it } from 'vitest';
import { findLostSafeguard } from '../../../src/proof/delivery/lost-safeguards.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

/** The sentence on a change of sources, given as texts before and now. */
async function found(changes: Readonly<Record<string, readonly [before: string, now: string]>>) {
  const root = temporaryFolder();
  writeFiles(root, Object.fromEntries(Object.entries(changes).map(([file, [, now]]) => [file, now])));
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1, signal: new AbortController().signal };
  const baseText = (file: string) => Promise.resolve(changes[file]?.[0]);
  return findLostSafeguard({ request, sources: Object.keys(changes), baseText });
}

it.each([
  [
    'a comparison in constant time',
    'if (!timingSafeEqual(a, b)) f();',
    'if (a !== b) f();',
    'timingSafeEqual',
  ],
  ['random values', "const id = randomBytes(8).toString('hex');", 'const id = Math.random();', 'Math.random'],
  ['programs without a shell', "execFile('git', [a]);", 'exec(`git ${a}`);', 'without a shell'],
  ['the same by a setting', "spawn('git', [a]);", "run('git', [a], { shell: true });", 'without a shell'],
  ['text in a page', 'node.textContent = name;', 'node.innerHTML = `<b>${name}</b>`;', 'innerHTML'],
])('names the loss of %s', async (_, before, now, words) => {
  const sentence = await found({ 'src/a.js': [before, now] });
  expect(sentence).toContain(words);
  expect(sentence).toContain('--allow src/a.js permits it');
});

it.each([
  ['a safeguard that stays', 'if (!timingSafeEqual(a, b)) f();', 'if (!timingSafeEqual(a, c)) f();'],
  ['one that only a comment had', '// timingSafeEqual(a, b)\nf();', 'g();'],
  ['a value that is no longer random', 'const id = randomUUID();', 'const id = next++;'],
  ['a program that is no longer started', "execFile('git', [a]);", 'read(a);'],
  ['a match of a pattern', "spawn('git');", 'const [, b] = /a/.exec(a);'],
  ['a new shell beside the rest', "execFile('git');", "execFile('git');\nexec('ls');"],
])('accepts %s', async (_, before, now) => {
  expect(await found({ 'src/a.js': [before, now] })).toBeUndefined();
});

it('accepts a safeguard that moves to another source', async () => {
  const check = 'if (!timingSafeEqual(a, b)) f();';
  expect(await found({ 'src/a.js': [check, 'same(a, b);'], 'src/b.js': ['', check] })).toBeUndefined();
});
