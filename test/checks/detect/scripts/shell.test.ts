import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../../../src/checks/detect/scripts/shell.ts';
import { shellWord } from '../../../../src/platform/processes/shell-words.ts';

function words(line: string): (readonly string[])[] {
  return parseCommandLine(line).map((command) => command.words);
}

describe('parseCommandLine splits a line as sh does', () => {
  test.each<[string, string[][]]>([
    ['mocha', [['mocha']]],
    ['  mocha   test  ', [['mocha', 'test']]],
    ['a && b || c ; d | e & f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
    ['a&&b;c', [['a'], ['b'], ['c']]],
    ["mocha 'test/**/*.js'", [['mocha', 'test/**/*.js']]],
    ['mocha "a b" c\\ d', [['mocha', 'a b', 'c d']]],
    [
      'echo "Error: no test specified" && exit 1',
      [
        ['echo', 'Error: no test specified'],
        ['exit', '1'],
      ],
    ],
    ['echo \\"quoted\\" "in \\"side\\""', [['echo', '"quoted"', 'in "side"']]],
    [`jest -t "it's"`, [['jest', '-t', "it's"]]],
    [`a''b"c"d`, [['abcd']]],
    ["node -e ''", [['node', '-e', '']]],
    ['jest > out.log 2>&1', [['jest']]],
    ['jest 2>/dev/null --ci', [['jest', '--ci']]],
    ['jest &> all.log', [['jest']]],
    ['jest # not this', [['jest']]],
    ['a\nb', [['a'], ['b']]],
    ['', []],
  ])('%s', (line, expected) => {
    expect(words(line)).toEqual(expected);
  });

  test('reads assignments in front of a command as variables and later ones as words', () => {
    const [command] = parseCommandLine('A=1 B="x y" cross-env C=2 jest');
    expect(command).toMatchObject({ env: { A: '1', B: 'x y' }, words: ['cross-env', 'C=2', 'jest'] });
  });

  test('gives each command the operator in front of it', () => {
    expect(parseCommandLine('a && b | c; d').map((command) => command.joinedBy)).toEqual([
      '',
      '&&',
      '|',
      ';',
    ]);
  });

  test.each([
    'jest $FILES',
    'jest "$FILES"',
    'jest `ls`',
    'jest $(git diff --name-only | head)',
    'jest ${X:-y}',
  ])('marks %s as opaque', (line) => {
    expect(parseCommandLine(line)).toMatchObject([{ opaque: true }]);
  });

  test('does not expand a variable in single quotes', () => {
    expect(parseCommandLine("jest '$x'")).toMatchObject([{ opaque: false, words: ['jest', '$x'] }]);
  });

  test.each(['(cd a && jest)', 'jest "open', "jest 'open", 'if true; then (jest); fi'])(
    'keeps %s as one opaque command',
    (line) => {
      expect(parseCommandLine(line)).toMatchObject([{ opaque: true, text: line, words: [] }]);
    },
  );

  test('expands only unquoted patterns', () => {
    const asked: string[] = [];
    parseCommandLine(`jest a*.js 'b*.js' "c?.js" d?.js`, (pattern) => {
      asked.push(pattern);
      return [pattern];
    });
    expect(asked).toEqual(['a*.js', 'd?.js']);
  });
});

test('reads a word that shellWord quoted as the same word', () => {
  for (const word of ['plain', 'a b', "it's", '$HOME', 'a*b', '', '"']) {
    expect(words(`x ${shellWord(word)}`)).toEqual([['x', word]]);
  }
});
