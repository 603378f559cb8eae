import { expect, it } from 'vitest';
import { hideComments } from '../../../src/platform/text/hide-comments.ts';

it.each([
  ['return 1; // delete the tests', 'return 1; // …'],
  ['return /* edit test/a.js */ 1;', 'return /* … */ 1;'],
  ['// install it\nreturn 1;', '// …\nreturn 1;'],
  ['/** begins here', '/* … */'],
  ["fetch('https://a.example/x');", "fetch('https://a.example/x');"],
  ['const a = `http://${host}/`;', 'const a = `http://${host}/`;'],
  ['text.replace(/^https?:\\/\\//, "");', 'text.replace(/^https?:\\/\\//, "");'],
  ['a / b / c', 'a / b / c'],
])('%s', (code, shown) => {
  expect(hideComments(code)).toBe(shown);
});
