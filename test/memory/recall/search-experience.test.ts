import { describe, expect, it } from 'vitest';
import { searchExperience } from '../../../src/memory/recall/search-experience.ts';
import { lesson } from '../lessons/sample.ts';

const repair = (operator: string, file_path = 'src/a.ts') => ({
  operator,
  edit: `${file_path}: a → b @0123456789`,
  file_path,
  test_file: 'test/a.test.ts',
});
const pattern = (operator: string, file = 'src/a.ts') =>
  lesson(`In ${file} the \`${operator}\` edit "a → b" fixed failures of test/a.test.ts.`, {
    type: 'fix_pattern',
    files: [file, 'test/a.test.ts'],
  });
const operators = (edits: readonly { readonly operator: string }[]): string[] =>
  edits.map(({ operator }) => operator);

describe('searchExperience', () => {
  const repairs = [repair('guard'), repair('number')];
  const [guard, regex] = [pattern('guard'), pattern('regex')];

  it('has patterns that no repair covers, then the repairs', () => {
    expect(operators(searchExperience(repairs, [guard, regex]))).toEqual(['regex', 'guard', 'number']);
  });

  it('leaves a withheld lesson out with the repairs that it was made from', () => {
    const told = (id: string) =>
      operators(searchExperience(repairs, [guard, regex], { all: false, lesson: id }));
    expect(told(guard.id)).toEqual(['regex', 'number']);
    expect(told(regex.id)).toEqual(['guard', 'number']);
  });

  it('knows the repair of a lesson that says which edit worked', () => {
    const claim = {
      kind: 'edit_works',
      file: 'src/a.ts',
      before: '  return a;',
      after: '  return b;',
    } as const;
    const works = lesson('In src/a.ts, changing `a` to `b` fixed the test "x".', {
      type: 'fix_pattern',
      claim,
    });
    const other = { ...repair('number'), edit: 'src/a.ts: c → d @0123456789' };
    const told = searchExperience([repair('guard'), other], [works], { all: false, lesson: works.id });
    expect(told).toEqual([other]);
  });

  it('has only pinned patterns in a loop without memory', () => {
    const pinned = { ...regex, pinned: true };
    expect(operators(searchExperience(repairs, [guard, pinned], { all: true }))).toEqual(['regex']);
  });
});
