import { createHash } from 'node:crypto';
import type { AiwgRecord } from '../../memory/episodes/aiwg-record.ts';
import { fieldTerms } from '../../memory/search/fields.ts';
import { FIELDS } from '../../memory/search/fields.ts';
import { filesOf, fingerprintsOf } from '../../memory/search/search.ts';
import type { Phrase } from '../../memory/text/full-text.ts';

/** Facts of a reflection that are searched for as a whole; a mark before them tells them from words. */
export type Fact = 'repository' | 'organisation' | 'category' | 'loop' | 'file' | 'fingerprint';

/** The searched texts of a reflection. */
export interface SearchTexts {
  /** Number of terms. */
  readonly length: number;
  /** Terms of the fields with the weights 3, 2 and 1, in order, each between spaces. */
  readonly byWeight: readonly [string, string, string];
  /** Distinct terms and facts: lexemes of a tsvector. */
  readonly lexemes: readonly string[];
}

/** Weights of fields, in the order of `byWeight`. */
export const WEIGHTS = [3, 2, 1] as const;

/** Texts by which PostgreSQL finds a reflection and scores it as the index of the files does. */
export function searchTexts(record: AiwgRecord, facts: readonly (readonly [Fact, string])[]): SearchTexts {
  const fields = fieldTerms(record);
  const weights = Object.values(FIELDS);
  const joined = (weight: number): string =>
    fields
      .filter((_, index) => weights[index] === weight)
      .map((terms) => terms.map(spaced).join(''))
      .join(GAP);
  const own = [...facts, ...factsOf(record)].map(([fact, value]) => lexemeOf(fact, value));
  return {
    length: fields.reduce((sum, terms) => sum + terms.length, 0),
    byWeight: [joined(3), joined(2), joined(1)],
    lexemes: [...new Set([...own, ...fields.flat()])],
  };
}

/** The lexeme of a fact. Long values are shortened to a digest: no lexeme may have 2 kB. */
export function lexemeOf(fact: Fact, value: string): string {
  return `#${fact}:${createHash('sha256').update(value).digest('hex').slice(0, 24)}`;
}

/** A tsquery that every record with the phrase satisfies; of several terms, it does not look at the order. */
export function queryOf({ terms, isPrefix }: Phrase): string {
  return terms
    .map((term, index) => `'${term}'${isPrefix && index === terms.length - 1 ? ':*' : ''}`)
    .join(' & ');
}

/** How a phrase is counted in a text of `byWeight`: by a text of one term, or by a regular expression of several. */
export function patternOf({
  terms,
  isPrefix,
}: Phrase): { readonly text: string } | { readonly regex: string } {
  const last = terms.length - 1;
  const parts = terms.map((term, index) => (isPrefix && index === last ? ` ${term}` : spaced(term)));
  return last === 0 ? { text: parts[0]! } : { regex: `${parts[0]!}(?=${parts.slice(1).join('')})` };
}

/** No phrase matches across it, since no term has this character. */
const GAP = ' ¶ ';

function spaced(term: string): string {
  return ` ${term} `;
}

function factsOf(record: AiwgRecord): (readonly [Fact, string])[] {
  const category = record.self_reflection.credit_assignment?.failure_category;
  return [
    ...(category === undefined ? [] : [['category', category] as const]),
    ['loop', record.loop_id],
    ...filesOf(record).map((file) => ['file', file] as const),
    ...fingerprintsOf(record).map((fingerprint) => ['fingerprint', fingerprint] as const),
  ];
}
