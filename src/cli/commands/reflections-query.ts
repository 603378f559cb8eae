import { usageError } from '../../errors.ts';
import { listReflectionFiles } from '../../memory/episodes/reflection-files.ts';
import type { ReflectionQuery } from '../../memory/search/search.ts';
import { phrasesOf } from '../../memory/text/full-text.ts';
import { FAILURE_CATEGORIES } from '../../schema/failure-categories.ts';
import { resolveLoopId } from '../../state/loops.ts';
import { parseChoice } from '../values.ts';

/** Filters of `ralph reflections search` and `export` as they were typed. */
export interface FilterOptions {
  readonly category?: readonly string[];
  readonly minConfidence?: string;
  readonly loop?: string;
  readonly file?: string;
  readonly fingerprint?: string;
  readonly since?: string;
}

/** Parses words and filters. Throws a usage RalphError with the option and its value. */
export async function parseQuery(
  root: string,
  words: readonly string[],
  { category, minConfidence, file, fingerprint, since, loop }: FilterOptions,
): Promise<ReflectionQuery> {
  return {
    words: words
      .flatMap((text) => text.split(/\s+/))
      .filter((word) => word !== '')
      .map(requireSearchable),
    categories: category?.map((text) => parseChoice('--category', text, FAILURE_CATEGORIES)),
    minConfidence: minConfidence === undefined ? undefined : parseConfidence(minConfidence),
    file,
    fingerprint,
    since,
    loop: loop === undefined ? undefined : await resolveReflectedLoop(root, loop),
  };
}

/** A loop may be known only by its reflections, since they are committed and the loop itself is not. */
export async function resolveReflectedLoop(root: string, loop: string): Promise<string> {
  const files = await listReflectionFiles(root, loop);
  return files.length > 0 ? loop : resolveLoopId(root, loop);
}

function requireSearchable(word: string): string {
  if (phrasesOf([word]).length > 0) return word;
  throw usageError(
    `"${word}" cannot be searched for: it contains no letters or digits.`,
    'Search for a word near it.',
  );
}

function parseConfidence(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw usageError(`--min-confidence ${text}: it must be a number from 0 to 1.`);
}
