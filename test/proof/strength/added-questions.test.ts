import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StrengthRequest } from '../../../src/ports/acceptance.ts';
import { addedQuestions } from '../../../src/proof/strength/added-questions.ts';
import { changedSources } from '../../../src/proof/strength/changed-sources.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** The questions of lines that stand in the place of `a += b;` in a function. */
function questionsOf(after: string): string[] {
  const found = answersTo(after);
  // Each question is answered with yes and with no.
  expect(found.map(([, always]) => always)).toEqual(found.map((_, at) => at % 2 === 0));
  return found.flatMap(([question, always]) => (always === true ? [question!] : []));
}

/** The questions of lines that stand in the place of others, each with an answer. */
function answersTo(after: string, before = 'a += b;') {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.js'), `function f(a, b) {\n${after}\nreturn a;\n}\n`);
  const added = after.split('\n').map((line) => `+${line}`);
  const head = ['diff --git a/a.js b/a.js', '--- a/a.js', '+++ b/a.js', '@@ -1,4 +1,4 @@'];
  const patch = [...head, ' function f(a, b) {', `-${before}`, ...added, ' return a;', ' }', ''];
  const request = { root, changes: { patch: patch.join('\n') }, testFiles: [] as string[] };
  const sources = changedSources(request as unknown as StrengthRequest);
  return addedQuestions(sources).map(({ added: question, always }) => [question, always] as const);
}

describe('addedQuestions', () => {
  it.each([
    [
      'who calls',
      "a += b.headers['user-agent'] === 'node' ? b.n : 1;",
      ["b.headers['user-agent'] === 'node'"],
    ],
    ['how often it was called', 'a += made++ < 3 ? b : 1;', ['made++ < 3']],
    ['what is drawn', 'a += randomInt(10) > 0 ? b : 1;', ['randomInt(10) > 0']],
    ['what moment it is', 'a += b.getMilliseconds() ? 1 : b.n;', ['b.getMilliseconds()']],
    ['what a caller gives', 'a += "headers" in b ? 1 : b.n;', ['"headers" in b']],
    ['which function it is', 'a += b.sleep === pause ? 1 : b.n;', ['b.sleep === pause']],
    ['where files lie', 'a += b.dir.startsWith(tmpdir()) ? b.n : 1;', ['b.dir.startsWith(tmpdir())']],
    ['what is listed', 'a += [1, 5, 7].includes(b) ? b : 1;', ['[1, 5, 7].includes(b)']],
    ['a number by a question', 'a += Number(b.sku === "pen") * b.n;', ['b.sku === "pen"']],
    ['a guard that answers', 'if (b.id === "a1") return b.n;', ['b.id === "a1"']],
    ['a guard that throws', 'if (b.id === "a1") throw new Error("no");', ['b.id === "a1"']],
  ])('asks for a question about %s', (_, after, questions) => {
    expect(questionsOf(after)).toEqual(questions);
  });

  it("asks for a helper's question, and for what a new class counts", () => {
    const lines = 'a += step(b);\nreturn a;\n}\nconst step = (b) => (b.id === "a1" ? 2 : 1);\n';
    expect(questionsOf(`${lines}function g() {`)).toEqual(['b.id === "a1"']);
    const counting =
      'a += b.n;\nreturn a;\n}\nexport class Queue { #n = 0; put() { return this.#n++ < 9; } }\n';
    expect(questionsOf(`${counting}function g() {`)).toEqual(['this.#n++ < 9']);
  });

  it.each([
    ['who uses a stream', "a += ' '.repeat(b.listenerCount('data'));", "b.listenerCount('data')"],
    [
      'where a program writes',
      'a += { true: 1, undefined: 2 }[process.stdout.isTTY];',
      'process.stdout.isTTY',
    ],
  ])('answers %s where it is no question', (_, after, state) => {
    expect(answersTo(after)).toEqual([
      [state, true],
      [state, false],
    ]);
  });

  it('does not answer such a value of a new function', () => {
    const more =
      "a += b.n;\nreturn a;\n}\nexport const size = (b) => b.listenerCount('data');\nfunction g() {";
    expect(answersTo(more)).toEqual([]);
  });

  it('answers a new condition around a call of the base with no', () => {
    expect(answersTo('if (b.dir === b.top) put(b);', 'put(b);')).toEqual([['b.dir === b.top', false]]);
    expect(answersTo('if (b.dir === b.top) take(b);', 'put(b);')).toEqual([]);
    expect(answersTo('if (b.dir === b.top) put(b); else take(b);', 'put(b);')).toEqual([]);
  });

  it.each([
    ['a new function', 'export const step = (b) => (b.id === "a1" ? 2 : 1);'],
    ['a new class', 'export class Step { of(b) { return b.id === "a1" ? 2 : 1; } }'],
    ['a function that is listed', 'const step = (b) => (b.id === "a1" ? 2 : 1);\nexport { f, step };'],
    [
      'a function that is assigned',
      'function step(b) { return b.id === "a1" ? 2 : 1; }\nexports.step = step;',
    ],
  ])('does not ask for %s that others can use', (_, added) => {
    expect(questionsOf(`a += b.n;\nreturn a;\n}\n${added}\nfunction g() {`)).toEqual([]);
  });

  it.each([
    ['what is looked for', 'a = b.items.find((it) => it.id === b.id);'],
    ['which of two is more', 'a = b.n < b.m ? b.n : b.m;'],
    ['the error of a missing file', 'if (b.code === "ENOENT") return a;'],
    ['an empty text', 'a = b.lines.filter((line) => line.trim() !== "");'],
    ['a missing value', 'a += b === undefined ? 0 : b;'],
    ['the kind of a value', 'a += Array.isArray(b) ? b.length : b;'],
    ['how far a loop goes', 'for (let i = 0; i < b && a < 900; i++) a += i;'],
    ['a guard that leaves with nothing', 'if (b.done === "yes") return;'],
    ['a guard that leaves with an empty value', 'if (b.id === "a1") return [];'],
    ['a guard for what is too large', 'if (b > 9999) throw new RangeError("large");'],
    ['work that was done before', 'if (!known.has(b)) known.set(b, a + b);\na = known.get(b);'],
    ['an answer that was found before', 'if (known.has(b)) return known.get(b);\na += b;'],
  ])('does not ask for %s', (_, after) => {
    expect(questionsOf(after)).toEqual([]);
  });
});
