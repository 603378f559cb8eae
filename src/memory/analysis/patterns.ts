import type { ReflectionRecord } from '../episodes/reflection-files.ts';
import { filesOf } from '../search/search.ts';

/** A statement, category, file or rule that several reflections share. */
export interface Pattern {
  readonly kind: PatternKind;
  /** In the wording of the newest reflection. */
  readonly text: string;
  /** Number of reflections in which it occurs. */
  readonly count: number;
  /** Number of loops in which it occurs. */
  readonly loops: number;
  /** Paths of these reflections, relative to the repository's root. */
  readonly where: readonly string[];
}

export type PatternKind = 'lesson' | 'insight' | 'category' | 'file' | 'rule';

/**
 * Lessons, insights, categories, files and failing rules that occur in at least `minCount` reflections (default 2), the
 * most frequent first. Texts that differ only in case, white space, punctuation or line numbers are counted as one.
 */
export function findPatterns(records: readonly ReflectionRecord[], minCount = 2): Pattern[] {
  const found = new Map<string, { kind: PatternKind; text: string; records: ReflectionRecord[] }>();
  for (const record of byTime(records)) {
    for (const [kind, text] of candidatesIn(record)) {
      const key = `${kind}\0${normalise(kind, text)}`;
      const earlier = found.get(key)?.records ?? [];
      if (earlier.at(-1) !== record) found.set(key, { kind, text, records: [...earlier, record] });
    }
  }
  return [...found.values()]
    .filter(({ records: where }) => where.length >= minCount)
    .map(({ kind, text, records: where }) => ({
      kind,
      text,
      count: where.length,
      loops: new Set(where.map(({ reflection }) => reflection.loop_id)).size,
      where: where.map(({ path }) => path),
    }))
    .sort((a, b) => b.count - a.count || a.kind.localeCompare(b.kind) || a.text.localeCompare(b.text));
}

/** The same text for statements that differ only in case, white space, punctuation or line numbers. */
export function normaliseStatement(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\bline \d+/g, 'line')
    .replace(/(\.[a-z]{1,4}):\d+(:\d+)?/g, '$1')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function normalise(kind: PatternKind, text: string): string {
  return kind === 'lesson' || kind === 'insight' ? normaliseStatement(text) : text;
}

function candidatesIn({ reflection }: ReflectionRecord): [PatternKind, string][] {
  const { lessons_learned, actionable_insights, credit_assignment } = reflection.self_reflection;
  const category = credit_assignment?.failure_category;
  const rules = (reflection.evaluator_output.errors ?? []).flatMap(({ rule }) => rule ?? []);
  const texts: [PatternKind, readonly string[]][] = [
    ['lesson', lessons_learned ?? []],
    ['insight', actionable_insights ?? []],
    ['category', category === undefined ? [] : [category]],
    ['file', filesOf(reflection)],
    ['rule', rules],
  ];
  return texts.flatMap(([kind, all]) => all.map((text): [PatternKind, string] => [kind, text]));
}

function byTime(records: readonly ReflectionRecord[]): ReflectionRecord[] {
  const timeOf = ({ reflection }: ReflectionRecord): number => Date.parse(reflection.timestamp);
  return [...records].sort((a, b) => timeOf(a) - timeOf(b) || a.path.localeCompare(b.path));
}
