import { describe, expect, it } from 'vitest';
import { lostPaths, passingAt, passingPathsOf } from '../../../src/repair/choose/lost-paths.ts';
import { createRepo, groundOf, replacing, TEST_HEAD } from '../../support/repair-repo.ts';

const SOURCE = `export function unquoted(text) {
  if (text[0] === '"' && text[text.length - 1] === '"') {
    return text.slice(1, -1);
  }
  return JSON.parse(text);
}
`;
const TESTS = `${TEST_HEAD.node}import { unquoted } from '../src/subject.js';
test('plain', () => assert.equal(unquoted('"a"'), 'a'));
test('number', () => assert.equal(unquoted('1'), 1));
test('escaped', () => assert.equal(unquoted('"\\\\u0061"'), 'a'));
`;

async function found(before: string, after: string) {
  const root = createRepo({ 'src/subject.js': SOURCE, 'test/subject.test.js': TESTS });
  const [candidate] = replacing(root, before, after);
  const ground = await groundOf(root, 'node');
  const paths = await passingPathsOf(ground, 'src/subject.js');
  const lost = await lostPaths(ground, paths!, candidate!);
  return { passing: passingAt(paths!, candidate!), lost: lost.map(({ line }) => line) };
}

describe('lostPaths', { timeout: 120_000 }, () => {
  it('names what passing tests ran and no test reaches with the edit', async () => {
    expect(await found('text.length - 1', 'text.size - 1')).toEqual({ passing: 2, lost: [3] });
  });

  it('names a removed statement that passing tests ran', async () => {
    expect((await found('return text.slice(1, -1);', '')).lost).toEqual([3]);
  });

  it('names nothing where far more tests are fixed than lose a statement', async () => {
    const files = (fixed: number) => {
      const words = Array.from({ length: fixed }, (_, index) => `'"w${index}"'`);
      const cases = words.map((word) => `test(${word}, () => assert.equal(unquoted(${word}), '!'));`);
      return { 'src/subject.js': SOURCE, 'test/subject.test.js': `${TESTS}${cases.join('\n')}\n` };
    };
    const lostWith = async (fixed: number) => {
      const root = createRepo(files(fixed));
      const [candidate] = replacing(root, "text[0] === '\"' &&", "text[0] === '\"') return '!'; if (");
      const ground = await groundOf(root, 'node');
      const paths = await passingPathsOf(ground, 'src/subject.js');
      const lost = await lostPaths(ground, paths!, candidate!);
      return lost.map(({ line }) => line);
    };
    expect(await lostWith(3)).toEqual([3]);
    expect(await lostWith(4)).toEqual([]);
  });

  it('names nothing if every statement is still reached, by whichever test', async () => {
    const narrowed = `text[text.length - 1] === '"' && !text.includes('\\\\')`;
    expect(await found(`text[text.length - 1] === '"'`, narrowed)).toEqual({ passing: 2, lost: [] });
    expect((await found('text.slice(1, -1)', 'JSON.parse(text)')).lost).toEqual([]);
  });
});
