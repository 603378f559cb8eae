import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeValue, encodeValue } from '../../../src/proof/replay/call-values.ts';
import type { RepeatableCall } from '../../../src/proof/replay/repeat-calls.ts';
import { differencesIn, type Difference } from '../../../src/proof/unasked/differences.ts';
import { lookAtValues } from '../../../src/proof/unasked/look-at-values.ts';
import { findLostMember } from '../../../src/proof/unasked/lost-members.ts';
import type { Behaviour } from '../../../src/proof/unasked/behaviour.ts';
import { observeCalls } from '../../../src/proof/unasked/observe.ts';
import { otherKinds } from '../../../src/proof/unasked/other-kind.ts';
import { probesOf } from '../../../src/proof/unasked/probes.ts';
import type { Compared } from '../../../src/proof/unasked/rule.ts';
import { processSettings } from '../../../src/proof/unasked/process-settings.ts';
import { watchEffects } from '../../../src/proof/unasked/watch-effects.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

type Fn = (...given: unknown[]) => unknown;

const LOAD_AT = 1_000;

/** Behaviour of calls of `f` in a CommonJS module, in this process. */
async function observe(
  text: string,
  calls: readonly RepeatableCall[],
  probes: readonly number[],
): Promise<ReadonlyMap<number, Behaviour>> {
  const root = temporaryFolder();
  writeFiles(root, { 'f.cjs': text });
  const load = (): Record<string, Fn> => createRequire(join(root, 'x.js'))('./f.cjs') as Record<string, Fn>;
  const loading = { ...calls[0]!, at: LOAD_AT, kind: 'value' as const, args: '{"a":[]}' };
  const repeatable = calls.map(({ at }) => at).filter((at) => !probes.includes(at));
  const found = await observeCalls({
    job: {
      calls: [loading, ...calls].map((call) => ({ ...call, url: '' })),
      fillers: [],
      observed: { repeatable, probes },
    },
    prepare: (call) => {
      const { f } = load();
      return Promise.resolve(call.kind === 'value' ? () => f : (args: unknown[]) => f!(...args));
    },
    load: () => Promise.resolve(load()),
    decodeArgs: (args) => decodeValue(args) as unknown[],
    encodeResult: (value) => encodeValue(value, true),
    know: () => undefined,
    keep: () => undefined,
    parts: [lookAtValues, watchEffects, processSettings],
  });
  return new Map(found.map(([at, it]) => [at, JSON.parse(it) as Behaviour]));
}

/** Differences between two texts of a module whose `f` a test calls with some arguments. */
async function differences(
  before: string,
  now: string,
  args: readonly unknown[][],
  test = '',
): Promise<{ all: readonly Difference[]; loads: readonly Compared[] }> {
  const call = { realm: '', source: 'f.cjs', name: 'f', entry: '', clock: 0, result: '' };
  const own = args.map((list, at): RepeatableCall => ({ ...call, at, args: encodeValue(list) }));
  const probes = probesOf(own).map((it, at) => ({ ...it, call: { ...it.call, at: 2_000 + at } }));
  const all = [...own, ...probes.map((it) => it.call)];
  const positions = probes.map((it) => it.call.at);
  const [was, is] = [await observe(before, all, positions), await observe(now, all, positions)];
  const compare = (it: RepeatableCall): Compared[] => {
    const [then, since] = [was.get(it.at), is.get(it.at)];
    return then === undefined || since === undefined ? [] : [{ call: it, before: then, now: since }];
  };
  const loads = compare({ ...call, at: LOAD_AT, kind: 'value', args: '' });
  const compared = own.flatMap(compare);
  const probed = probes.flatMap(({ call: probe, ...rest }) =>
    compare(probe).map((it) => ({ ...it, ...rest, own: compared })),
  );
  return {
    all: [...differencesIn([...loads, ...compared], probed, [test]), ...otherKinds(compared, [test])],
    loads,
  };
}

