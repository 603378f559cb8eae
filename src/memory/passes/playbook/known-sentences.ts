import { sentencesOf } from '../../../platform/text/sentences.ts';
import { isJudging, isPlain } from '../../../prompts/allowed/words.ts';
import { normalStatement } from '../../text/statement.ts';

/** What a model may put into a playbook in words of its own or of others. */
export interface KnownTexts {
  /** The current narrative, the lessons with a slot and the insights. */
  readonly texts: readonly string[];
  /** True for advice of the model's own that may be told. */
  isAllowed(sentence: string): boolean;
}

const BULLET = /^(\s*(?:[-*•]|\d+[.)])\s+)/;
const SLOT = /\[\[lesson-[0-9a-f]{12}\]\]/g;

/**
 * A model's playbook with nothing in it but sentences that were known before, slots of lessons, advice that may be told, and
 * headings in plain words: whatever else it says, nobody has looked up.
 */
export function knownSentences(narrative: string, { texts, isAllowed }: KnownTexts): string {
  const known = new Set(
    texts.flatMap((text) =>
      text
        .split('\n')
        .flatMap((line) => [line, ...sentencesOf(line)])
        .map(bare),
    ),
  );
  const isKept = (sentence: string): boolean => {
    const words = bare(sentence.replace(SLOT, ''));
    return words === '' || known.has(words) || isAllowed(sentence.replace(SLOT, '').trim());
  };
  return narrative
    .split('\n')
    .flatMap((line) => {
      if (line.trim() === '' || known.has(bare(line))) return [line];
      if (/^\s*#/.test(line)) return isPlainHeading(line) ? [line] : [];
      const [bullet = ''] = BULLET.exec(line) ?? [];
      const kept = sentencesOf(line.slice(bullet.length)).filter(isKept);
      return kept.length === 0 ? [] : [`${bullet}${kept.join(' ')}`];
    })
    .join('\n');
}

function bare(text: string): string {
  return normalStatement(text.replace(BULLET, ''));
}

function isPlainHeading(line: string): boolean {
  const words = line.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length < 8 && words.every((word) => isPlain(word) && !isJudging(word));
}
