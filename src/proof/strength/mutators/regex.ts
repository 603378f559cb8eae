import { endOf, startOf } from '../../../repair/syntax/parse.ts';
import { replaceNode, type Mutator } from './mutator.ts';

/** A flag, an anchor or a quantifier of a pattern is removed; `\d` → `\D`; `[^a]` → `[a]`. */
export const regex: Mutator = function* ({ node }, text) {
  if (node.type !== 'RegExpLiteral') return;
  const own = text.slice(startOf(node), endOf(node));
  const seen = new Set([own]);
  for (const [pattern, flags] of changed(node.pattern, node.flags)) {
    const replacement = `/${pattern}/${flags}`;
    if (pattern === '' || seen.has(replacement) || !isValid(pattern, flags)) continue;
    seen.add(replacement);
    yield replaceNode(node, replacement);
  }
};

const CLASS_LETTERS: Readonly<Record<string, string>> = {
  d: 'D',
  D: 'd',
  w: 'W',
  W: 'w',
  s: 'S',
  S: 's',
  b: 'B',
  B: 'b',
};

function* changed(pattern: string, flags: string): Generator<[string, string]> {
  for (const flag of flags.replace(/[duvy]/g, '')) yield [pattern, flags.replace(flag, '')];
  const without = (at: number, length: number, by = ''): [string, string] => [
    pattern.slice(0, at) + by + pattern.slice(at + length),
    flags,
  ];
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const unit = pattern[at]!;
    if (unit === '\\') {
      const other = CLASS_LETTERS[pattern[at + 1] ?? ''];
      if (other !== undefined && !(inClass && /b/i.test(other))) yield without(at, 2, `\\${other}`);
      at++;
    } else if (inClass) {
      if (unit === ']') inClass = false;
    } else if (unit === '[') {
      inClass = true;
      yield pattern[at + 1] === '^' ? without(at + 1, 1) : without(at + 1, 0, '^');
    } else if (unit === '^' || unit === '$') {
      yield without(at, 1);
    } else if (unit === '+' || unit === '*' || (unit === '?' && pattern[at - 1] !== '(')) {
      yield without(at, 1);
    }
  }
}

function isValid(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
