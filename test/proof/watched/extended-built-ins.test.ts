import { describe, expect, it } from 'vitest';
import { addedToBuiltIn } from '../../../src/proof/watched/extended-built-ins.ts';

describe('addedToBuiltIn', () => {
  it.each([
    'Array.prototype.last = function () {};',
    "String.prototype['pad'] = f;",
    'Object.defineProperty(Array.prototype, "last", { value: f });',
    'Object.defineProperties(Map.prototype, { a: {} });',
    'Object.assign(String.prototype, { pad });',
  ])('names the place of %s', (text) => {
    expect(addedToBuiltIn(text, '')).toBeDefined();
    expect(addedToBuiltIn(`${text}\nf();`, text)).toBeUndefined();
  });

  it.each([
    'Array.prototype.slice.call(list);',
    'if (Array.prototype.at === undefined) f();',
    'Own.prototype.last = f;',
    'Promise.prototype.done ??= f;',
    'if (!Array.prototype.at) Array.prototype.at = f;',
    'if (!Array.prototype.at) {\n  Array.prototype.at = f;\n}',
    '// Array.prototype.last = f;',
    'const { slice } = Array.prototype;',
  ])('accepts %s', (text) => {
    expect(addedToBuiltIn(text, '')).toBeUndefined();
  });
});
