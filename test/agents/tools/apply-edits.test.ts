import { describe, expect, it } from 'vitest';
import { applyEdits, type Edit } from '../../../src/agents/tools/apply-edits.ts';

function edited(text: string, ...edits: Edit[]): string {
  const outcome = applyEdits(text, edits);
  if (!outcome.ok) throw new Error(outcome.problem);
  return outcome.text;
}

function problem(text: string, ...edits: Edit[]): string {
  const outcome = applyEdits(text, edits);
  return outcome.ok ? `APPLIED: ${outcome.text}` : outcome.problem;
}

const replace = (oldText: string, newText: string): Edit => ({ oldText, newText });

describe('applyEdits replaces', () => {
  it.each([
    ['part of a line', 'let a = 1;\n', replace('a = 1', 'b = 2'), 'let b = 2;\n'],
    ['several lines', 'a\nb\nc\n', replace('a\nb\n', 'A\nB\n'), 'A\nB\nc\n'],
    ['a deletion', 'a\nb\nc\n', replace('b\n', ''), 'a\nc\n'],
    ['the whole text', 'a', replace('a', 'b\n'), 'b\n'],
    ['text with dollar signs literally', 'x', replace('x', '$& $1 $$'), '$& $1 $$'],
    ['CRLF text by LF text', 'a\r\nb\r\nc\r\n', replace('a\nb', 'A\nB\nB2'), 'A\r\nB\r\nB2\r\nc\r\n'],
    ['LF text by CRLF text', 'a\nb\nc\n', replace('a\r\nb', 'A\r\nB'), 'A\nB\nc\n'],
    ['one line of a CRLF file', 'a\r\nb\r\n', replace('b', 'b1\nb2'), 'a\r\nb1\r\nb2\r\n'],
    ['a line break of a CRLF file', 'a\r\nb\r\n', replace('\nb', '\nB'), 'a\r\nB\r\n'],
    ['a removed line break of a CRLF file', 'a\r\nb\r\n', replace('\nb', ' b'), 'a b\r\n'],
    [
      'text with the line ends of its place in a mixed file',
      'a\r\nb\nc\n',
      replace('b', 'b\nb2'),
      'a\r\nb\nb2\nc\n',
    ],
    ['text despite white space at line ends', 'a  \nb\t\nc\n', replace('a\nb\n', 'A\nB\n'), 'A\nB\nc\n'],
    [
      'text despite white space at the end of old text',
      'a();\nb\n',
      replace('a(); \nb  ', 'A();\nb'),
      'A();\nb\n',
    ],
    ['text despite curly quotes', 'say(“it’s”);\n', replace(`say("it's");`, 'said();'), 'said();\n'],
    ['text despite dashes', 'a – b — c\n', replace('a - b - c', 'd'), 'd\n'],
    ['text despite non-breaking spaces', 'a\u{a0}b\n', replace('a b', 'c'), 'c\n'],
    [
      'text despite curly quotes only in old text',
      'say("x");\n',
      replace('say(“x”);', 'said();'),
      'said();\n',
    ],
    ['a last line without a line end', 'a\nb', replace('b\n', 'c\n'), 'a\nc'],
    ['lines before a line of white space', 'a \nx\n   \nend\n', replace('a\nx\n', 'Q\n'), 'Q\n   \nend\n'],
    ['a text with a byte order mark', '\u{feff}a\nb\n', replace('a\n', 'A\n'), '\u{feff}A\nb\n'],
    [
      'a byte order mark in old text',
      '\u{feff}a\nb\n',
      replace('\u{feff}a\n', '\u{feff}A\n'),
      '\u{feff}A\nb\n',
    ],
  ])('%s', (_name, text, edit, expected) => {
    expect(edited(text, edit)).toBe(expected);
  });

  it('an exact match rather than a look-alike', () => {
    expect(edited("say(‘a’)\nsay('a')\n", replace(`say('a')`, 'b'))).toBe('say(‘a’)\nb\n');
  });

  it('only the changed lines, keeping the bytes of equal lines around them', () => {
    const text = '// “quoted”  \nlet a = 1;\t\n// end – here \n';
    const edit = replace(
      '// "quoted"\nlet a = 1;\n// end - here\n',
      '// "quoted"\nlet a = 2;\n// end - here\n',
    );
    expect(edited(text, edit)).toBe('// “quoted”  \nlet a = 2;\n// end – here \n');
  });

  it('nothing at an insertion, keeping the bytes of equal lines around it', () => {
    expect(edited('“a”  \nb \n', replace('"a"\nb\n', '"a"\nX\nb\n'))).toBe('“a”  \nX\nb \n');
  });

  it('text and returns the ignored differences', () => {
    expect(applyEdits('a \nb\n', [replace('a\nb', 'c')])).toMatchObject({
      ignored: ['trailing white space'],
    });
    expect(applyEdits('“a”\n', [replace('"a"', 'c')])).toMatchObject({ ignored: ['look-alike characters'] });
    expect(applyEdits('a\r\nb\r\n', [replace('a\nb', 'c')])).toMatchObject({ ignored: [] });
  });
});

