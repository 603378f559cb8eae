import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { withCheckout } from './checked-out.ts';
import type { RecordedAttempt, RecordedLoop } from './run-subject.ts';

/** Where a print goes: around the code of a line, or, with an empty code, before its statement. */
export interface Print {
  readonly code: string;
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/** Values of an expression in one run of a test, as Node prints them, in order. */
type Seen = readonly string[];

const PRELOAD = `import { appendFileSync } from 'node:fs';
import { inspect } from 'node:util';
globalThis.__referee = (key, value) => {
  const text = inspect(value, { depth: 1, compact: true, breakLength: Infinity, getters: false, maxArrayLength: 6, maxStringLength: 80 });
  appendFileSync(process.env.REFEREE_OUT, JSON.stringify([key, text]) + '\\n');
  return value;
};
`;

/**
 * Runs the named test on the tree of an attempt, in a folder of its own, with prints put into the text of the lines, and
 * returns the values of each print, in the order of `prints`. Uses nothing of ralph's tracer.
 */
export function rerunWithPrints(
  loop: RecordedLoop,
  { tree }: RecordedAttempt,
  { test, prints }: { readonly test: string; readonly prints: readonly Print[] },
): Seen[] {
  return withCheckout(loop.root, tree, ({ root, folder }) => {
    // Longer code first: shorter code may be a part of it.
    for (const [key, print] of [...prints.entries()].sort(([, a], [, b]) => b.code.length - a.code.length))
      printAt(root, print, key);
    const preload = join(folder, 'preload.mjs');
    const out = join(folder, 'out');
    writeFileSync(preload, PRELOAD);
    writeFileSync(out, '');
    const pattern = test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const [program, ...args] =
      loop.tool === 'vitest'
        ? [join(root, 'node_modules/.bin/vitest'), 'run', '-t', pattern]
        : [process.execPath, '--test', '--test-name-pattern', pattern];
    execaSync(program!, args, {
      cwd: root,
      reject: false,
      timeout: 60_000,
      env: { NODE_OPTIONS: `--import=${preload}`, REFEREE_OUT: out },
    });
    const rows = readFileSync(out, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((row) => JSON.parse(row) as [number, string]);
    return prints.map((_, key) => rows.filter(([of]) => of === key).map(([, text]) => text));
  });
}

/** Puts a print into the line: around the expression, or after the line that assigns the name. Line numbers stay. */
function printAt(root: string, { code, file, line }: Print, key: number): void {
  const path = join(root, file);
  const lines = readFileSync(path, 'utf8').split('\n');
  const text = lines[line - 1] ?? '';
  lines[line - 1] = withPrint(text, code, key);
  writeFileSync(path, lines.join('\n'));
}

function withPrint(text: string, code: string, key: number): string {
  if (code === '')
    return text.replace(
      /^(\s*)(?=return\b|const\b|let\b|if\b|for\b|throw\b|[\w.]+ [-+*/]?= )/,
      `$1globalThis.__referee(${key}, 0); `,
    );
  const escaped = code.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const header = /^(\s*for \([^;]*;)([^;]*)(;.*)$/.exec(text);
  if (header !== null) return `${header[1]}${withPrint(header[2]!, code, key)}${header[3]}`;
  const isAssigned = new RegExp(
    String.raw`(?:^|[;{]|\) )\s*(?:(?:const|let|var)\s+)?${escaped}\s*[-+*/]?=(?!=)`,
  ).test(text);
  if (isAssigned)
    return /^\s*for \(/.test(text)
      ? `${text.replace(/;\s*$/, '')}, globalThis.__referee(${key}, ${code});`
      : `${text.replace(/;\s*$/, '')}; globalThis.__referee(${key}, ${code});`;
  return text.replace(
    new RegExp(String.raw`(?<![\w$.])${escaped}(?![\w$(]|\s*=[^=])`),
    () => `globalThis.__referee(${key}, (${code}))`,
  );
}

/** Whether the words of a reflection describe these values. */
export function describes(said: string, seen: Seen): boolean {
  const [first, last] = [seen[0], seen.at(-1)];
  if (first === undefined) return false;
  const isSame = (text: string, value: string): boolean =>
    text === value || (text.endsWith('…') && value.startsWith(text.slice(0, -1)));
  const changing = /^(.*) at first and (.*) at last, of (\d+) times$/.exec(said);
  if (changing !== null)
    return isSame(changing[1]!, first) && isSame(changing[2]!, last!) && seen.length === Number(changing[3]);
  const ends = /^(.*) at first and at last, of (\d+) times$/.exec(said);
  if (ends !== null)
    return isSame(ends[1]!, first) && isSame(ends[1]!, last!) && seen.length === Number(ends[2]);
  const constant = /^(.*) (?:both times|all (\d+) times)$/.exec(said);
  if (constant !== null)
    return seen.length === Number(constant[2] ?? 2) && seen.every((value) => isSame(constant[1]!, value));
  const two = /^(.*), then (.*)$/.exec(said);
  if (seen.length === 2 && two !== null) return isSame(two[1]!, first) && isSame(two[2]!, last!);
  return seen.length === 1 && isSame(said, first);
}
