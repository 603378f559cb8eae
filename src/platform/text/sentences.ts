import { CODE_SPAN } from './code-span.ts';

const SPANS = new RegExp(CODE_SPAN.source, 'g');

/** The sentences and lines of a text, in their order; a code span is never divided. */
export function sentencesOf(text: string): string[] {
  const spans: string[] = [];
  // A capital letter, so that a sentence may begin with code.
  const masked = text.replace(SPANS, (span) => `C\uE000${spans.push(span) - 1}\uE000`);
  return masked
    .split(/(?<=[.!?]["”)]?)\s+(?=["“(]?[A-Z])|\n+/)
    .map((part) => part.replace(/C\uE000(\d+)\uE000/g, (_, at: string) => spans[Number(at)] ?? '').trim())
    .filter((part) => part !== '');
}
