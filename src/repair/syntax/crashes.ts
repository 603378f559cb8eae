import type { Diagnostic } from '../../schema/generated.ts';

/** What the code did with a value that is `undefined` or `null`, which ended a test. */
export type Use =
  /** Read the property of this name. */
  | { readonly kind: 'read'; readonly property: string }
  /** Went through it, as `for … of`, a spread or an array pattern does. */
  | { readonly kind: 'iterate' }
  /** Listed its keys, as `Object.keys` does. */
  | { readonly kind: 'list-keys' }
  /** Took it apart by an object pattern with this property. */
  | { readonly kind: 'destructure'; readonly property: string };

/** A place at which failing tests met a value that is `undefined` or `null`. */
export interface Crash {
  /** Relative to the repository's root. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly use: Use;
}

/** Messages of V8's TypeErrors; a group that is captured is the property's name. */
const MESSAGES: readonly (readonly [RegExp, (property: string) => Use])[] = [
  [
    /\bCannot read propert(?:y|ies) of (?:undefined|null) \(reading '([^']+)'\)/,
    (property) => ({ kind: 'read', property }),
  ],
  [
    /\bCannot destructure property '([^']+)' of .* as it is (?:undefined|null)/,
    (property) => ({ kind: 'destructure', property }),
  ],
  [/\b(?:undefined|null) is not iterable|\bis not iterable\b/, () => ({ kind: 'iterate' })],
  [/\bCannot convert undefined or null to object/, () => ({ kind: 'list-keys' })],
];

const MAX_CRASHES = 8;

/** Places at which the failing tests met a missing value: the innermost frame of each such failure. */
export function crashesOf(diagnostics: readonly Diagnostic[]): Crash[] {
  const found = new Map<string, Crash>();
  for (const { message, frames = [] } of diagnostics) {
    const [frame] = frames;
    const use = useIn(message);
    if (frame === undefined || use === undefined) continue;
    const { file, line } = frame;
    found.set(JSON.stringify([file, line, use]), { file, line, use });
  }
  return [...found.values()].slice(0, MAX_CRASHES);
}

function useIn(message: string): Use | undefined {
  for (const [pattern, use] of MESSAGES) {
    const match = pattern.exec(message);
    if (match !== null) return use(match[1] ?? '');
  }
  return undefined;
}
