import { isAdvice } from './advice.ts';
import { policyProblem } from './policy.ts';

/** A clause that gives a reason, or adds a fact to advice: nothing has looked up whether it is so. */
const GROUND =
  /[,;:]?\s+(?:because|since|as (?!in\b|a\b|an\b|the argument\b|soon\b|long\b|many\b|much\b|well\b)|which|whereas|although|even though|now that|given that|so that|so as to|due to|whose|for (?:it|they|this|that)\b)\b|;\s+|:\s+(?!`)|\s+[–—]\s+/i;
/** The same in front of the advice, so that it cannot be cut. */
const GROUND_FIRST =
  /^(?:as|since|because|given|according to|per|now that|although|even though)\b[^,]*,|\b(?:as|like) (?:the )?(?:user|task|spec\w*|maintainer|tests?|reviewer)s? (?:asks?|asked|says?|said|wants?|wanted|requires?|states?|expects?)\b/i;

/** Somebody or something that is not in the code, of which advice would have to know more than its words. */
const BEYOND_CODE =
  /\b(?:the )?(?:users?|maintainers?|authors?|reviewers?|customers?|specification|specs?|requirements?)\b|\bask (?:for|the|a|somebody|someone)\b/i;
/** What a lesson of others may not speak of either: the checks, their results and what runs them. */
const CHECKS =
  /\b(?:tests?|suites?|test runner|runners?|checks?|ci|coverage|node(?:\.?js)? v?\d+|deno|bun|versions? \d|v\d+\.\d+|results?|flaky|pass(?:es|ed|ing)?|fail(?:s|ed|ing|ures?)?)\b/i;

/** Files or folders that are to go as a whole. */
const DELETES_FILE =
  /\b(?:delete|remove|drop|erase|empty|wipe|discard|get rid of)\s+(?:all |both |the |this |that |whole |entire |files? |folders? |director(?:y|ies) |of )*[`"']?(?:(?:[\w@.-]+\/)+[\w@.-]*|[\w@-]+\.[cm]?[jt]sx?\b)/i;

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
 * The reason to refuse a step that somebody else proposes, whatever it names: it is against ralph's rules, or speaks for
 * somebody.
 */
export function stepProblem(step: string, isProtected?: (file: string) => boolean): string | undefined {
  const problem = policyProblem(step, isProtected);
  if (problem !== undefined) return problem;
  if (BEYOND_CODE.test(withoutNames(step))) return 'It speaks for somebody who is not asked.';
  return undefined;
}

/**
 * The reason to refuse a lesson that a model or a program proposes as advice: it states something, gives a ground, speaks of
 * the checks or for somebody, or is a sentence that only ralph can have checked.
 */
export function lessonProblem(lesson: string): string | undefined {
  if (OWN_FORM.test(lesson.trim())) return 'It states what ralph itself has to see in an attempt.';
  if (!isAdvice(lesson)) return 'It states something, and is not advice.';
  if (hasGround(lesson)) return 'It gives a reason that nothing has looked up.';
  const problem = stepProblem(lesson);
  if (problem !== undefined) return problem;
  if (DELETES_FILE.test(lesson)) return 'It advises to delete whole files.';
  if (CHECKS.test(withoutNames(lesson))) return 'It speaks of tests, checks or versions, not of the code.';
  return undefined;
}

/** The same for a statement of a model, which has its quotes: it must not pose as ralph's own. */
export function statementProblem(statement: string): string | undefined {
  return OWN_FORM.test(statement.trim()) ? 'It states what ralph itself has to see in an attempt.' : undefined;
}

/** Code and quotations as letters, so that their words are not read. */
function masking(text: string): string {
  return text.replace(/`[^`]*`|"[^"]*"|'[^']*'/g, (match) => 'x'.repeat(match.length));
}

/** Without code, quotations and paths, whose words are names. */
function withoutNames(text: string): string {
  return text.replace(/`[^`]*`|"[^"]*"|'[^']*'/g, 'X').replace(/(?:[\w@.-]+\/)+[\w@.-]+|[\w-]+\.[cm]?[jt]sx?\b/g, 'X');
}
