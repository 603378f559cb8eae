/** A number from 0 to below 1. */
export type Random = () => number;

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

/** Texts that programs stumble over. None is a command that changes anything. */
export const VALUES: readonly string[] = [
  ...[
    '',
    ' ',
    '-',
    '--',
    '---',
    '-1',
    '0',
    '1',
    '1e999',
    '-0',
    'NaN',
    'Infinity',
    '0x10',
    '1_000',
    '٣',
    '９',
  ],
  ...[
    '9'.repeat(400),
    'a'.repeat(100_000),
    '0s',
    '1ms',
    '-5m',
    '9999999h',
    '1.5.2s',
    '1s2',
    'true',
    'false',
    'null',
  ],
  ...[
    'undefined',
    '__proto__',
    'constructor',
    'toString',
    '__proto__=1',
    'toString=true',
    'a=b',
    '=',
    'a=',
    '=b',
    'a=b=c',
  ],
  ...[
    '.',
    '..',
    '/',
    '../../../..',
    '/dev/null',
    '/dev/zero',
    '/proc/self/mem',
    '/proc/self/environ',
    '/nonexistent/a',
    '~',
  ],
  ...[
    'package.json',
    'src',
    'src/price.txt',
    '.git/config',
    '.aiwg',
    '*',
    '**/*',
    '[',
    '{a,b',
    '!(a)',
    '(',
    '\\',
    '%s%n%d',
  ],
  ...[
    '{}',
    '[]',
    '{"a":1}',
    '"',
    "'",
    '`',
    '$(true)',
    '${HOME}',
    '; true',
    '| true',
    '&',
    '\n',
    'a\nb',
    '\t',
    '\r\n',
  ],
  ...[
    '\u001b[2J',
    '\u001b]0;x\u0007',
    '\u202egnp',
    '\u200b',
    '\ufeff',
    '\ud800',
    'é',
    'e\u0301',
    '日本',
    '🙂',
    '🏳️‍🌈',
    '\u0000'.slice(1),
  ],
  ...[
    'latest',
    'list',
    'show',
    'help',
    'version',
    '--help',
    '--version',
    '-h',
    '--no-color',
    '--format',
    'json',
    'yaml',
  ],
  ...[
    'openai/x',
    'a/b/c',
    '/x',
    'x/',
    'http://',
    'http://[',
    'file:///etc/passwd',
    'memory=',
    'memory=-1',
    'memory=1e99',
  ],
  ...[
    'ralph-x-20260101-abcdef',
    'ralph-../../x-20260101-abcdef',
    '001',
    '1,2,3',
    ',',
    ',,',
    '2026-99-99',
    '1..2',
    'tests=false',
  ],
];

/** One of the values, two of them, or random characters. */
export function drawText(random: Random): string {
  const kind = random();
  if (kind < 0.6) return pick(random, VALUES);
  if (kind < 0.75) return pick(random, VALUES) + pick(random, VALUES);
  const length = Math.floor(random() ** 3 * 200);
  // A NUL cannot be in an argument.
  return Array.from({ length }, () => String.fromCodePoint(1 + Math.floor(random() ** 4 * 0xd7fe))).join('');
}

const MAX_DEPTH = 5;
const DEEP = 3_000;

/** Any value that JSON has, also deep and long ones. */
export function drawJson(random: Random, depth: number): unknown {
  const kind = Math.floor(random() * (depth > MAX_DEPTH ? 5 : 8));
  const count = Math.floor(random() * 4);
  switch (kind) {
    case 0:
      return null;
    case 1:
      return random() < 0.5;
    case 2:
      return pick(random, [0, -1, 1.5, 1e21, 1e308, -0, 2 ** 53, 1e-7]);
    case 3:
    case 4:
      return drawText(random);
    case 5:
      return Array.from({ length: count }, () => drawJson(random, depth + 1));
    case 6:
      return Object.fromEntries(
        Array.from({ length: count }, () => [drawText(random), drawJson(random, depth + 1)]),
      );
    default:
      return random() < 0.1 ? nested() : pick(random, VALUES);
  }
}

function nested(): unknown {
  let value: unknown = 1;
  for (let depth = 0; depth < DEEP; depth++) value = [value];
  return value;
}

/** What happens to a stored file. */
export type Mutation =
  | { readonly type: 'cut' | 'empty' | 'folder' | 'endless' | 'fifo' | 'closed' }
  | { readonly type: 'replace' | 'insert'; readonly text: string };

export function drawMutation(random: Random): Mutation {
  const type = pick(random, [
    'cut',
    'empty',
    'folder',
    'endless',
    'fifo',
    'closed',
    'replace',
    'insert',
    'insert',
    'insert',
  ] as const);
  if (type !== 'replace' && type !== 'insert') return { type };
  const text = random() < 0.5 ? drawText(random) : JSON.stringify(drawJson(random, 0));
  return { type, text };
}
