import type { TaskCriterion } from './task-item.ts';

/** `accept: npm run smoke` or `accept-test: test/slug.test.js`, in backticks. */
const CODE = /`(accept|accept-test):\s*([^`\n]+?)\s*`/g;
const HEADING = /^(?:#{1,6}\s*|\*\*)?acceptance criteria:?(?:\*\*)?:?\s*$/i;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+)$/;
const MAX_CRITERIA = 50;
const MAX_CHARS = 1000;

/** Criteria in the text of a checklist item: `` `accept: command` `` and `` `accept-test: file` ``. */
export function criteriaIn(text: string): TaskCriterion[] {
  return [...text.matchAll(CODE)].slice(0, MAX_CRITERIA).map(([, kind, value = '']) => {
    if (kind === 'accept') return { text: `\`${value}\` succeeds`, command: value };
    return { text: `The tests of ${value} pass`, test: value };
  });
}

/**
 * Sentences in the list or fenced block below a heading "Acceptance criteria". For text of strangers, such as an issue:
 * it names no command, because anybody may have written it.
 */
export function statedCriteria(text: string): TaskCriterion[] {
  const lines = text.split(/\r\n|\n|\r/);
  const start = lines.findIndex((line) => HEADING.test(line.trim()));
  if (start < 0) return [];
  const found: string[] = [];
  let isFenced = false;
  for (const line of lines.slice(start + 1)) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      if (isFenced) break;
      isFenced = true;
      continue;
    }
    const item = ITEM.exec(line)?.[1] ?? (isFenced && line.trim() !== '' ? line : undefined);
    if (item !== undefined) found.push(item.trim());
    else if (line.trim() !== '' && !/^\s/.test(line)) break;
  }
  return found.slice(0, MAX_CRITERIA).map((sentence) => ({ text: sentence.slice(0, MAX_CHARS) }));
}
