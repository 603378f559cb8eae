import { describe, expect, it } from 'vitest';
import { applyEdits, type Edit } from '../../../src/agents/tools/apply-edits.ts';

function made(text: string, ...edits: Edit[]): string {
  const outcome = applyEdits(text, edits);
  if (!outcome.ok) throw new Error(outcome.problem);
  return outcome.text;
}

function problem(text: string, ...edits: Edit[]): string {
  const outcome = applyEdits(text, edits);
  return outcome.ok ? `APPLIED: ${outcome.text}` : outcome.problem;
}

const swap = (oldText: string, newText: string): Edit => ({ oldText, newText });

describe('what matches', () => {
  it.each([
    ['a part of a line', 'let a = 1;\n', swap('a = 1', 'b = 2'), 'let b = 2;\n'],
    ['several lines', 'a\nb\nc\n', swap('a\nb\n', 'A\nB\n'), 'A\nB\nc\n'],
    ['a deletion', 'a\nb\nc\n', swap('b\n', ''), 'a\nc\n'],
    ['the whole text', 'a', swap('a', 'b\n'), 'b\n'],
    ['dollar signs as they are', 'x', swap('x', '$& $1 $$'), '$& $1 $$'],
    ['LF for CRLF', 'a\r\nb\r\nc\r\n', swap('a\nb', 'A\nB\nB2'), 'A\r\nB\r\nB2\r\nc\r\n'],
    ['CRLF for LF', 'a\nb\nc\n', swap('a\r\nb', 'A\r\nB'), 'A\nB\nc\n'],
    ['one line of a CRLF file', 'a\r\nb\r\n', swap('b', 'b1\nb2'), 'a\r\nb1\r\nb2\r\n'],
    ['a line break of a CRLF file', 'a\r\nb\r\n', swap('\nb', '\nB'), 'a\r\nB\r\n'],
    ['a removed line break of a CRLF file', 'a\r\nb\r\n', swap('\nb', ' b'), 'a b\r\n'],
    [
      'the line ends of the place, where they are mixed',
      'a\r\nb\nc\n',
      swap('b', 'b\nb2'),
      'a\r\nb\nb2\nc\n',
    ],
    ['white space at a line end', 'a  \nb\t\nc\n', swap('a\nb\n', 'A\nB\n'), 'A\nB\nc\n'],
    ['white space at the end of old text', 'a();\nb\n', swap('a(); \nb  ', 'A();\nb'), 'A();\nb\n'],
    ['curly quotes', 'say(“it’s”);\n', swap(`say("it's");`, 'said();'), 'said();\n'],
    ['dashes', 'a – b — c\n', swap('a - b - c', 'd'), 'd\n'],
    ['non-breaking spaces', 'a\u{a0}b\n', swap('a b', 'c'), 'c\n'],
    ['curly quotes in old text alone', 'say("x");\n', swap('say(“x”);', 'said();'), 'said();\n'],
    ['a last line without an end', 'a\nb', swap('b\n', 'c\n'), 'a\nc'],
    ['lines before one of white space', 'a \nx\n   \nend\n', swap('a\nx\n', 'Q\n'), 'Q\n   \nend\n'],
    ['a text with a byte order mark', '\u{feff}a\nb\n', swap('a\n', 'A\n'), '\u{feff}A\nb\n'],
    ['a byte order mark in old text', '\u{feff}a\nb\n', swap('\u{feff}a\n', '\u{feff}A\n'), '\u{feff}A\nb\n'],
  ])('%s', (_name, text, edit, expected) => {
    expect(made(text, edit)).toBe(expected);
  });

  it('an exact match wins over look-alikes', () => {
    expect(made("say(‘a’)\nsay('a')\n", swap(`say('a')`, 'b'))).toBe('say(‘a’)\nb\n');
  });

  it('keeps equal lines around the change byte for byte', () => {
    const text = '// “quoted”  \nlet a = 1;\t\n// end – here \n';
    const edit = swap('// "quoted"\nlet a = 1;\n// end - here\n', '// "quoted"\nlet a = 2;\n// end - here\n');
    expect(made(text, edit)).toBe('// “quoted”  \nlet a = 2;\n// end – here \n');
  });

  it('keeps equal lines around an insertion byte for byte', () => {
    expect(made('“a”  \nb \n', swap('"a"\nb\n', '"a"\nX\nb\n'))).toBe('“a”  \nX\nb \n');
  });

  it('says what was looked past, and nothing for an exact match', () => {
    expect(applyEdits('a \nb\n', [swap('a\nb', 'c')])).toMatchObject({
      lookedPast: ['trailing white space'],
    });
    expect(applyEdits('“a”\n', [swap('"a"', 'c')])).toMatchObject({ lookedPast: ['look-alike characters'] });
    expect(applyEdits('a\r\nb\r\n', [swap('a\nb', 'c')])).toMatchObject({ lookedPast: [] });
  });
});