describe('several edits', () => {
  it('are all matched with the original text', () => {
    expect(edited('a\nb\nc\n', replace('a', 'b'), replace('b', 'c'), replace('c', 'a'))).toBe('b\nc\na\n');
  });

  it('may come in any order', () => {
    expect(edited('a\nb\nc\n', replace('c', 'C'), replace('a', 'A'))).toBe('A\nb\nC\n');
  });

  it('may share unchanged lines', () => {
    expect(edited('a\nb\nc\n', replace('a\nb\n', 'A\nb\n'), replace('b\nc\n', 'b\nC\n'))).toBe('A\nb\nC\n');
  });

  it.each([
    ['change the same text', 'abc\n', [replace('ab', 'x'), replace('bc', 'y')]],
    [
      'change text that a later one matched',
      'a\nb\nc\n',
      [replace('a\nb\n', 'a\nB\n'), replace('b\nc\n', 'b\nC\n')],
    ],
    [
      'change text that an earlier one matched',
      'a\nb\nc\n',
      [replace('b\nc\n', 'b\nC\n'), replace('a\nb\n', 'a\nB\n')],
    ],
    ['are identical', 'a\nb\n', [replace('a', 'x'), replace('a', 'x')]],
    ['insert at the same place', 'a\nb\n', [replace('a\n', 'a\nx\n'), replace('a\n', 'a\ny\n')]],
    ['are nested', 'a\nb\nc\n', [replace('a\nb\nc', 'x'), replace('b', 'y')]],
  ])('are refused if they %s', (_name, text, edits) => {
    expect(problem(text, ...edits)).toMatch(
      /^Edits 1 and 2 overlap at line \d\. Combine them into one edit\.$/,
    );
  });

  it('are reported with all problems by number', () => {
    const message = problem(
      'alpha\nbeta\nbeta\n',
      replace('alpha', 'A'),
      replace('beta', 'B'),
      replace('gamma!', 'C'),
    );
    expect(message).toContain('Edit 2: oldText occurs 2 times, at lines 2, 3.');
    expect(message).toContain('Edit 3: oldText is not in the file');
    expect(message).not.toContain('Edit 1:');
  });
});

describe('applyEdits refuses', () => {
  it.each([
    ['empty old text', 'a\n', replace('', 'x'), /oldText is empty.*use write/],
    ['equal old and new text', 'a\n', replace('a', 'a'), /nothing would change/],
    ['a change only of line ends', 'a\nb\n', replace('a\nb', 'a\r\nb'), /nothing would change/],
    [
      'two occurrences',
      'a\nb\na\n',
      replace('a', 'x'),
      /occurs 2 times, at lines 1, 3\. Add surrounding lines/,
    ],
    ['two overlapping occurrences', 'aaa\n', replace('aa', 'x'), /occurs 2 times/],
    ['different white space within a line', 'a  b\n', replace('a b', 'x'), /oldText is not in the file/],
    [
      'old text that ends with white space within a line',
      'foo(bar\n',
      replace('foo( ', 'x'),
      /oldText is not in the file/,
    ],
    ['a missing line end', 'foo bar', replace('foo\n', 'x'), /oldText is not in the file/],
    ['different upper and lower case', 'Alpha\n', replace('alpha', 'x'), /differs in upper and lower case/],
  ])('%s', (_name, text, edit, expected) => {
    expect(problem(text, edit)).toMatch(expected);
  });

  it('an empty list', () => {
    expect(problem('a')).toBe('There are no edits.');
  });
});

