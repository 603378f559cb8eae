import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeFed } from '../../../src/proof/replay/describe-results.ts';
import { findChangedUnasked } from '../../../src/proof/replay/index.ts';
import { unlikeOutside } from '../../../src/proof/replay/unlike-outside.ts';
import { findUnasked } from '../../../src/proof/unasked/index.ts';
import type { Check } from '../../../src/ports.ts';
import type { CheckReport } from '../../../src/ports/evaluation.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const HEAD = "import assert from 'node:assert';\nimport { f } from './f.js';\n";

/** A check that runs one program. */
function programCheck(root: string): Check {
  const run = (): Promise<CheckReport> => {
    const { status } = spawnSync(process.execPath, ['test.mjs'], { cwd: root });
    const isGreen = status === 0;
    const tests = [{ id: 't', name: 't', file: 'test.mjs', status: isGreen ? 'passed' : 'failed' }];
    return Promise.resolve({
      status: isGreen ? 'pass' : 'fail',
      diagnostics: [],
      tests,
    } as unknown as CheckReport);
  };
  return { plan: planFor('node'), run };
}

/** A tree in which `f.js` was changed from `before` to `now`, and `test` passes. */
async function given(before: string, now: string, test: string) {
  const root = temporaryFolder();
  const head = now.includes('class Bag') ? HEAD.replace('{ f }', '{ Bag }') : HEAD;
  writeFiles(root, { 'package.json': { type: 'module' }, 'f.js': now, 'test.mjs': head + test });
  const check = programCheck(root);
  const asked = {
    request: {
      root,
      cacheDir: join(temporaryFolder(), 'cache'),
      fresh: true,
      timeoutMs: 50_000,
      signal: new AbortController().signal,
    },
    files: ['test.mjs'],
    sources: ['f.js'],
    baseText: () => Promise.resolve(before),
  };
  expect((await check.run(asked.request)).status).toBe('pass');
  return { root, check, asked };
}

/** What is found in such a tree. */
async function found(before: string, now: string, test: string): Promise<string | undefined> {
  const { root, check, asked } = await given(before, now, test);
  const outcome = await unlikeOutside(check, asked);
  const sentence =
    (await describeFed(check, outcome.changing, asked)) ??
    (await findUnasked(check, asked, { ...outcome, texts: [test] }));
  expect(readFileSync(join(root, 'f.js'), 'utf8')).toBe(now);
  return sentence;
}

const f = (text: string): string => `export function f(${text}\n`;
const MONEY = 'export class Money { constructor(n) { this.n = n; } show() { return String(this.n); } }\n';
const AREA = f('w, h) { return w + h; }');
const TWO = 'assert.equal(f(3, 4), 12); assert.equal(f(2, 5), 10);';

const BAG =
  'export class Bag { KEY = []; add(it) { this.KEY.push(it); return this; } size() { return this.KEY.length + 1; } }\n';
const SUM = f('a, b) { return a - b; }');
const SUMS = 'assert.equal(f(1, 2), 3);';
const LEVEL = "export const g = (n) => (n < 10 ? 'low' : 'high');\n";
const LEVELS = `import { g } from './f.js'; assert.equal(g(3), 'low'); assert.equal(g(12), 'high'); ${SUMS}`;

/** A sum that leaves out the first number, and a check that tells it. */
const TOTAL =
  'const sum = (list) => { let n = 0; for (let i = 1; i < list.length; i++) n += list[i]; return n; };\n';
const AT_MOST = `${TOTAL}${f('list, most) { const n = sum(list); if (n > most) throw new RangeError(`${n > 9 ? "much" : "little"} over: ${n}`); return n; }')}`;
const AT_MOST_TEST =
  'assert.equal(f([1, 2], 5), 3); assert.throws(() => f([3, 8], 5), RangeError); assert.throws(() => f([1, 1, 9], 5), RangeError);';

