import { expect, it } from 'vitest';
import { changesOfTests } from '../../../../src/proof/replay/ambient/changed-by-tests.ts';
import { isNone } from '../../../../src/proof/replay/ambient/changes.ts';

const changes = (text: string) => changesOfTests('test/a.test.ts', text);

it.each([
  ['expect(add(2, 3)).toBe(5); const spy = vi.fn(); vi.mocked(spy);'],
  ['vi.useFakeTimers(); vi.setSystemTime(0); jest.useFakeTimers();'],
  ["text.replace('a', 'b'); const local = {}; local.process = 1;"],
  ['Object.defineProperty({}, key, { value: 1 });'],
  ['const stub = sinon.stub(); const spy = sinon.spy();'],
  ['// sinon, nock and proxyquire are not used here'],
  ["import { Cart } from './cart.js'; const cart = new Cart(); cart.total = 1;"],
  ["/** @vitest-environment node */ test('a', () => {});"],
])('sees nothing in %s', (text) => {
  expect(isNone(changes(text))).toBe(true);
});

it.each([
  ["vi.spyOn(console, 'warn')", ['warn']],
  ["sinon.stub(store, 'load').returns(1)", ['load']],
  ["t.mock.method(fs, 'readFile', () => 1)", ['readFile']],
  ["vi.stubGlobal('fetch', () => 1)", ['fetch']],
  ['globalThis.answer = 42', ['answer']],
  ["import { clock } from '#clock'; clock.now = () => 1", ['now']],
  ["import first, { a as other } from './a.js'; other.now = 1; first.later = 2", ['now', 'later']],
  ["const { clock: time } = require('../src'); time.now = 1", ['now']],
  ['delete global.answer', ['answer']],
  ['Math.random = () => 0.5', ['random']],
  ['String.prototype.shout = function () {}', ['prototype', 'shout']],
  ["Object.defineProperty(navigator, 'language', { value: 'de' })", ['language']],
])('%s changes what has these names', (text, words) => {
  expect(changes(text)).toMatchObject({ words, isUnknown: false });
});

it('reads modules relative to the root, and of packages by name', () => {
  expect(
    changes("vi.mock('../src/load.ts'); jest.mock('node:fs'); vi.mock(import('../src/index.js'));"),
  ).toMatchObject({
    modules: ['src/load', 'fs', 'src'],
    isUnknown: false,
  });
});

it.each([
  ['vi.mock(name)'],
  ['globalThis[name] = 1'],
  ['Object.assign(globalThis, helpers)'],
  ['Object.defineProperty(target, name, {})'],
  ["import proxyquire from 'proxyquire';"],
  ['const = ;'],
])('does not know what %s changes', (text) => {
  expect(changes(text).isUnknown).toBe(true);
});

it('sees variables, the working folder, the network and modules that are loaded anew', () => {
  expect(changes("process.env.MODE = 'x'").words).toContain('env');
  expect(changes("process.chdir('/')").outside).toBe(true);
  expect(changes("import nock from 'nock';").outside).toBe(true);
  expect(changes('vi.resetModules()').state).toBe(true);
  expect(changes('/** @jest-environment jsdom */').words).toContain('document');
});
