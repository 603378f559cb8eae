/** The check that a suppression affects. `tests`: the code detects that it runs under a test runner. */
export type Quieted = 'types' | 'lint' | 'tests';

/** A way to silence a check. */
export interface Kind {
  /** Readable name. */
  readonly name: string;
  readonly quiets: Quieted;
}

/** A suppression by a comment. */
export interface CommentKind extends Kind {
  readonly pattern: RegExp;
  readonly onlyBlock?: boolean;
}

/** A `globals` or `exported` comment of ESLint: names with optional permissions, unlike prose that begins with the word. */
const DECLARED =
  /^\s*(globals?|exported)\s+[\w$]+(\s*:\s*\w+)?(\s*,\s*[\w$]+(\s*:\s*\w+)?)*,?\s*(\s-{2,}\s[^]*)?$/;

/** Suppressions by comments. */
export const COMMENTS: readonly CommentKind[] = [
  { name: '@ts-ignore', quiets: 'types', pattern: /^[\s*/]*@ts-ignore\b/m },
  { name: '@ts-expect-error', quiets: 'types', pattern: /^[\s*/]*@ts-expect-error\b/m },
  { name: '@ts-nocheck', quiets: 'types', pattern: /^[\s*/]*@ts-nocheck\b/m },
  { name: 'eslint-disable', quiets: 'lint', pattern: /^\s*eslint-disable(-next-line|-line)?\b/ },
  {
    name: 'inline eslint configuration',
    quiets: 'lint',
    pattern: /^\s*eslint(-env\s+\w|\s+\{?\s*["'@\w/-]+\s*:)/,
    onlyBlock: true,
  },
  { name: 'a declared global', quiets: 'lint', pattern: DECLARED, onlyBlock: true },
];

/** Suppressions by code. */
export const KINDS = {
  CAST: kind('a cast to any', 'types'),
  DOUBLE_CAST: kind('a cast through unknown', 'types'),
  AMBIENT: kind('an ambient any', 'types'),
  NEVER: kind('a cast to never', 'types'),
  NO_NULL: kind('a null that is asserted away', 'types'),
  DECLARED_VALUE: kind('an ambient declaration', 'types'),
  PARAMETER: kind('a parameter of type any', 'types'),
  DOCUMENTED: kind('any in a JSDoc type', 'types'),
  LITERAL: kind('a value read from a text without a type', 'types'),
  EMPTY_GUARD: kind('a type guard that checks nothing', 'types'),
  HELPER: kind('a function that returns whatever type its caller names', 'types'),
  DROPPED: kind('a value that loses its type on the way through a function', 'types'),
  RESULT: kind('a function that returns any', 'types'),
  LOOSE: kind('a type that accepts everything', 'types'),
  UNSET: kind('a variable that is only declared to be set', 'types'),
  TEXT_CODE: kind('code in a text', 'lint'),
  TEXT_VALUE: kind('a value that code in a text computes', 'types'),
  ANY_WITHIN: kind('any inside the type of a value', 'types'),
  ANNOTATION: kind('any instead of a type', 'types'),
  OVERPROMISE: kind('an overload that promises more than its function returns', 'types'),
  RETYPED: kind('another type for a member of the language', 'types'),
  AWARE: kind('a check whether it is being tested', 'tests'),
} as const;

const QUIETS = new Map([...COMMENTS, ...Object.values(KINDS)].map(({ name, quiets }) => [name, quiets]));

/** The check that suppressions of this kind affect. */
export function quietedBy(name: string): Quieted {
  return QUIETS.get(name)!;
}

function kind(name: string, quiets: Quieted): Kind {
  return { name, quiets };
}