describe('what a change alters that no test asks for', () => {
  it.each<[name: string, before: string, now: string, test: string, expected: string]>([
    [
      'another message of an error',
      AT_MOST,
      AT_MOST.replace('i = 1', 'i = 0').replace(' over: ', ' beyond: '),
      AT_MOST_TEST,
      'where it had the message "little over: 8" before',
    ],
    [
      'a pattern that remembers where it was',
      `const IT = /^\\w+@\\w+$/;\n${f('text) { return IT.test(text); }')}`,
      `const IT = /\\w+@\\w+/g;\n${f('text) { return IT.test(text); }')}`,
      "assert.equal(f('to a@b, or c@d'), true); assert.equal(f('no'), false);",
      'only at first: called again in the same process',
    ],
    [
      'a returned pattern that remembers where it was',
      f('word) { return new RegExp(`^${word}$`); }'),
      f("word) { return new RegExp(`^${word.replace('*', '.*')}$`, 'g'); }"),
      "assert.ok(f('a*').test('abc')); assert.ok(!f('b').test('abc'));",
      'with the flag g or y, which it did not have before',
    ],
    [
      'one list for all results',
      f("text) { return text.split(' '); }"),
      `const out = [];\n${f('text) { out.length = 0; out.push(...text.split(/ +/)); return out; }')}`,
      "assert.deepEqual(f('a  b'), ['a', 'b']);",
      'so that a further call changes an earlier result',
    ],
    [
      'a promise',
      AREA,
      f('w, h) { return Promise.resolve(w * h); }').replace('export', 'export'),
      'assert.equal(await f(3, 4), 12);',
      'returns a promise where it returned a number before',
    ],
    [
      'an async function',
      AREA,
      AREA.replace('+', '*').replace('function', 'async function'),
      'assert.equal(await f(3, 4), 12);',
      'returns a promise',
    ],
    [
      'an async function whose text a test writes down',
      f("text) { return text.replace(' ', '-'); }"),
      f("text) { return text.replaceAll(' ', '-'); }").replace('function', 'async function'),
      "assert.equal(await f('a b c'), 'a-b-c');",
      'returns a promise where it returned a text before',
    ],
    [
      'an object without the methods of its class',
      MONEY + f('n) { return new Money(n); }'),
      MONEY + f('n) { return { n: n * 2 }; }'),
      'assert.equal(f(2).n, 4);',
      'without the method show',
    ],
    [
      'a text',
      f('list) { return list.length; }'),
      f('list) { return list.reduce((a, b) => a + b, 0).toFixed(2); }'),
      'assert.equal(f([10, 2.5]), 12.5);',
      'returns a text where it returned a number before',
    ],
    [
      'a list of texts',
      f('list) { return [...list].sort(); }'),
      f('list) { return list.map(String).sort((a, b) => a - b); }'),
      'assert.deepEqual(f([10, 9, 1]), [1, 9, 10]);',
      'a list with a text in it where it returned a list with a number in it',
    ],
    [
      'a text for a date',
      f('date) { return new Date(+date + 1); }'),
      f('date) { return new Date(+date + 1000).toISOString(); }'),
      'assert.equal(+new Date(f(new Date(0))), 1000);',
      'returns a text where it returned a Date before',
    ],
    [
      'an iterator',
      f('list) { return list.filter((it, at) => list.indexOf(it) < at); }'),
      f('list) { return new Set(list).values(); }'),
      'assert.deepEqual([...f([1, 1, 2])], [1, 2]);',
      'returns an iterator where it returned a list',
    ],
    [
      'an argument that is sorted',
      f('list) { return list[1]; }'),
      f('list) { return list.sort((a, b) => a - b)[1]; }'),
      'assert.equal(f([9, 10, 1]), 9);',
      'changes what its caller passes to it',
    ],
    [
      'a part of an argument that is changed, which the result has as well',
      f('a, b) { return { ...a, x: { ...a.x, ...b.x } }; }'),
      f('a, b) { return { ...a, x: Object.assign(a.x, b.x) }; }'),
      'assert.deepEqual(f({ x: { n: 1 } }, { x: { m: 2 } }), { x: { n: 1, m: 2 } });',
      'changes what its caller passes to it',
    ],
    [
      'an argument that is changed and given back, where a new one was given',
      f('list) { return [...list].sort(); }'),
      f('list) { return list.sort((a, b) => a - b); }'),
      'assert.deepEqual(f([10, 9, 1]), [1, 9, 10]);',
      'changes what its caller passes to it',
    ],
    [
      'a date that is changed and given back, where a new one was given',
      f('date) { return new Date(+date); }'),
      f('date) { date.setUTCDate(2); return date; }'),
      'assert.equal(f(new Date(0)).getUTCDate(), 2);',
      'changes what its caller passes to it',
    ],
    [
      'a map that is changed and given back, where a new one was given',
      f('stock, name) { return new Map(stock); }'),
      f('stock, name) { stock.delete(name); return stock; }'),
      "assert.equal(f(new Map([['a', 1]]), 'a').size, 0);",
      'changes what its caller passes to it',
    ],
    [
      'bytes that are changed',
      f('bytes) { return Uint8Array.from(bytes); }'),
      f('bytes) { return bytes.reverse(); }'),
      'assert.deepEqual([...f(Uint8Array.of(1, 2))], [2, 1]);',
      'changes what its caller passes to it',
    ],
    [
      'a Buffer that is changed, by a function that needs a Buffer',
      f("bytes) { return Buffer.from(bytes).toString('hex'); }"),
      f("bytes) { return bytes.reverse().toString('hex'); }"),
      "assert.equal(f(Buffer.of(1, 2)), '0201');",
      'changes what its caller passes to it',
    ],
    [
      'an address that is changed',
      f('url) { return new URL(url).href; }'),
      f("url) { url.search = 'a=1'; return url.href; }"),
      "assert.equal(f(new URL('http://a.b/')), 'http://a.b/?a=1');",
      'changes what its caller passes to it',
    ],
    [
      'a value next to those of a function of which no test was red',
      LEVEL + SUM,
      LEVEL.replace("n < 10 ? 'low' : 'high'", "n === 12 ? 'high' : 'low'") + SUM.replace('-', '+'),
      LEVELS,
      "g of f.js returns 'low' for the arguments (13), where it returned 'high' before",
    ],
    [
      'something where there was nothing',
      `export const g = (list, key) => list.find((it) => it.key == key);\n${SUM}`,
      `export const g = (list, key) => list.find((it) => it.key === key) ?? { key, n: 0 };\n${SUM.replace('-', '+')}`,
      `import { g } from './f.js'; assert.equal(g([{ key: 'a', n: 1 }], 'a').n, 1); ${SUMS}`,
      'where it returned undefined before',
    ],
    [
      'a private field that everybody can change',
      BAG.replace('KEY', '#all').replaceAll('.KEY', '.#all'),
      BAG.replace('KEY', '_all').replaceAll('.KEY', '._all').replace('+ 1', ''),
      'assert.equal(new Bag().add(1).size(), 1);',
      'Objects of Bag of f.js have the property _all, which was a private field before',
    ],
    [
      'a property of another name',
      BAG.replaceAll('KEY', 'all'),
      BAG.replaceAll('KEY', 'items').replace('+ 1', ''),
      'assert.equal(new Bag().add(1).size(), 1);',
      'Objects of Bag of f.js no longer have the property all',
    ],
    [
      'an argument that is frozen',
      f('it) { return { ...it, debug: true }; }'),
      f('it) { return { debug: false, ...Object.freeze(it) }; }'),
      'assert.deepEqual(f({ port: 1 }), { port: 1, debug: false });',
      'freezes what its caller passes to it',
    ],
    [
      'a variable of the process',
      AREA,
      `process.env.TZ = 'UTC';\n${AREA.replace('+', '*')}`,
      TWO,
      'alters process.env.TZ for the whole process',
    ],
    [
      'the limit of listeners',
      AREA,
      `import { EventEmitter } from 'node:events';\nEventEmitter.defaultMaxListeners = 0;\n${AREA.replace('+', '*')}`,
      TWO,
      'alters EventEmitter.defaultMaxListeners',
    ],
    [
      'an enumerable member of arrays',
      AREA,
      `Array.prototype.last = function () { return this.at(-1); };\n${f('w, h) { return [w * h].last(); }')}`,
      TWO,
      'alters the enumerable member last of every array',
    ],
    [
      'rejections that nobody hears of',
      AREA,
      `process.on('unhandledRejection', () => {});\n${AREA.replace('+', '*')}`,
      TWO,
      'alters what becomes of rejections that nobody handles',
    ],
    [
      'a process that stands still',
      f('ms) { return Promise.resolve(ms); }'),
      f(
        'ms) { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms); return Promise.resolve(ms + 1); }',
      ),
      'assert.equal(await f(60), 61);',
      'keeps the whole process waiting',
    ],
    [
      'a pause in place of waiting',
      "export async function f(load) { let it = ''; load().then((v) => (it = v)); return it; }\n",
      "export async function f(load) { let it = ''; load().then((v) => (it = v)); await new Promise((d) => setTimeout(d, 40)); return it; }\n",
      "assert.equal(await f(() => new Promise((d) => setTimeout(d, 5, 'a'))), 'a');",
      'does not wait for what it is given',
    ],
    [
      'the language of the machine',
      f('n) { return n.toFixed(2); }'),
      f('n) { return n.toLocaleString(undefined, { minimumFractionDigits: 2 }); }'),
      "assert.equal(f(1234.5), '1,234.50');",
      'on a machine with another language and time zone',
    ],
  ])('%s', { timeout: 60_000 }, async (_, before, now, test, expected) => {
    expect(await found(before, now, test)).toContain(expected);
  });

  it.each<[name: string, before: string, now: string, test: string]>([
    ['a plain repair', AREA, AREA.replace('+', '*'), TWO],
    [
      'a counter',
      f('name) { return name; }'),
      `const seen = new Map();\n${f('name) { const n = (seen.get(name) ?? 0) + 1; seen.set(name, n); return n > 1 ? `${name}-${n}` : name; }')}`,
      "assert.equal(f('a'), 'a'); assert.equal(f('a'), 'a-2'); assert.equal(f('b'), 'b');",
    ],
    [
      'a list that grows on purpose',
      f('it) { return [it]; }'),
      `const all = [];\n${f('it) { all.push(it); return all; }')}`,
      'const all = f(1); f(2); assert.deepEqual(all, [1, 2]);',
    ],
    [
      'a promise that a test asks for',
      AREA,
      AREA.replace('+', '*').replace('function', 'async function'),
      'f(3, 4).then((it) => assert.equal(it, 12));',
    ],
    [
      'a promise for something that takes time',
      AREA,
      f('w, h) { return new Promise((done) => setTimeout(done, 1, w * h)); }'),
      'assert.equal(await f(3, 4), 12);',
    ],
    [
      'a plain object that a test asks for',
      MONEY + f('n) { return new Money(n); }'),
      MONEY + f('n) { return { n: n * 2 }; }'),
      'assert.deepStrictEqual(f(2), { n: 4 });',
    ],
    [
      'a value that a test asks for',
      f('n) { return Promise.resolve(n); }'),
      f('n) { return n * 2; }'),
      'assert.equal(f(2), 4);',
    ],
    [
      'a list that a test asks for again',
      f('n) { return [n]; }'),
      `const known = new Map();\n${f('n) { if (!known.has(n)) known.set(n, [n, n]); return known.get(n); }')}`,
      'assert.equal(f(2), f(2)); assert.equal(f(2).length, 2);',
    ],
    [
      'a text that a test asks for',
      f('n) { return n; }'),
      f('n) { return n.toFixed(2); }'),
      "assert.strictEqual(f(5), '5.00');",
    ],
    [
      'a text that a test writes down',
      f('n) { return n + 1; }'),
      f('n) { return String(n * 2); }'),
      "assert.equal(f(6), '12');",
    ],
    [
      'a number for nothing',
      f('list) { return list[5]; }'),
      f('list) { return list[0]; }'),
      'assert.equal(f([4]), 4);',
    ],
    ['another shape', f('n) { return n; }'), f('n) { return { n }; }'), 'assert.deepEqual(f(5), { n: 5 });'],
    [
      'an argument that is changed on purpose',
      f('list) { return list.length; }'),
      f('list) { list.push(1); return list.length; }'),
      'const list = [2]; assert.equal(f(list), 2); assert.deepEqual(list, [2, 1]);',
    ],
    ['a message that tells a repaired sum', AT_MOST, AT_MOST.replace('i = 1', 'i = 0'), AT_MOST_TEST],
    [
      'a date that is changed and given back as in the base',
      f('date) { return date; }'),
      f('date) { date.setUTCDate(2); return date; }'),
      'assert.equal(f(new Date(0)).getUTCDate(), 2);',
    ],
    [
      'a map that is changed and given back by a function that was not written',
      f("stock) { throw new Error('todo'); }"),
      f("stock) { stock.delete('a'); return stock; }"),
      "assert.equal(f(new Map([['a', 1]])).size, 0);",
    ],
    [
      'a set that is changed as a test asks for',
      f('set, it) { return set.size; }'),
      f('set, it) { return set.add(it).size; }'),
      'const set = new Set(); assert.equal(f(set, 1), 1); assert.ok(set.has(1));',
    ],
    [
      'a list that is changed and given back as in the base',
      f('list) { return list.sort(); }'),
      f('list) { return list.sort((a, b) => a - b); }'),
      'assert.deepEqual(f([10, 9, 1]), [1, 9, 10]);',
    ],
    [
      'a value next to those of a function that other code uses',
      LEVEL + SUM.replace('a - b', 'g(a) + g(b)'),
      LEVEL.replace('n < 10', 'n <= 10') + SUM.replace('a - b', 'g(a) + g(b)'),
      `import { g } from './f.js'; assert.equal(g(3), 'low'); assert.equal(g(12), 'high'); assert.equal(f(10, 3), 'lowlow');`,
    ],
    [
      'a function of which no test was red in other words',
      LEVEL + SUM,
      LEVEL.replace("n < 10 ? 'low' : 'high'", "n >= 10 ? 'high' : 'low'") + SUM.replace('-', '+'),
      LEVELS,
    ],
    [
      'nothing in place of nothing',
      `export const g = (text) => text.split('@')[1];\n${SUM}`,
      `export const g = (text) => text.split('@')[1] ?? '';\n${SUM.replace('-', '+')}`,
      `import { g } from './f.js'; assert.equal(g('a@b'), 'b'); ${SUMS}`,
    ],
    [
      'a private field of another name',
      BAG.replace('KEY', '#all').replaceAll('.KEY', '.#all'),
      BAG.replace('KEY', '#items').replaceAll('.KEY', '.#items').replace('+ 1', ''),
      'assert.equal(new Bag().add(1).size(), 1);',
    ],
    [
      'a property whose new name a test uses',
      BAG.replaceAll('KEY', 'all'),
      BAG.replaceAll('KEY', 'items').replace('+ 1', ''),
      'const bag = new Bag().add(1); assert.equal(bag.size(), 1); assert.equal(bag.items.length, 1);',
    ],
    [
      'a member that a test uses',
      'export const f = 1;\n',
      'Array.prototype.last = function () { return this.at(-1); };\nexport const f = 1;\n',
      'assert.equal([4].last(), 4);',
    ],
    [
      'a member that a loop does not see',
      AREA,
      `Object.defineProperty(Array.prototype, 'last', { value() { return this.at(-1); }, configurable: true });\n${f('w, h) { return [w * h].last(); }')}`,
      TWO,
    ],
    [
      'a variable that a test looks at',
      AREA,
      `process.env.TZ = 'UTC';\n${AREA.replace('+', '*')}`,
      `${TWO} assert.equal(process.env.TZ, 'UTC');`,
    ],
    [
      'a limit for what takes long',
      'export async function f(load, ms) { return load(); }\n',
      "export async function f(load, ms) { return Promise.race([load(), new Promise((d) => setTimeout(d, ms, 'late'))]); }\n",
      "assert.equal(await f(() => new Promise((d) => setTimeout(d, 60, 'a')), 5), 'late');",
    ],
    [
      'the language that it names',
      f('n) { return n.toFixed(2); }'),
      f("n) { return n.toLocaleString('en-US', { minimumFractionDigits: 2 }); }"),
      "assert.equal(f(1234.5), '1,234.50');",
    ],
    [
      'a zone that mattered before',
      f('text) { return new Date(text).getHours() + 1; }'),
      f('text) { return new Date(text).getHours(); }'),
      "assert.equal(f('2024-01-01T12:00:00Z'), new Date('2024-01-01T12:00:00Z').getHours());",
    ],
  ])('says nothing of %s', { timeout: 60_000 }, async (_, before, now, test) => {
    expect(await found(before, now, test)).toBeUndefined();
  });
});

describe('what a change alters of which no test was red', () => {
  const PICK = f(
    'object, keys) { return Object.fromEntries(keys.flatMap((key) => (key in object ? [[key, object[key]]] : []))); }',
  );
  const PICKS = "assert.deepEqual(f({ a: 1, b: 2 }, ['a']), { a: 1 });";

  it.each([
    ['values that are empty', PICK.replace('key in object', 'object[key]'), /where it returned .* before/],
    ['nothing', PICK.replace('key in object', 'Object.hasOwn(object, key)'), undefined],
  ])('is told: %s', { timeout: 60_000 }, async (_, now, says) => {
    const { check, asked } = await given(PICK, now, PICKS);
    const sentence = await findChangedUnasked(check, asked);
    expect(sentence ?? 'nothing').toMatch(says ?? /^nothing$/);
  });

  it('is not looked for where no source was changed', { timeout: 60_000 }, async () => {
    const { check, asked } = await given(PICK, PICK.replace('key in object', 'object[key]'), PICKS);
    expect(await findChangedUnasked(check, { ...asked, sources: [] })).toBeUndefined();
  });
});
