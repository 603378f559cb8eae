import { describe, expect, it } from 'vitest';
import { isCodeAsItWas } from '../../../src/repair/syntax/code-as-it-was.ts';
import { git, repositoryWith, writeFiles } from '../../support/repositories.ts';

/** Whether a change of one file is known to change no code. */
function isKept(file: string, before: string, after: string): boolean {
  const root = repositoryWith({ [file]: before });
  writeFiles(root, { [file]: after });
  return isCodeAsItWas(git(root, 'diff'), root);
}

const JS = 'export const a = (n) => n + 1;\n';
const PY = 'def a(n):\n    return n + 1\n';
const GO = 'package a\n\nfunc A(n int) int {\n\treturn n + 1\n}\n';

describe('a patch that is known to change no code', () => {
  it.each([
    ['a.js', JS, `// a note\n${JS}`],
    ['a.js', `/** Adds. */\n${JS}`, `/** @returns {number} the next */\n${JS}`],
    ['a.js', JS, '\nexport const a = (n) => (n + 1)\n'],
    ['a.js', 'b("c");\n', "b('c');\n"],
    ['a.ts', 'a(5 / 100);\n', 'a(0.05);\n'],
    ['a.py', PY, `# a note\n\n${PY}`],
    ['a.go', GO, GO.replace('\treturn', '\t// next one\n\treturn')],
    ['README.md', '# a\n', '# b\n'],
    ['LICENSE', 'a\n', 'b\n'],
  ])('changes %s from %j to %j', (file, before, after) => {
    expect(isKept(file, before, after)).toBe(true);
  });
});

describe('a patch that may change what a test does', () => {
  it.each([
    ['a.js', JS, JS.replace('1', '2')],
    ['data/stopwords.txt', 'a\n', 'a\nthe\n'],
    ['docs/a.rst', '>>> a(1)\n2\n', '>>> a(1)\n3\n'],
    ['templates/mail.hbs', 'Dear {{name}}\n', 'Dear {{name}}\n\n'],
    ['a.yml', 'a: |\n  b\n', 'a: |\n  # c d\n  b\n'],
    ['a.html', '<pre>\n</pre>\n', '<pre>\n\n</pre>\n'],
    ['view.jsx', 'export const a = <b />;\n', '/** @jsx h */\nexport const a = <b />;\n'],
    ['a.test.js', '// @vitest-environment node\na();\n', '// @vitest-environment jsdom\na();\n'],
    ['a.test.js', 'a();\n', '/** @jest-environment jsdom */\na();\n'],
    ['a.js', 'import(b);\n', 'import(/* @vite-ignore */ b);\n'],
    ['a.js', "import('./b');\n", "import(/* webpackChunkName: 'b' */ './b');\n"],
    ['a.ts', 'a(1);\n', '// @ts-expect-error\na(1);\n'],
    ['a.js', 'a(1);\n', '/* c8 ignore next */\na(1);\n'],
    ['a.js', 'b(/* #__PURE__ */ c());\n', 'b(c());\n'],
    // Some runners check types.
    ['a.ts', 'export const a = (n: string) => n;\n', 'export const a = (n: number) => n;\n'],
    ['a.js', 'a(`b\n`);\n', 'a(`b\n// c\n`);\n'],
    ['a.js', 'a(\n', '// c\na(\n'],
    ['a.py', `a = """\n"""\n${PY}`, `a = """\n\n"""\n${PY}`],
    ['a.py', PY, `# -*- coding: latin-1 -*-\n${PY}`],
    ['a.go', GO, `// +build linux\n\n${GO}`],
    ['a_test.go', `${GO}// Output:\n// 1\n`, `${GO}// Output:\n// 2\n`],
    ['a.rs', 'a("b\nc");\n', 'a("b\n\nc");\n'],
    ['a.c', '#define A \\\n  1\n', '#define A \\\n\n  1\n'],
    ['a.sh', 'cat <<E\nE\n', 'cat <<E\n# b\nE\n'],
  ])('changes %s from %j to %j', (file, before, after) => {
    expect(isKept(file, before, after)).toBe(false);
  });

  it('is one of code whose text is not known', () => {
    const patch = 'diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1,1 +1,2 @@\n+// b\n a();\n';
    expect(isCodeAsItWas(patch, undefined)).toBe(false);
  });
});
