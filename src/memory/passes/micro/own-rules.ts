/**
 * Rules of the user in a task: imperative sentences of the user's own that hold beyond the task. What somebody else said, in
 * quotation marks or reported, is none, and neither is what the task itself asks for.
 */

/** A politeness, a scope or a condition before the verb, such as `Please`, `In this repository,` or `When you rename a file,`. */
const LEAD =
  /^(?:(?:please|also|and|but|note|important|remember|in general|as a rule|from now on|in future|generally|bitte)\b[,:;]?\s*|(?:in|for|when|whenever|before|after|throughout|across|with)\b[^,.;:]{1,60},\s*|(?:you|we)\s+(?=(?:always|never|must|should)\b)|[-*•]\s+|\d+[.)]\s+)+/i;

/** Words that make an imperative a rule, whatever it is about. */
const ALWAYS =
  /^(?:(?:must |should )?(?:always|never)\b|no longer\b|niemals\b|only (?:use|write|run)\b|(?:make sure|ensure)\b.*\b(?:always|never|every)\b)/i;
/** Orders that forbid an act while working; orders on the behaviour of the code, such as not to crash, are not meant. */
const NOT =
  /^(?:do not|don't|must not|should not|shouldn't|mustn't|refrain from)\s+(?:ever\s+)?(?:edit|chang|touch|modif|add|remov|renam|delet|us|writ|install|commit|introduc|mutat|reformat|import|mov|rewrit|push|disabl|skip)\w*\b/i;
/** A choice between two ways; without `the`, which is about one thing. */
const CHOICE =
  /^(?:prefer\s+(?!the\b|this\b|that\b)|(?:use|run|write|call|choose|import|keep)\b.*\b(?:instead of|rather than)\b)/i;
/** A rule that is only for the task at hand. */
const FOR_NOW =
  /\b(?:here|now|yet|this time|(?:in|for|with) this (?:task|fix|change|commit|pr|issue|loop))\b/i;
/** One place of the code: a choice there is the task. */
const PLACE = /\b(?:in|at|of)\s+`?[\w./-]*\.\w{1,4}\b|:\d|\b(?:this|that|these|those)\b/i;

const STYLE = /^(?:use|keep|write|avoid|name|indent|format|favou?r|prefer)\s+(.+?)[.!]?$/i;
/** Words for code in general: a sentence with other words is about something of the task. */
const STYLE_WORDS = new Set(
  `tabs spaces indentation quotes semicolons commas comments names functions variables constants classes types imports exports
  lines files sentences commits abbreviations dependencies async await const let var promises callbacks modules loops exceptions
  generics interfaces enums decorators globals mutation recursion typescript javascript jsdoc any null undefined equality returns
  inheritance closures getters setters ternaries iterators generators regexes assertions english tests globals esm commonjs
  camelcase snake_case pascalcase kebab-case code parameters arguments methods
  short small pure single double strict named default early arrow plain simple meaningful descriptive clear trailing nested
  global mutable immutable private public long deep magic numbers strings two four of as for in over and or with instead than
  rather only everywhere where whenever possible all every at to under below characters words no not 2 4 80 100 120 es`.split(
    /\s+/,
  ),
);

/** Somebody else's words without quotation marks: who said them stands at the end. */
const REPORTED =
  /[,;–—-]\s*(?:(?:as|so|at least)\s+)?(?:[\w'-]+\s+){0,4}?(?:says?|said|wrote|writes|told|tells|asked|asks|claims?|insists?|suggests?|recommends?|demands?|wants?)\b|\baccording to\b/i;

/** True for a sentence, without its quotations, that is a rule of the user. */
export function isOwnRule(sentence: string): boolean {
  const said = sentence.trim();
  if (REPORTED.test(said) || said.endsWith('?') || said.startsWith(QUOTED)) return false;
  const rule = said.replace(LEAD, '');
  if (FOR_NOW.test(rule)) return false;
  if (ALWAYS.test(rule) || NOT.test(rule)) return true;
  if (CHOICE.test(rule) && !PLACE.test(rule)) return true;
  if (/^\w+ (?:niemals|nie|immer)\b/i.test(rule)) return true;
  const object = STYLE.exec(rule)?.[1];
  return object !== undefined && object.split(/[\s,/]+/).every((word) => STYLE_WORDS.has(word.toLowerCase()));
}

/** The beginning of what somebody else said: `Bob wrote:`. */
const OPENS_REPORT =
  /\b(?:says?|said|wrote|writes|told (?:me|us)|asked|asks|claims?|reads?|states?|comment(?:ed)?|quote[ds]?|feedback|review)\b[^.!?\n]{0,40}:\s*$/i;

/** True for a text after which the words of somebody else begin. */
export function opensReport(text: string): boolean {
  return OPENS_REPORT.test(text);
}

/** An opening quotation mark and its closing one; a straight one may be an apostrophe inside a word. */
const QUOTATION =
  /"[^"]*(?:"|$)|“[^”]*(?:”|$)|«[^»]*(?:»|$)|„[^“”]*(?:[“”]|$)|‘[^’]*(?:’(?!\w)|$)|(?<!\w)'[^']*(?:(?<=\w)'(?=\w)[^']*)*(?:'(?!\w)|$)|(?<=^|\n)>[^\n]*/g;

/**
 * The text without what the user quotes, of the same length: these are the words of somebody else. A quotation that does not end
 * goes on to the end of the text.
 */
export function withoutQuotations(text: string): string {
  return text.replace(QUOTATION, (quoted) => QUOTED.repeat(quoted.length));
}

/** Stands for each quoted character. */
const QUOTED = '\uE000';
