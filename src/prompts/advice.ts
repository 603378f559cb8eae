import { VERBS as EDITING } from './allowed/words.ts';

/** Words that a sentence of advice begins with: a verb in the imperative, or a rule. */
const VERBS =
  'add adjust allow apply ask assign avoid begin build call cast change check choose clamp clone coerce compare compute consider convert copy count create cut declare default define delete derive do drop encode ensure escape exclude expect export fall filter find fix follow freeze give guard handle import include initialise initialize insert iterate join keep leave let limit look lower make map match merge mock move name never normalise normalize note omit open parse pass prefer prepend print put quote raise read rely remember remove rename replace reset resolve restore return reuse round run search set skip sort split start stop store strip take test throw trace translate treat trim try turn unescape update use validate wait watch work wrap write always'.split(
    ' ',
  );
const BEGINS = new RegExp(
  `^(?:please |first,? |then |also )?(?:do not|don't|${[...VERBS, ...EDITING].join('|')})\\b`,
  'i',
);
/** A condition before the advice. */
const CONDITION =
  /^(?:when|if|where|before|after|while|for|in|on|at|to|with|unless|instead of)\b[^,]*(?:,|:)\s+(.+)$/is;
const DUTY =
  /\b(?:must|should|shall|ought to|had better|has to|have to)(?: not| never| always)? (?:be )?[a-z]/i;

/** True for a sentence that says what to do; false for one that states something. */
export function isAdvice(text: string): boolean {
  const sentence = text.trim().replace(/^[-*•"“]\s*/, '');
  const [, rest] = CONDITION.exec(sentence) ?? [];
  return BEGINS.test(sentence) || (rest !== undefined && BEGINS.test(rest)) || DUTY.test(sentence);
}
