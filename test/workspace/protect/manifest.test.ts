import { describe, expect, test } from 'vitest';
import { repairManifest } from '../../../src/workspace/protect/manifest.ts';

const BASE = `{
  "name": "x",
  "type": "module",
  "scripts": {
    "test": "vitest run"
  },
  "dependencies": {
    "a": "1.0.0"
  }
}
`;

describe('repairManifest', () => {
  test('ignores other keys, order and formatting', () => {
    expect(repairManifest(BASE, BASE)).toBeNull();
    expect(repairManifest(BASE, JSON.stringify({ ...JSON.parse(BASE), version: '2.0.0' }))).toBeNull();
  });

  test('restores a protected key and keeps the actor’s other keys, order and indentation', () => {
    const edited = BASE.replace('vitest run', 'exit 0').replace(
      '"a": "1.0.0"',
      '"a": "1.0.0",\n    "b": "2.0.0"',
    );
    const tabs = edited.replaceAll('  ', '\t');
    expect(repairManifest(BASE, tabs)).toEqual({
      keys: ['scripts'],
      text: tabs.replace('exit 0', 'vitest run'),
    });
  });

  test('removes a protected key that the base does not have', () => {
    const edited = BASE.replace('"type"', '"imports": { "#x": "./fake.js" },\n  "type"');
    expect(repairManifest(BASE, edited)).toEqual({ keys: ['imports'], text: BASE });
  });

  test('restores a removed key at its position', () => {
    const edited = BASE.replace('  "type": "module",\n', '').replace('1.0.0', '1.1.0');
    expect(repairManifest(BASE, edited)).toEqual({ keys: ['type'], text: BASE.replace('1.0.0', '1.1.0') });
  });

  test('keeps CRLF line ends and a missing final newline', () => {
    const edited = BASE.replace('vitest run', 'true')
      .replace('1.0.0', '1.1.0')
      .trimEnd()
      .replaceAll('\n', '\r\n');
    expect(repairManifest(BASE, edited)?.text).toBe(edited.replace('true', 'vitest run'));
  });

  test.each(['{', '[]', 'null', ''])('replaces %j by the base’s text', (text) => {
    expect(repairManifest(BASE, text)?.text).toBe(BASE);
  });

  test.each([
    ['node', { '.': { node: './fixed.js', default: './a.js' } }, ['exports']],
    ['development', { '.': { development: './fixed.js', default: './a.js' } }, ['exports']],
    ['nested', { './b': { import: { vitest: './fixed.js', default: './a.js' } } }, ['exports']],
    [
      'plain',
      { '.': { types: './a.d.ts', import: './a.js', require: './a.cjs' }, './b': './b.js' },
      undefined,
    ],
  ])('restores exports with a new condition: %s', (_what, exports, keys) => {
    const base = JSON.stringify({ name: 'x', exports: './a.js' });
    expect(repairManifest(base, JSON.stringify({ name: 'x', exports }))?.keys).toEqual(keys);
  });

  test('keeps the conditions of the base', () => {
    const withTarget = (file: string): string =>
      JSON.stringify({ exports: { node: file, default: './a.js' } });
    expect(repairManifest(withTarget('./b.js'), withTarget('./c.js'))).toBeNull();
  });

  const FILES = new Set(['index.js', 'lib/main.js', 'lib/extra.js', 'lib/old.js']);
  const keysOf = (before: object, after: object): readonly string[] | undefined =>
    repairManifest(JSON.stringify(before), JSON.stringify(after), {
      isThere: (path) => FILES.has(path),
      isLocked: false,
    })?.keys;

  test.each<[string, object, object]>([
    ['main', { main: 'lib/main.js' }, { main: 'lib/old.js' }],
    ['main', { main: './lib/main' }, {}],
    ['main', {}, { main: 'lib/old.js' }],
    ['bin', { bin: { x: 'lib/main.js' } }, { bin: { x: 'lib/old.js' } }],
    ['exports', { exports: './lib/main.js' }, { exports: './lib/old.js' }],
    ['exports', { exports: { '.': { import: './lib/main.js' } } }, { exports: { '.': './lib/old.js' } }],
    [
      'exports',
      { exports: { '.': './lib/main.js', './x': './lib/extra.js' } },
      { exports: { '.': './lib/main.js' } },
    ],
    ['exports', { main: 'lib/main.js' }, { main: 'lib/main.js', exports: './lib/old.js' }],
    ['files', { files: ['lib', 'index.js'] }, { files: ['lib'] }],
    ['files', { files: ['lib'] }, { files: ['lib', '!lib/main.js'] }],
    ['files', {}, { files: ['lib'] }],
    ['engines', { engines: { node: '>=18' } }, { engines: { node: '>=24' } }],
    ['publishConfig', {}, { publishConfig: { main: 'lib/old.js' } }],
    ['sideEffects', {}, { sideEffects: false }],
  ])('restores %s if users would get something else: %j, %j', (key, before, after) => {
    expect(keysOf(before, after)).toEqual([key]);
  });

  test('restores the dependencies beside a lock file that goes back', () => {
    const [before, after] = [BASE, BASE.replace('"a": "1.0.0"', '"a": "1.0.0",\n    "b": "1.0.0"')];
    const isThere = (): boolean => false;
    expect(repairManifest(before, after, { isThere, isLocked: true })).toEqual({
      keys: ['dependencies'],
      text: BASE,
    });
    expect(repairManifest(before, after, { isThere, isLocked: false })).toBeNull();
  });

  test.each<[object, object]>([
    [{ main: 'dist/main.js' }, { main: 'lib/main.js' }],
    [{ main: 'lib/main.js' }, { main: './lib/main.js' }],
    [{ exports: './lib/main.js' }, { exports: { '.': './lib/main.js', './extra': './lib/extra.js' } }],
    [
      { exports: { '.': './lib/main.js' } },
      { exports: { '.': './lib/main.js', './extra': './lib/extra.js' } },
    ],
    [{ exports: { '.': './missing.js' } }, { exports: { '.': './lib/main.js' } }],
    [{ main: 'lib/main.js' }, { main: 'lib/main.js', exports: { '.': './lib/main.js' } }],
    [{ files: ['lib/'] }, { files: ['lib', 'bin'] }],
    [{ files: ['lib'] }, {}],
    [{ bin: { x: 'lib/main.js' } }, { bin: { x: 'lib/main.js', y: 'lib/extra.js' } }],
    [{}, { types: 'index.d.ts' }],
  ])('lets a package deliver more: %j, %j', (before, after) => {
    expect(keysOf(before, after)).toBeUndefined();
  });
});
