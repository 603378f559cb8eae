import type { TextEdit } from '../syntax/edit.ts';
import { changeBetween, keyOfChange, tokensIn, type Token } from './tokens.ts';
import { ORDER, TokenModel } from './token-model.ts';

/** A change in the repository's history: the lines before and after it. */
export interface PastChange {
  readonly before: string;
  readonly after: string;
}

/** A source file of the repository. */
export interface HabitSource {
  /** Relative to the root. */
  readonly file: string;
  readonly text: string;
}

/** How well an edit of one file fits the repository: a factor on its place in the order of trials, 1 where nothing is known. */
export type FitOf = (edits: readonly TextEdit[]) => number;

/** What the code and the history of a repository make usual. */
export interface Habits {
  /** The largest factor. */
  readonly most: number;
  /** Judges edits of a file with this text. */
  fitIn(file: string, text: string): FitOf;
}

/**
 * Weights of the logarithm by which an edit makes the code more usual. Fewer tokens are more usual in any code, so that an edit
 * that takes some out gets none. Fitted on 90 bugs in the histories of ten repositories, see docs/explanation/memory.md.
 */
const WEIGHTS = { sameLength: 0.065, longer: 0.027, shorter: 0 } as const;
/** Exponent of one more than the number of earlier changes that replaced the same tokens by the same. */
const REPEATED = 0.7;
const MOST = 16;
/** A larger change of the history says nothing about a single edit. */
const MOST_CHANGED = 12;
/** Less code shows no habits. */
const LEAST_TOKENS = 200;

/** Learns from the sources as they are, and from the changes that led to them. */
export function createHabits(sources: readonly HabitSource[], changes: readonly PastChange[]): Habits {
  const model = new TokenModel();
  const learned = new Map<string, readonly string[]>();
  for (const { file, text } of sources) learn(file, textsOf(tokensIn(text)));
  const repeated = countChanges(changes);
  return {
    most: MOST,
    fitIn(file, text) {
      const tokens = tokensIn(text);
      const texts = textsOf(tokens);
      learn(file, texts);
      return (edits) => {
        const { change, after } = changeOf({ text, tokens, texts }, edits);
        const times = repeated.get(keyOfChange(change)) ?? 0;
        const gain = model.size < LEAST_TOKENS ? 0 : gainOf(model, { texts, change, after });
        return Math.min(MOST, Math.max(1 / MOST, Math.exp(gain) * (1 + times) ** REPEATED));
      };
    },
  };

  /** The file's text counts once, as it is now. */
  function learn(file: string, texts: readonly string[]): void {
    const before = learned.get(file);
    if (before !== undefined) model.add(before, -1);
    model.add(texts);
    learned.set(file, texts);
  }
}

interface TokenisedText {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly texts: readonly string[];
}

interface Changed {
  readonly change: {
    readonly head: number;
    readonly from: readonly string[];
    readonly to: readonly string[];
  };
  /** The new tokens, and those around them on which they depend. */
  readonly after: { readonly texts: readonly string[]; readonly head: number };
}

/** The tokens that edits change, with those around them. */
function changeOf({ text, tokens, texts }: TokenisedText, edits: readonly TextEdit[]): Changed {
  const [start, end] = [edits[0]!.start, edits.at(-1)!.end];
  // An edit may change the token that it touches.
  const first = firstFrom(tokens, start);
  const last = Math.max(first, firstAfter(tokens, end));
  const [from, to] = [
    Math.min(start, tokens[first]?.start ?? start),
    Math.max(end, tokens[last - 1]?.end ?? end),
  ];
  let code = '';
  let at = from;
  for (const edit of edits) {
    code += text.slice(at, edit.start) + edit.replacement;
    at = edit.end;
  }
  const now = textsOf(tokensIn(code + text.slice(at, to)));
  const change = changeBetween(texts.slice(first, last), now);
  const left = texts.slice(Math.max(0, first - ORDER + 1), first);
  const right = texts.slice(last, last + ORDER - 1);
  return {
    change: { ...change, head: first + change.head },
    after: { texts: [...left, ...now, ...right], head: left.length + change.head },
  };
}

/** The weighted logarithm by which the changed code is more usual than the code as it is, which is not counted itself. */
function gainOf(
  model: TokenModel,
  { texts, change, after }: Changed & { readonly texts: readonly string[] },
): number {
  const { head, from, to } = change;
  const longer = Math.sign(to.length - from.length);
  const weight = longer === 0 ? WEIGHTS.sameLength : longer > 0 ? WEIGHTS.longer : WEIGHTS.shorter;
  if (weight === 0) return 0;
  const own = { from: head, to: Math.min(texts.length, head + from.length + ORDER - 1) };
  model.addRange(texts, { ...own, sign: -1 });
  const before = model.logOf(texts, own.from, own.to);
  const now = model.logOf(
    after.texts,
    after.head,
    Math.min(after.texts.length, after.head + to.length + ORDER - 1),
  );
  model.addRange(texts, { ...own, sign: 1 });
  return weight * (now - before);
}

function countChanges(changes: readonly PastChange[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { before, after } of changes) {
    const { from, to } = changeBetween(textsOf(tokensIn(before)), textsOf(tokensIn(after)));
    const size = Math.max(from.length, to.length);
    if (size === 0 || size > MOST_CHANGED) continue;
    const key = keyOfChange({ from, to });
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function textsOf(tokens: readonly Token[]): string[] {
  return tokens.map(({ text }) => text);
}

/** Index of the first token that ends at or after an offset. */
function firstFrom(tokens: readonly Token[], offset: number): number {
  return indexWhere(tokens, ({ end }) => end >= offset);
}

/** Index of the first token that begins after an offset. */
function firstAfter(tokens: readonly Token[], offset: number): number {
  return indexWhere(tokens, ({ start }) => start > offset);
}

/** The first index whose token meets a condition that all later ones meet, too; the length without one. */
function indexWhere(tokens: readonly Token[], meets: (token: Token) => boolean): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (meets(tokens[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
