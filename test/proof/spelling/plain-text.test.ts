import { expect, it } from 'vitest';
import { plainText } from '../../../src/proof/spelling/plain-text.ts';
import { rewritingsFor } from '../../../src/proof/spelling/rewritings.ts';

function plain(rule: string, text: string): string {
  return plainText('a.js', text, rewritingsFor(rule)).replaceAll(/\s+/g, ' ').trim();
}

it.each([
  ['no-console', 'globalThis.console.log(1);', 'console.log(1);'],
  ['no-console', "globalThis['con' + 'sole']['log'](1);", 'console.log(1);'],
  ['no-console', "Reflect.get(globalThis, 'console').log(1);", 'console.log(1);'],
  ['no-console', 'const { log } = console;\nlog(1);', 'console.log(1);'],
  [
    'no-console',
    'const { log: say, warn } = globalThis.console;\nsay(1); warn(2);',
    'console.log(1); console.warn(2);',
  ],
  ['no-console', "import { log } from 'node:console';\nlog(1);", 'console.log(1);'],
  ['no-console', "import out from 'console';\nout.log(1);", 'console.log(1);'],
  [
    'no-eval',
    "import { runInNewContext } from 'node:vm';\nrunInNewContext(a);",
    "import { runInNewContext } from 'node:vm'; eval(a);",
  ],
  [
    'no-eval',
    "import vm from 'vm';\nnew vm.Script(a).runInThisContext();",
    "import vm from 'vm'; eval(a).runInThisContext();",
  ],
  ['no-eval', 'runInNewContext(a);', 'runInNewContext(a);'],
  [
    'no-restricted-imports',
    "const { a } = process.getBuiltinModule('node:' + 'fs');",
    `import "node:fs"; const { a } = process.getBuiltinModule("node:fs");`,
  ],
  ['no-restricted-imports', "const a = await import('b');", `import "b"; const a = await import('b');`],
  ['no-restricted-imports', "const a = load('b');", "const a = load('b');"],
  ['eqeqeq', 'const c = a <= b && a >= b;', 'const c = a == b;'],
  ['eqeqeq', 'const c = b >= a && b <= a;', 'const c = a == b;'],
  ['eqeqeq', 'const c = !(a < b) && !(a > b);', 'const c = a == b;'],
  ['eqeqeq', 'const c = !(a < b || a > b);', 'const c = a == b;'],
  ['eqeqeq', 'const c = a - b === 0;', 'const c = a == b;'],
  ['eqeqeq', 'const c = !(a - b);', 'const c = a == b;'],
  ['no-console', 'let out = console;\nout.log(1);', 'console.log(1);'],
  ['use-isnan', 'const c = a === +undefined;', 'const c = a === NaN;'],
  ['no-dupe-keys', "const key = 'a';\nconst o = { a: 1, [key]: 2 };", "const o = { a: 1, ['a']: 2 };"],
  ['no-empty', 'try { f(); } catch { ; }', 'try { f(); } catch { }'],
  ['use-isnan', "const none = Number('none');\nconst c = a === none;", 'const c = a === NaN;'],
  [
    'no-floating-promises',
    'const sent = [];\nfor (const it of all) sent.push(it.send());',
    'const sent = []; for (const it of all) it.send();',
  ],
  ['use-isnan', 'const c = a === 0 / 0;', 'const c = a === NaN;'],
  ['use-isnan', 'const c = [Number.NaN].indexOf(a) >= 0;', 'const c = NaN === a;'],
  ['use-isnan', 'const c = [NaN].lastIndexOf(a) === -1;', 'const c = NaN !== a;'],
  ['no-unused-vars', 'const tax = 1;\nvoid tax;\nif (tax) {}\nString(tax);', 'const tax = 1;'],
  ['no-self-assign', 'const self = this;\nthis.a = self.a ?? (a, undefined);', 'this.a = this.a;'],
  ['no-self-assign', 'this.a = [this.a][0];', 'this.a = this.a;'],
  ['no-self-assign', 'this.a = (() => this.a)();', 'this.a = this.a;'],
  ['no-dupe-keys', 'const o = { a: 1, ...{ a: 2 } };', 'const o = { a: 1, a: 2 };'],
  ['no-dupe-keys', 'const o = Object.assign({ a: 1 }, { a: 2 });', 'const o = { a: 1, a: 2 };'],
  ['no-empty', 'try { f(); } catch { // nothing\n}', 'try { f(); } catch { }'],
  ['no-empty', 'try { f(); } catch (e) { void e; }', 'try { f(); } catch (e) { }'],
  [
    'no-fallthrough',
    'switch (a) { case 1: f();\n// falls through\ncase 2: g(); }',
    'switch (a) { case 1: f(); case 2: g(); }',
  ],
  ['no-unreachable', 'function f() { if (true) { return 1; } g(); }', 'function f() { { return 1; } g(); }'],
  ['no-cond-assign', 'if ((a = 5)) f();', 'if (a = 5) f();'],
  ['no-dupe-else-if', 'if (n > 10) f(); else if (10 < n) g();', 'if (n > 10) f(); else if (n > 10) g();'],
  ['no-dupe-class-members', "class A { a() {} ['a' + '']() {} }", 'class A { a() {} ["a"]() {} }'],
  ['no-dupe-else-if', 'if (b === a) f(); else if (a === b) g();', 'if (a === b) f(); else if (a === b) g();'],
  ['no-loss-of-precision', 'export const a = 9007199254740992 + 1;', 'export const a = 9007199254740993;'],
  [
    'no-loss-of-precision',
    "export const a = Number('9007199254740993');",
    'export const a = 9007199254740993;',
  ],
  ['no-loss-of-precision', 'export const a = 3 * 3002399751580331;', 'export const a = 9007199254740993;'],
  [
    'no-unreachable-loop',
    'for (const a of b) { const c = a === 1; if (c || !c) return c; }',
    'for (const a of b) { const c = a === 1; return c; }',
  ],
  ['getter-return', 'class A { get b() { return void this.c(); } }', 'class A { get b() { return ; } }'],
  [
    'array-callback-return',
    'const f = (n) => { n * 2; };\nlist.map(f);',
    'const f = (n) => { n * 2; }; list.map((n) => { n * 2; });',
  ],
])('%s: %s', (rule, text, expected) => {
  expect(plain(rule, text)).toBe(expected);
});

