import { isAdvice } from './advice.ts';

/** A clause that gives a reason, or adds a fact to advice: nothing has looked up whether it is so. */
const GROUND =
  /[,;:]?\s+(?:because|since|as (?:it|this|that|they|there|(?:the )?[\w-]+ (?:is|are|was|were|has|have|does|needs|ends|starts|stops|returns|rounds|says|drops|keeps|skips|adds|uses|expects|wants|passes|awaits))|which|whereas|although|even though|now that|given that|so that|so (?:the|it|they|this)|so as to|due to|for (?:it|they|this|that)\b|(?:in order )?to (?:avoid|prevent|tolerate|account|see|find|make sure|preserve|respect|cover|support|ensure|keep|know|learn)\b)\b|;\s+|:\s+(?!`)|\s+[–—]\s+/i;
/** The same in front of the advice, so that it cannot be cut. */
const GROUND_FIRST =
  /^(?:as|since|because|given|according to|per|now that|although|even though)\b[^,]*,|\b(?:as|like) (?:the )?(?:user|task|spec\w*|maintainer|tests?|reviewer)s? (?:asks?|asked|says?|said|wants?|wanted|requires?|states?|expects?)\b/i;

/** Sentences that ralph itself makes from what it checked; nobody else can have checked it. */
const OWN_FORM =
  /^(?:in \S+, )?(?:chang|remov|add)ing .*\b(?:did not fix|fixed)\b|^changes in \S+ alone fixed\b/i;

/** The advice without its reason, and undefined for one that begins with a reason. */
export function withoutGround(advice: string): string | undefined {
  const masked = masking(advice);
  if (GROUND_FIRST.test(masked)) return undefined;
  const at = masked.search(GROUND);
  return at === -1 ? advice : advice.slice(0, at);
}

/** True for advice with a reason, wherever it stands. */
function hasGround(advice: string): boolean {
  return withoutGround(advice) !== advice;
}

/**
 * The reason to refuse a lesson that a model or a program proposes as advice, whatever the tree has: it states something, gives a
 * ground, or is a sentence that only ralph can have checked.
 */
export function lessonProblem(lesson: string): string | undefined {
  if (OWN_FORM.test(lesson.trim())) return 'It states what ralph itself has to see in an attempt.';
  if (!isAdvice(lesson)) return 'It states something, and is not advice.';
  if (hasGround(lesson)) return 'It gives a reason that nothing has looked up.';
  return undefined;
}

/** The same for a statement of a model, which has its quotes: it must not pose as ralph's own. */
export function statementProblem(statement: string): string | undefined {
  return OWN_FORM.test(statement.trim())
    ? 'It states what ralph itself has to see in an attempt.'
    : undefined;
}

/** Code and quotations as letters, so that their words are not read. */
function masking(text: string): string {
  return text.replace(/`[^`]*`|"[^"]*"|'[^']*'/g, (match) => 'x'.repeat(match.length));
}