describe('several edits', () => {
  it('are all matched against the original', () => {
    expect(made('a\nb\nc\n', swap('a', 'b'), swap('b', 'c'), swap('c', 'a'))).toBe('b\nc\na\n');
  });

  it('may come in any order', () => {
    expect(made('a\nb\nc\n', swap('c', 'C'), swap('a', 'A'))).toBe('A\nb\nC\n');
  });

  it('may share lines that neither changes', () => {
    expect(made('a\nb\nc\n', swap('a\nb\n', 'A\nb\n'), swap('b\nc\n', 'b\nC\n'))).toBe('A\nb\nC\n');
  });

  it.each([
    ['change the same text', 'abc\n', [swap('ab', 'x'), swap('bc', 'y')]],
    ['change what another matched', 'a\nb\nc\n', [swap('a\nb\n', 'a\nB\n'), swap('b\nc\n', 'b\nC\n')]],
    ['change what one before matched', 'a\nb\nc\n', [swap('b\nc\n', 'b\nC\n'), swap('a\nb\n', 'a\nB\n')]],
    ['are the same', 'a\nb\n', [swap('a', 'x'), swap('a', 'x')]],
    ['insert at the same place', 'a\nb\n', [swap('a\n', 'a\nx\n'), swap('a\n', 'a\ny\n')]],
    ['lie in one another', 'a\nb\nc\n', [swap('a\nb\nc', 'x'), swap('b', 'y')]],
  ])('are refused where they %s', (_name, text, edits) => {
    expect(problem(text, ...edits)).toMatch(/^Edits 1 and 2 overlap at line \d\. Make one edit of them\.$/);
  });

  it('are told all problems at once, by number', () => {
    const told = problem('alpha\nbeta\nbeta\n', swap('alpha', 'A'), swap('beta', 'B'), swap('gamma!', 'C'));
    expect(told).toContain('Edit 2: oldText occurs 2 times, at lines 2, 3.');
    expect(told).toContain('Edit 3: oldText is not in the file');
    expect(told).not.toContain('Edit 1:');
  });
});

describe('what is refused', () => {
  it.each([
    ['empty old text', 'a\n', swap('', 'x'), /oldText is empty.*use write/],
    ['no change', 'a\n', swap('a', 'a'), /nothing would change/],
    ['no change but in line ends', 'a\nb\n', swap('a\nb', 'a\r\nb'), /nothing would change/],
    ['two places', 'a\nb\na\n', swap('a', 'x'), /occurs 2 times, at lines 1, 3\. Add lines around it/],
    ['two places that overlap', 'aaa\n', swap('aa', 'x'), /occurs 2 times/],
    ['white space that is not at a line end', 'a  b\n', swap('a b', 'x'), /oldText is not in the file/],
    [
      'old text that ends in white space within a line',
      'foo(bar\n',
      swap('foo( ', 'x'),
      /oldText is not in the file/,
    ],
    ['a line end that is not there', 'foo bar', swap('foo\n', 'x'), /oldText is not in the file/],
    ['another case', 'Alpha\n', swap('alpha', 'x'), /differs in upper and lower case/],
  ])('%s', (_name, text, edit, expected) => {
    expect(problem(text, edit)).toMatch(expected);
  });

  it('no edits at all', () => {
    expect(problem('a')).toBe('There are no edits.');
  });
});

describe('the lines most like text that is not there', () => {
  const text = [
    'function one() {',
    '  return 1;',
    '}',
    '',
    'function two() {',
    '    return 2;',
    '}',
    '',
  ].join('\n');

  it('are shown with their numbers, and how they differ', () => {
    const told = problem(text, swap('function two() {\n  return 2;\n}', 'x'));
    expect(told).toContain('Most like it are lines 5-7:');
    expect(told).toContain('5 same: function two() {');
    expect(told).toContain('6  99%:     return 2;');
    expect(told).toContain('Line 6 differs in indentation; oldText has:   return 2;');
  });

  it('are left out where nothing is like it', () => {
    expect(problem(text, swap('class Zebra extends Quagga {}', 'x'))).toBe(
      'oldText is not in the file, and nothing there is like it. Read the file again.',
    );
  });

  it('say that the new text is there already', () => {
    expect(problem('a\nsum(total, fee);\n', swap('sum(total, tip);', 'sum(total, tax);'))).not.toContain(
      'already',
    );
    expect(problem('a\nsum(total, tax);\n', swap('sum(total, tip);', 'sum(total, tax);'))).toContain(
      'newText is there already, at line 2.',
    );
  });

  it('are at most eight, around the first difference', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `const value${index} = compute(${index});`);
    const old = lines.map((line, index) => (index === 20 ? 'const value20 = compare(20);' : line));
    const told = problem(lines.join('\n'), swap(old.join('\n'), 'x'));
    expect(told.split('\n').filter((line) => /^\d+ /.test(line))).toHaveLength(8);
    expect(told).toContain('Line 21 differs in text; oldText has: const value20 = compare(20);');
  });

  it('are shown for the first three edits that fail', () => {
    const edits = Array.from({ length: 5 }, (_, index) => swap(`  return ${index}0;`, 'x'));
    const told = problem(text, ...edits);
    expect(told.match(/Most like it are/g)).toHaveLength(3);
    expect(told).toMatch(/\nEdit 4: oldText is not in the file\.\nEdit 5: oldText is not in the file\.$/);
  });

  it('are cut where they are long', () => {
    const told = problem(
      `const data = "${'x'.repeat(5000)}";\n`,
      swap(`const date = "${'x'.repeat(5000)}";`, 'y'),
    );
    expect(told).toContain('…');
    expect(told.length).toBeLessThan(800);
  });

  it('are found in a file of ten thousand lines', () => {
    const lines = Array.from(
      { length: 10_000 },
      (_, index) => `  const item${index} = shelf.get(${index}, options);`,
    );
    lines[7777] = '  const wanted = warehouse.findFirst((item) => item.id === key);';
    const told = problem(
      lines.join('\n'),
      swap('  const wanted = warehouse.findLast((item) => item.id === key);', 'x'),
    );
    expect(told).toContain('Most like it are lines 7778-7778:');
  });
});