it.each([
  ['no-console', 'out.log(1);'],
  ['no-console', 'let out = console; out = null;'],
  ['no-console', 'export const report = console;'],
  ['eqeqeq', 'const c = a <= b && a >= c;'],
  ['eqeqeq', 'const c = a === null || a === undefined;'],
  ['eqeqeq', 'const c = String(a) === String(b);'],
  ['use-isnan', 'const c = Number.isNaN(a);'],
  ['no-floating-promises', 'const sent = []; sent.push(send()); await Promise.all(sent);'],
  ['no-floating-promises', 'this.sent.push(send());'],
  ['use-isnan', 'const c = [NaN].includes(a);'],
  ['use-isnan', 'const c = list.indexOf(a) >= 0;'],
  ['no-dupe-else-if', 'if (n > 10) f(); else if (n < 10) g();'],
  ['no-loss-of-precision', 'export const a = 4 + 5 * other;'],
  ['no-loss-of-precision', "export const a = BigInt('9007199254740993');"],
  ['no-unreachable-loop', 'for (const a of b) { if (a || !c) return a; }'],
  ['getter-return', 'class A { get b() { return undefined; } }'],
  ['array-callback-return', "import { f } from './f.js'; list.map(f);"],
  ['array-callback-return', 'const f = (n) => { n * 2; }; run(f);'],
  ['no-unused-vars', 'save(tax);'],
  ['no-dupe-keys', 'const o = { ...base, a: 2 };'],
  ['no-cond-assign', 'if ((m = pattern.exec(text))) f();'],
  ['no-empty', 'try { f(); } catch { return null; }'],
  ['no-restricted-globals', 'const c = window.location;'],
  ['curly', 'if (true) { f(); }'],
])('%s leaves as it is: %s', (rule, text) => {
  expect(plain(rule, text)).toBe(text);
});
