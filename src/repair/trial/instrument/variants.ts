import type { CopyableRegion } from './copyable-regions.ts';

/** One candidate's copy of a region. */
export interface Variant {
  /** The candidate's number. */
  readonly id: number;
  readonly text: string;
}

/** An expression of the instrumented source: the number of the active candidate, 0 for none. */
export const ACTIVE = 'globalThis.__ralphActive';
/** An expression of the instrumented source that records that the active candidate's code ran. */
export const REACHED = 'globalThis.__ralphReached=true';

type Renderer = (variants: readonly Variant[]) => { before: string; after: string };

/** Texts before and after a region's original code that choose between it and its variants, by kind of region. */
export const RENDERERS: Readonly<Record<Exclude<CopyableRegion['kind'], 'constant'>, Renderer>> = {
  statement(variants) {
    const label = `__ralph_${variants[0]!.id}`;
    return { before: `${label}:{${branches(variants, `break ${label};`)}`, after: '\n}' };
  },
  initializer: (variants) => ({ before: `(${isAmong(variants)}?${choice(variants)}:(`, after: '\n))' }),
  arrow: (variants) => ({
    before: `{if(${isAmong(variants)})return ${choice(variants)};return (`,
    after: '\n);}',
  }),
  body: (variants) => ({ before: branches(variants, 'return;'), after: '' }),
};

/** An expression: whether the active candidate is one of the variants. Their numbers follow each other. */
export function isAmong(variants: readonly Variant[]): string {
  return `${ACTIVE}>=${variants[0]!.id}&&${ACTIVE}<=${variants.at(-1)!.id}`;
}

/**
 * An expression: the active variant's value. Written as a binary search, because a chain of hundreds of conditions
 * would exhaust the stack of parsers.
 */
export function choice(variants: readonly Variant[]): string {
  if (variants.length === 1) return `(${REACHED},(${variants[0]!.text}\n))`;
  const middle = variants.length >> 1;
  const left = choice(variants.slice(0, middle));
  return `(${ACTIVE}<${variants[middle]!.id}?${left}:${choice(variants.slice(middle))})`;
}

/** Statements that run the active variant and then `leave`; they do nothing if no variant is active. */
function branches(variants: readonly Variant[], leave: string): string {
  const search = (part: readonly Variant[]): string => {
    if (part.length === 1) return `{${REACHED};${part[0]!.text}\n;${leave}}`;
    const middle = part.length >> 1;
    const left = search(part.slice(0, middle));
    return `{if(${ACTIVE}<${part[middle]!.id})${left}else${search(part.slice(middle))}}`;
  };
  return `if(${isAmong(variants)})${search(variants)}`;
}