describe('the most similar lines for missing text', () => {
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

  it('are shown with numbers and differences', () => {
    const message = problem(text, replace('function two() {\n  return 2;\n}', 'x'));
    expect(message).toContain('The most similar lines are 5-7:');
    expect(message).toContain('5 same: function two() {');
    expect(message).toContain('6  99%:     return 2;');
    expect(message).toContain('Line 6 differs in indentation; oldText has:   return 2;');
  });

  it('are left out if no line is similar', () => {
    expect(problem(text, replace('class Zebra extends Quagga {}', 'x'))).toBe(
      'oldText is not in the file, and no line is similar. Read the file again.',
    );
  });

  it('are preceded by a hint if the new text is in the file already', () => {
    expect(problem('a\nsum(total, fee);\n', replace('sum(total, tip);', 'sum(total, tax);'))).not.toContain(
      'already',
    );
    expect(problem('a\nsum(total, tax);\n', replace('sum(total, tip);', 'sum(total, tax);'))).toContain(
      'newText is in the file already, at line 2.',
    );
  });

  it('are at most eight around the first difference', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `const value${index} = compute(${index});`);
    const old = lines.map((line, index) => (index === 20 ? 'const value20 = compare(20);' : line));
    const message = problem(lines.join('\n'), replace(old.join('\n'), 'x'));
    expect(message.split('\n').filter((line) => /^\d+ /.test(line))).toHaveLength(8);
    expect(message).toContain('Line 21 differs in text; oldText has: const value20 = compare(20);');
  });

  it('are shown for the first three failed edits', () => {
    const edits = Array.from({ length: 5 }, (_, index) => replace(`  return ${index}0;`, 'x'));
    const message = problem(text, ...edits);
    expect(message.match(/The most similar lines are/g)).toHaveLength(3);
    expect(message).toMatch(/\nEdit 4: oldText is not in the file\.\nEdit 5: oldText is not in the file\.$/);
  });

  it('are shortened', () => {
    const message = problem(
      `const data = "${'x'.repeat(5000)}";\n`,
      replace(`const date = "${'x'.repeat(5000)}";`, 'y'),
    );
    expect(message).toContain('…');
    expect(message.length).toBeLessThan(800);
  });

  it('are found in a file of 10,000 lines', () => {
    const lines = Array.from(
      { length: 10_000 },
      (_, index) => `  const item${index} = shelf.get(${index}, options);`,
    );
    lines[7777] = '  const wanted = warehouse.findFirst((item) => item.id === key);';
    const message = problem(
      lines.join('\n'),
      replace('  const wanted = warehouse.findLast((item) => item.id === key);', 'x'),
    );
    expect(message).toContain('The most similar lines are 7778-7778:');
  });
});

describe('the line changes', () => {
  it('have old and new line numbers', () => {
    const outcome = applyEdits('a\nb\nc\nd\n', [replace('a\n', ''), replace('c', 'C\nC2')]);
    expect(outcome).toMatchObject({
      ok: true,
      changes: [
        { oldLine: 1, newLine: 1, removed: ['a'], added: [] },
        { oldLine: 3, newLine: 2, removed: ['c'], added: ['C', 'C2'] },
      ],
    });
  });

  it('are numbered from the start of the file', () => {
    const outcome = applyEdits('a\nb\nc\nd\ne\n', [replace('b', 'B'), replace('d', 'D'), replace('e', 'E')]);
    const lines = outcome.ok ? outcome.changes.map(({ oldLine, newLine }) => [oldLine, newLine]) : [];
    expect(lines).toEqual([
      [2, 2],
      [4, 4],
      [5, 5],
    ]);
  });

  it('are joined if edits share a line', () => {
    const outcome = applyEdits('f(a, b)\n', [replace('a', 'x'), replace('b', 'y')]);
    expect(outcome).toMatchObject({ changes: [{ removed: ['f(a, b)'], added: ['f(x, y)'] }] });
  });
});

describe('random edits', () => {
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

  it('keep the bytes of every line that no edit changes', () => {
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
      const oldText = asRepeated(lines.slice(from, to).join('\n'));
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

  it('replace only the single exact occurrence', () => {
    for (let round = 0; round < 2000; round++) {
      const text = Array.from({ length: 30 }, () => pick(['a', 'b', '\n', ' ', '“', '"'])).join('');
      const oldText = text.slice(random(15), 16 + random(14));
      const outcome = applyEdits(text, [{ oldText, newText: 'Q' }]);
      const count = text.split(oldText).length - 1;
      if (outcome.ok && count === 1) expect(outcome.text).toBe(text.replace(oldText, 'Q'));
      if (count > 1) expect(outcome.ok).toBe(false);
    }
  });

  /** The text as a model repeats it: straight quotes, no white space at line ends. */
  function asRepeated(text: string): string {
    const straight = text.replace(/[“”]/g, '"').replaceAll('–', '-').replaceAll('\u{a0}', ' ');
    const bare = straight.replace(/[ \t]+$/gm, '');
    return [text, straight, bare, text.replaceAll('\n', '\r\n')][random(4)]!;
  }

  function pick<T>(values: readonly T[]): T {
    return values[random(values.length)]!;
  }
});

/** A pseudo-random generator of integers below a limit, with a fixed seed. */
function generator(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