describe('the changed lines', () => {
  it('are told in old and new numbers', () => {
    const outcome = applyEdits('a\nb\nc\nd\n', [swap('a\n', ''), swap('c', 'C\nC2')]);
    expect(outcome).toMatchObject({
      ok: true,
      changes: [
        { oldLine: 1, newLine: 1, removed: ['a'], added: [] },
        { oldLine: 3, newLine: 2, removed: ['c'], added: ['C', 'C2'] },
      ],
    });
  });

  it('are counted from the start of the file', () => {
    const outcome = applyEdits('a\nb\nc\nd\ne\n', [swap('b', 'B'), swap('d', 'D'), swap('e', 'E')]);
    const lines = outcome.ok ? outcome.changes.map(({ oldLine, newLine }) => [oldLine, newLine]) : [];
    expect(lines).toEqual([
      [2, 2],
      [4, 4],
      [5, 5],
    ]);
  });

  it('are one change where edits share a line', () => {
    const outcome = applyEdits('f(a, b)\n', [swap('a', 'x'), swap('b', 'y')]);
    expect(outcome).toMatchObject({ changes: [{ removed: ['f(a, b)'], added: ['f(x, y)'] }] });
  });
});

describe('any text and any edits', () => {
  const random = generator(20_260_101);
  const LINES = [
    '',
    '  ',
    'a',
    'a  ',
    'x = “y”;',
    "x = 'y';",
    'b – c',
    '\tif (a) {',
    '}',
    'déjà\u{a0}vu',
    '🦓 z\t',
  ];
  const ENDS = ['\n', '\n', '\r\n'];

  it('leave every line that no edit touches as it was, byte for byte', () => {
    let applied = 0;
    for (let round = 0; round < 3000; round++) {
      const lines = Array.from(
        { length: 3 + random(20) },
        (_, index) => `${pick(LINES)}${random(3) === 0 ? '' : index}${pick(['', ' ', '\t'])}`,
      );
      const ends = lines.map(() => pick(ENDS));
      const mark = random(5) === 0 ? '\u{feff}' : '';
      const text = mark + lines.map((line, index) => line + ends[index]).join('');
      const from = random(lines.length);
      const to = Math.min(lines.length, from + 1 + random(3));
      const oldText = worsened(lines.slice(from, to).join('\n'));
      const outcome = applyEdits(text, [{ oldText, newText: `NEW${round}\nNEXT` }]);
      if (!outcome.ok) continue;
      applied++;
      const before =
        mark +
        lines
          .slice(0, from)
          .map((line, index) => line + ends[index])
          .join('');
      const after = lines
        .slice(to)
        .map((line, index) => line + ends[to + index])
        .join('');
      expect(outcome.text.startsWith(before)).toBe(true);
      expect(outcome.text.endsWith(ends[to - 1] + after)).toBe(true);
      const middle = outcome.text.slice(before.length, outcome.text.length - after.length);
      expect(middle).toMatch(new RegExp(`^[ \\t]*NEW${round}\\r?\\nNEXT[ \\t]*\\r?\\n$`));
    }
    expect(applied).toBeGreaterThan(1500);
  });

  it('never do anything but replace the one place where an exact text is', () => {
    for (let round = 0; round < 2000; round++) {
      const text = Array.from({ length: 30 }, () => pick(['a', 'b', '\n', ' ', '“', '"'])).join('');
      const oldText = text.slice(random(15), 16 + random(14));
      const outcome = applyEdits(text, [{ oldText, newText: 'Q' }]);
      const count = text.split(oldText).length - 1;
      if (outcome.ok && count === 1) expect(outcome.text).toBe(text.replace(oldText, 'Q'));
      if (count > 1) expect(outcome.ok).toBe(false);
    }
  });

  /** As a model repeats text: straight quotes, no white space at line ends. */
  function worsened(text: string): string {
    const straight = text.replace(/[“”]/g, '"').replaceAll('–', '-').replaceAll('\u{a0}', ' ');
    const bare = straight.replace(/[ \t]+$/gm, '');
    return [text, straight, bare, text.replaceAll('\n', '\r\n')][random(4)]!;
  }

  function pick<T>(values: readonly T[]): T {
    return values[random(values.length)]!;
  }
});

/** Whole numbers below a limit; the same ones in every run. */
function generator(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