const f = (text: string): string => `exports.f = function (${text};\n`;
const MONEY = 'class Money { constructor(n) { this.n = n; } show() { return String(this.n); } }\n';

describe('differences of calls', () => {
  it.each<[name: string, before: string, now: string, args: unknown[][], expected: string]>([
    [
      'a memory of results by the object',
      f('cart) { return cart.n; }'),
      `const known = new WeakMap();\n${f('cart) { if (!known.has(cart)) known.set(cart, cart.n * 2); return known.get(cart); }')}`,
      [[{ n: 2 }]],
      'returns that again when the content has changed',
    ],
    [
      'one list for all callers',
      f('n) { return [n]; }'),
      `const NONE = [];\n${f('n) { return n ? [n, n] : NONE; }')}`,
      [[2], [0]],
      'a caller who changes it changes the results of all others',
    ],
    [
      'a copy that became a part of the argument',
      f('it) { return { n: 1, ...JSON.parse(JSON.stringify(it)) }; }'),
      f('it) { return { n: 2, ...it }; }'),
      [[{ tags: ['a'] }]],
      'returns lists or objects of its arguments',
    ],
    [
      'output',
      f('n) { return n; }'),
      f("n) { process.stdout.write('n'); return n * 2; }"),
      [[2]],
      'f of f.cjs prints something',
    ],
    [
      'a file',
      f('n) { return n; }'),
      "const fs = require('node:fs'); const at = require('node:path').join(__dirname, 'n.txt');\n" +
        f("n) { fs.appendFileSync(at, 'n'); return n * 2; }"),
      [[2]],
      'f of f.cjs writes a file',
    ],
    [
      'a timer that starts with the module',
      f('n) { return n; }'),
      `const timer = setInterval(() => {}, 100_000);\nsetTimeout(() => clearInterval(timer), 100);\n${f('n) { return n * 2; }')}`,
      [[2]],
      'Loading f.cjs keeps the process running',
    ],
    [
      'a listener of each call',
      f('n) { return n; }'),
      f("n) { process.on('beforeExit', () => {}); return n * 2; }"),
      [[2]],
      'adds a listener to the process',
    ],
    [
      'methods that are gone',
      `${MONEY}${f('n) { return new Money(n); }')}`,
      f('n) { return { n: n * 2 }; }'),
      [[2]],
      'without the method show',
    ],
    [
      'a property that is gone',
      f('n) { return { n, unit: "m" }; }'),
      f('n) { return { n: n * 2 }; }'),
      [[2]],
      'without the property unit',
    ],
    [
      'an async function that is none any more',
      f('n) { return Promise.resolve(n); }'),
      f('n) { return n * 2; }'),
      [[2]],
      'returns a value where it returned a promise',
    ],
    [
      'another message of an error',
      f('n) { if (n < 0) throw new RangeError(`${n} is negative`); return n; }'),
      f("n) { if (n < 0) throw new RangeError('bad'); return n * 2; }"),
      [[2], [-3]],
      'throws an error with the message "bad" where it had the message "-3 is negative" before',
    ],
    [
      'another property of an error',
      f("n) { if (n < 0) throw Object.assign(new RangeError('n'), { path: ['n'] }); return n; }"),
      f("n) { if (n < 0) throw Object.assign(new RangeError('n'), { path: 'n' }); return n * 2; }"),
      [[2], [-3]],
      'throws an error with another path than before',
    ],
    [
      'an error of the language in place of one with a sentence',
      f("n) { if (n < 0) throw new RangeError('n must not be negative'); return '-'.repeat(n); }"),
      f("n) { return '+'.repeat(n); }"),
      [[2], [-3]],
      'throws an error with the message "Invalid count value: -3"',
    ],
    [
      'a check that goes together with one that a test asks to be laxer',
      f(
        'it, to) { for (const key in to) { if (it[key] === undefined) throw new Error(`${key} is missing`); if (typeof it[key] !== to[key]) throw new Error(`${key} is no ${to[key]}`); } return it; }',
      ),
      f(
        "it, to) { for (const key in to) { if (key === 'b') continue; if (typeof it[key] !== to[key]) throw new Error(`${key} is no ${to[key]}`); } return it; }",
      ),
      [
        [{ a: 'x' }, { a: 'string' }],
        [{ a: 'x' }, { a: 'string', b: 'number' }],
      ],
      "no longer refuses the arguments ({ a: 'x', b: null }",
    ],
    [
      'a text that ends too early',
      f(
        "text) { if (text.split('\"').length % 2 === 0) throw new SyntaxError('open'); return text.replaceAll('\"', ''); }",
      ),
      f("text) { return text.replaceAll('\"', '').trim(); }"),
      [['a "b" ']],
      "no longer refuses the arguments ('a \"')",
    ],
    [
      'an empty text',
      f("text) { return text.split('-')[0].toUpperCase(); }"),
      f('text) { return text.match(/\\w+/)[0].toUpperCase(); }'),
      [['ab-c']],
      "fails with a TypeError of the language for the arguments ('')",
    ],
    [
      'an empty list',
      f('list) { let sum = 0; for (const n of list) sum += n; return sum; }'),
      f('list) { return list.reduce((a, b) => a + b * 2); }'),
      [[[1, 2]]],
      'fails with a TypeError of the language for the arguments ([])',
    ],
    [
      'a name of every object',
      f('word) { return new Map([[word, [word]]]).get(word).length; }'),
      `const known = {};\n${f('word) { return (known[word] ??= []).concat(word).push(word); }')}`.replace(
        '.concat(word)',
        '',
      ),
      [['ab']],
      "fails with a TypeError of the language for the arguments ('constructor')",
    ],
    [
      'a character that was left out',
      f("text) { return text.replace(/[^a-z]/g, ''); }"),
      f("text) { return text.replace(/\\W/g, ''); }"),
      [['a b c']],
      'keeps "_" in a text',
    ],
    [
      'an exponential time for a run of blanks',
      f("text) { return text.split(' ').join('-'); }"),
      f("text) { return text.replace(/( +)+$/, '').replaceAll(' ', '-'); }"),
      [['a b ']],
      'did not end within',
    ],
    [
      'a list of a large number of items that are passed as arguments',
      f('n) { return new Array(n).fill(1).length; }'),
      f('n) { const list = []; list.push(...new Array(n).fill(1)); return list.length + 1; }'),
      [[3]],
      'fails with a RangeError for the large arguments',
    ],
    [
      'a check that is dropped',
      f("name) { if (!name) throw new Error('name'); return `Hello, ${name}`; }"),
      f('name) { return `Hello, ${name}!`; }'),
      [['Al']],
      "no longer refuses the arguments (''), for which it threw an Error",
    ],
    [
      'a check of a property that is dropped',
      f("it) { if (it.n === null) throw new RangeError('n'); return it.n; }"),
      f('it) { return it.n * 2; }'),
      [[{ n: 2 }]],
      'for which it threw a RangeError',
    ],
    [
      'a check of an async function that is dropped',
      f("n) { return n < 0 ? Promise.reject(new RangeError('n')) : Promise.resolve(n); }"),
      f('n) { return Promise.resolve(n * 2); }'),
      [[2]],
      'no longer refuses the arguments (-1)',
    ],
    [
      'a limit of a text that is dropped',
      f("text) { if (text.length > 1000) throw new RangeError('long'); return text; }"),
      f('text) { return text.trim(); }'),
      [['a ']],
      'for which it threw a RangeError',
    ],
    [
      'a check of unknown properties that is dropped',
      f("it) { for (const key in it) if (key !== 'n') throw new TypeError(key); return it.n; }"),
      f('it) { return it.n * 2; }'),
      [[{ n: 2 }]],
      'for which it threw a TypeError',
    ],
    [
      'a copy that changes every object',
      f("it, to) { for (const key in it) if (key !== '__proto__') to[key] = it[key]; return to; }"),
      f(
        "it, to) { for (const key in it) if (typeof it[key] === 'object') Object.assign(to[key], it[key]); else to[key] = it[key]; return to; }",
      ),
      [[{ n: 2 }, {}]],
      'gives every object of the process a member',
    ],
    [
      'a result that is no longer frozen',
      f('n) { return Object.freeze({ n }); }'),
      f('n) { return { n: n * 2 }; }'),
      [[2]],
      'where it returned a frozen one before',
    ],
    [
      'a result that is frozen now',
      f('n) { return { n }; }'),
      f('n) { return Object.freeze({ n: n * 2 }); }'),
      [[2]],
      'returns a frozen or sealed list or object',
    ],
    [
      'a result to which nothing can be added now',
      f('n) { return [n]; }'),
      f('n) { return Object.preventExtensions([n * 2]); }'),
      [[2]],
      'returns a frozen or sealed list or object',
    ],
    [
      'a thrown text',
      f("text) { if (typeof text !== 'string') throw new TypeError('text'); return text; }"),
      f("text) { if (typeof text !== 'string') throw 'text'; return text.trim(); }"),
      [['a ']],
      'throws something that is no error',
    ],
    [
      'an error of another class',
      f("n) { if (n < 0) throw new RangeError('n'); return n; }"),
      f("n) { if (n < 0) throw new Error('n'); return n * 2; }"),
      [[2]],
      'throws an Error for the arguments (-1), where it threw a RangeError',
    ],
    [
      'an error that is thrown in place of a rejection',
      f("n) { return n < 0 ? Promise.reject(new Error('n')) : Promise.resolve(n); }"),
      f("n) { if (n < 0) throw new Error('n'); return Promise.resolve(n * 2); }"),
      [[2]],
      'throws an error at once',
    ],
    [
      'an escape that is dropped',
      f("text) { return `<b>${text.replaceAll('<', '&lt;')}</b>`; }"),
      f('text) { return `<i>${text}</i>`; }'),
      [['Al']],
      'no longer escapes or leaves out "<"',
    ],
    [
      'an escape that only markup around it has',
      f("href) { return `<a href=\"${href}\">${href.replaceAll('<', '&lt;')}</a>`; }"),
      f('href) { return `<a href="${href}">.${href}</a>`; }'),
      [['/a']],
      'no longer escapes or leaves out "<"',
    ],
    [
      'folders above that are no longer left out',
      f("name) { return `/srv/${name.replaceAll('../', '')}`; }"),
      f('name) { return `/srv/files/${name}`; }'),
      [['a.txt']],
      'no longer escapes or leaves out "../"',
    ],
    [
      'an exponential time for numbers',
      f('n) { let [a, b] = [0, 1]; for (let i = 0; i <= n; i++) [a, b] = [b, a + b]; return a; }'),
      'const g = (n) => (n < 2 ? n : g(n - 1) + g(n - 2));\nexports.f = g;\n',
      [[10]],
      'did not end within',
    ],
    [
      'an exponential time for texts',
      f('text) { return /^[a-z]+$/.test(text); }'),
      f('text) { return /^([a-z]+ ?)+$/.test(text); }'),
      [['abc def']],
      'did not end within',
    ],
    [
      'a list whose items are arguments',
      f('list) { let best = 0; for (const it of list) if (it > best) best = it; return best; }'),
      f('list) { return Math.max(...list); }'),
      [[[-1, -2]]],
      'fails with a RangeError',
    ],
    [
      'a function that calls itself for each object of a list',
      f('lines) { let sum = 0; for (const { n } of lines) sum += n + n; return sum; }'),
      f(
        'lines, at = 0) { return at < lines.length ? lines[at].n * lines[at].n + exports.f(lines, at + 1) : 0; }',
      ),
      [[[{ n: 2 }, { n: 3 }]]],
      'fails with a RangeError',
    ],
    [
      'a list that is copied for each of its objects',
      f('lines) { let sum = 0; for (const { n } of lines) sum += n + n; return sum; }'),
      f(
        'lines) { let sum = 0; for (let [it, ...rest] = lines; it; [it, ...rest] = rest) sum += it.n * it.n; return sum; }',
      ),
      [[[{ n: 2 }, { n: 3 }]]],
      'did not end within',
    ],
  ])('%s', { timeout: 30_000 }, async (_, before, now, args, expected) => {
    const { all } = await differences(before, now, args);
    expect(all.map(({ sentence }) => sentence).join('\n')).toContain(expected);
    expect(all.every(({ sentence }) => sentence.includes('--allow f.cjs permits it'))).toBe(true);
  });

  it.each<[name: string, before: string, now: string, args: unknown[][], test?: string]>([
    ['a plain repair', f('w, h) { return w + h; }'), f('w, h) { return w * h; }'), [[3, 4]]],
    [
      'a memory by value',
      f('n) { return n; }'),
      `const known = new Map();\n${f('n) { if (!known.has(n)) known.set(n, n * 2); return known.get(n); }')}`,
      [[2]],
    ],
    [
      'a part of the argument that was one before',
      f('it) { return { n: 1, ...it }; }'),
      f('it) { return { n: 2, ...it }; }'),
      [[{ tags: ['a'] }]],
    ],
    [
      'output that a test looks at',
      f('n) { return n; }'),
      f("n) { process.stdout.write('n'); return n * 2; }"),
      [[2]],
      'const printed = capture(process.stdout);',
    ],
    [
      'an unreferenced timer',
      f('n) { return n; }'),
      `setInterval(() => {}, 100_000).unref();\n${f('n) { return n * 2; }')}`,
      [[2]],
    ],
    [
      'a pause of a promise',
      f('n) { return Promise.resolve(n); }'),
      f('n) { return new Promise((done) => setTimeout(done, 1, n * 2)); }'),
      [[2]],
    ],
    [
      'an operation of the language that no longer fails',
      f('text) { return text.trim(); }'),
      f("text) { return String(text ?? '').trim(); }"),
      [['a ']],
    ],
    [
      'a check that a test asks to be laxer',
      f("n) { if (n <= 0) throw new RangeError('n'); return n; }"),
      f('n) { return Math.max(n, 0); }'),
      [[2], [0]],
    ],
    [
      'a check in another place',
      f("n) { if (n < 0) throw new RangeError('n'); return n; }"),
      "const check = (n) => { if (n < 0) throw new RangeError('negative'); };\n" +
        f('n) { check(n); return n * 2; }'),
      [[2]],
    ],
    [
      'an error of a class of the same kind',
      f("n) { if (n < 0) throw new RangeError('n'); return n; }"),
      `class Negative extends RangeError {}\n${f("n) { if (n < 0) throw new Negative('n'); return n * 2; }")}`,
      [[2]],
    ],
    [
      'an error of another class that a test asks for',
      f("n) { if (n < 0) throw new Error('n'); return n; }"),
      f("n) { if (n < 0) throw new RangeError('n'); return n; }"),
      [[2], [-3]],
      'assert.throws(() => f(-3), RangeError);',
    ],
    [
      'a message that a test asks for',
      f("n) { if (n < 0) throw new RangeError('n'); return n; }"),
      f("n) { if (n < 0) throw new RangeError('must be positive'); return n; }"),
      [[2], [-3]],
      'assert.throws(() => f(-3), /positive/);',
    ],
    [
      'a message with the time in it',
      f('n) { if (n < 0) throw new RangeError(`n ${process.hrtime.bigint()}`); return n; }'),
      f('n) { if (n < 0) throw new RangeError(`n ${process.hrtime.bigint()}`); return n * 2; }'),
      [[2], [-3]],
    ],
    [
      'a list that is copied for each word of a text',
      f(
        "text) { let all; for (const it of text.split('&')) all = all === undefined ? it : [all, it]; return all; }",
      ),
      f("text) { let all = []; for (const it of text.split('&')) all = [].concat(all, it); return all; }"),
      [['a&b&c']],
    ],
    [
      'an empty text for which there was no value',
      f("text) { return text.split('-')[1]; }"),
      f("text) { return text.split('-')[1].trim(); }"),
      [['a- b']],
    ],
    [
      'a character that a test speaks of',
      f("text) { return text.replace(/[^a-z]/g, ''); }"),
      f("text) { return text.replace(/\\W/g, ''); }"),
      [['a_b c']],
    ],
    [
      'a loop over the objects of a list',
      f('lines) { let sum = 0; for (const { n } of lines) sum += n + n; return sum; }'),
      f('lines) { return lines.reduce((sum, { n }) => sum + n * n, 0); }'),
      [[[{ n: 2 }, { n: 3 }]]],
    ],
    [
      'a frozen result',
      f('n) { return Object.freeze({ n }); }'),
      f('n) { return Object.freeze({ n: n * 2 }); }'),
      [[2]],
    ],
    [
      'a copy that leaves every object as it is',
      f('it, to) { return { ...to, ...it, n: 1 }; }'),
      f('it, to) { return { ...to, ...it }; }'),
      [[{ n: 2 }, {}]],
    ],
    [
      'a new check',
      f('text) { return text.length; }'),
      f("text) { if (typeof text !== 'string') throw new TypeError('text'); return text.trim().length; }"),
      [['a ']],
    ],
    [
      'an escape in another spelling',
      f("text) { return text.replaceAll('<', '&lt;'); }"),
      f("text) { return text.replaceAll('<', '&#60;').trim(); }"),
      [['a ']],
    ],
    [
      'an escape of which a test speaks',
      f("text) { return text.replaceAll(\"'\", ''); }"),
      f('text) { return text.trim(); }'),
      [["it's "]],
    ],
    [
      'a text that is cut at a line',
      f("text) { return text.split('\\n'); }"),
      f("text) { return text.split('\\n').map((it) => it.trim()); }"),
      [['a ']],
    ],
    [
      'a list with more in it',
      f('n) { return Array.from({ length: n }, (_, at) => at); }'),
      f('n) { return Array.from({ length: n }, (_, at) => at + 1); }'),
      [[3]],
    ],
    [
      'long work that was long before',
      'const g = (n) => (n < 2 ? n : g(n - 1) + g(n - 2));\nexports.f = (n) => g(n) + 1;\n',
      'const g = (n) => (n < 2 ? n : g(n - 1) + g(n - 2));\nexports.f = g;\n',
      [[10]],
    ],
    [
      'a quadratic time',
      f('list) { return list; }'),
      f('list) { return list.filter((it, at) => list.indexOf(it) === at); }'),
      [[[1, 1, 2]]],
    ],
    ['a method more', f('n) { return { n }; }'), `${MONEY}${f('n) { return new Money(n * 2); }')}`, [[2]]],
  ])('says nothing of %s', { timeout: 30_000 }, async (_, before, now, args, test) => {
    const { all } = await differences(before, now, args, test);
    expect(all.map(({ sentence }) => sentence)).toEqual([]);
  });

  it('finds a method that a class of a package has no longer', async () => {
    const [root, other] = [temporaryFolder(), temporaryFolder()];
    writeFiles(root, { 'package.json': { name: 'it', version: '1.0.0', main: 'f.cjs' }, 'f.cjs': '' });
    writeFiles(other, { 'package.json': { name: 'it', private: true }, 'f.cjs': '' });
    const made = 'exports.Money = Money;\nexports.f = (n) => n;\n';
    const { loads } = await differences(MONEY + made, `class Money {}\n${made}`, [[2]]);
    expect(findLostMember(loads, root)).toBe(
      'f.cjs no longer has Money.show, which users of the package can call. Keep it; if it is to go, --allow f.cjs permits it.',
    );
    const { loads: same } = await differences(MONEY + made, MONEY + made, [[2]]);
    expect(findLostMember(same, root)).toBeUndefined();
    expect(findLostMember(loads, other)).toBeUndefined();
  });
});
