/**
 * Rules of the user in a task: imperative sentences of the user's own that hold beyond the task. What somebody else said, in
 * quotation marks or reported, is none, and neither is what the task itself asks for.
 */

/** A politeness, a scope or an occasion of the work before the verb, such as `Please`, `In this repository,` or `When you rename a file,`. */
const LEAD =
  /^(?:(?:please|also|and|but|note|important|remember|in general|as a rule|from now on|in future|generally|bitte)\b[,:;]?\s*|(?:in|for|throughout|across|with)\b[^,.;:]{1,60},\s*|(?:when|whenever|before|after)\s+(?:you|we|\w+ing)\b[^,.;:]{0,60},\s*|(?:you|we)\s+(?=(?:always|never|must|should)\b)|[-*•]\s+|\d+[.)]\s+)+/i;

/** Words that make an order a rule. */
const LASTING =
  /^(?:(?:must |should )?(?:always|never)|no longer|only(?= (?:use|write|run)\b)|(?:make sure|ensure)(?: that)?(?: to| you| we)* (?:always|never)|(?:do not|don't|must not|should not|shouldn't|mustn't|refrain from)(?: ever)?)\s+/i;

/** A choice between two ways; without `the`, which is about one thing. */
const CHOICE =
  /^(?:prefer\s+(?!the\b|this\b|that\b)|(?:use|run|write|call|choose|import|keep)\b.*\b(?:instead of|rather than)\b)/i;
/** A rule that is only for the task at hand. */
const FOR_NOW =
  /\b(?:here|now|yet|this time|(?:in|for|with) this (?:task|fix|change|commit|pr|issue|loop))\b/i;
/** Between two pieces of code, or of a thing that the code has one of: the edit that the task asks for. */
const BETWEEN_CODE = /\b(?:an?|its|their|one)\s|\w\.\w|\w\(|[a-z][A-Z]|[=!<>]=|(?:^|\s)[-+*/%<>](?=\s)/;
/** A command, whose arguments may look like code. */
const COMMAND = /`(?:npm|npx|pnpm|yarn|bun|deno|node|make|git)\s[^`]*`/g;
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

/**
 * True for an order on the work on code, which somebody does who writes it. An order on what the code does, such as to round or
 * not to throw, is what a task asks for.
 */
function isWork(order: string): boolean {
  if (/^\S+\s+(?:it|them|him|her)\b/i.test(order)) return false;
  return WORK.test(order) || CALL.test(order) || (ACT.test(order) && CODE.test(order));
}

const WORK =
  /^(?:(?:use|us(?:e|ing)|prefer|avoid)\s+(?!(?:the|this|that|these|those|its|their)\b)|(?:edit|touch|renam(?:e|ing)|reformat|refactor|install|indent|hard-?code|annotat(?:e|ing)|mock|stub|lint|rebase|squash|upgrad(?:e|ing)|bump)(?:ing)?\b)/i;
/** Verbs of the work and of the code: the object tells. */
const ACT =
  /^(?:add|chang|mutat|modify|remov|delet|mov|keep|updat|creat|mak|writ|rewrit|run|nam|format|import|export|declar|skip|push|commit|introduc|disabl|read|test|document|put|leav|includ|merg|follow|check|start|us|prefer)(?:e|ing|ning|ting)?\b/i;
/** Objects of the work: parts of code, tools and their files; a path, and a name in backticks or quotation marks. */
const CODE =
  /[`\uE000]|\w\/|\w\.\w|\b(?:tests?|specs?|suite|imports?|exports?|dependenc(?:y|ies)|packages?|librar(?:y|ies)|comments?|docs?|documentation|jsdoc|types|typings|functions?|methods?|variables?|constants?|class(?:es)?|modules?|apis?|signatures?|interfaces?|changelog|readme|config\w*|settings|lockfile|snapshots?|fixtures?|code|commits?|branch(?:es)?|main|master|semicolons?|braces|lint\w*|eslint|prettier|formatter|build|npm|pnpm|yarn|bun|vitest|jest|mocha|tsc|scripts?|todos?|any|arguments|parameters|props|globals|prototypes|(?:source|test|new|generated|vendored) files?)\b/i;
const CALL = /^call(?:ing)?\s+(?:`|\w+\.\w|\w+\()/i;

/** Orders in German: `Verwende nie lodash.`, `Niemals src/legacy.js anfassen.` */
function isGermanRule(rule: string): boolean {
  return GERMAN.some((form) => form.test(rule)) || (GERMAN_ACTS.test(rule) && GERMAN_CODE.test(rule));
}

const GERMAN = [
  /^(?:benutze?|verwende?|nutze?|bearbeite|editiere|formatiere|benenne|importiere|installiere|committe|pushe)\s+(?:niemals|nie|immer)\s/i,
  /^(?:niemals|nie|immer)\s.+\s(?:anfassen|bearbeiten|benutzen|verwenden|nutzen|umbenennen|editieren|installieren|formatieren|committen|pushen)[.!]?$/i,
];
const GERMAN_ACTS =
  /^(?:schreibe?|ändere?|lösche?|entferne?|nenne?|füge|führe|teste)\s+(?:niemals|nie|immer)\s|^(?:niemals|nie|immer)\s.+\s(?:schreiben|ändern|löschen|entfernen|hinzufügen|ausführen|testen|überspringen)[.!]?$/i;
const GERMAN_CODE = new RegExp(
  `${CODE.source}|(?<!\\p{L})(?:Abhängigkeit(?:en)?|Pakete?|Kommentare?|Typen|Funktion(?:en)?|Klassen?|Schnittstellen?|Variablen?)(?!\\p{L})`,
  'iu',
);

/** True for a sentence, without its quotations, that is a rule of the user. */
export function isOwnRule(sentence: string): boolean {
  const said = sentence.trim();
  if (REPORTED.test(said) || said.endsWith('?') || said.startsWith(QUOTED)) return false;
  const rule = said.replace(LEAD, '');
  if (FOR_NOW.test(rule)) return false;
  const order = rule.replace(LASTING, '');
  if (order !== rule && isWork(order)) return true;
  if (CHOICE.test(rule) && !PLACE.test(rule) && !BETWEEN_CODE.test(rule.replace(COMMAND, 'x'))) return true;
  if (isGermanRule(rule)) return true;
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

/** Quotation marks: the opening one, what may stand between them, and the closing one. An apostrophe closes nothing. */
const MARKS: readonly (readonly [open: string, inner: string, close: string])[] = [
  ['"', '[^"]*', '"'],
  ['“', '[^”]*', '”'],
  ['«', '[^»]*', '»'],
  ['„', '[^“”]*', '[“”]'],
  ['‘', `[^’]*(?:${apostrophe('’')}[^’]*)*`, '’(?!\\w)'],
  ["(?<!\\w)'", `[^']*(?:${apostrophe("'")}[^']*)*`, "'(?!\\w)"],
];

/** Between letters, as in `it's`, and behind the s of an owner: `the users' list`. */
function apostrophe(sign: string): string {
  return `(?:(?<=\\w)${sign}(?=\\w)|(?<=s)${sign}(?=\\s[a-z]))`;
}

const LINE = '(?<=^|\\n)>[^\\n]*';
const CLOSED = new RegExp([...MARKS.map((marks) => marks.join('')), LINE].join('|'), 'g');
const OPEN = new RegExp(MARKS.map(([open, inner]) => `${open}${inner}$`).join('|'), 'g');

/**
 * The text without what the user quotes, of the same length: these are the words of somebody else. A quotation may go over several
 * paragraphs. One that does not end goes on to the end of its paragraph.
 */
export function withoutQuotations(text: string): string {
  const within = eachParagraph(text, (one) => masked(one, CLOSED));
  return eachParagraph(masked(within, CLOSED), (one) => masked(one, OPEN));
}

function masked(text: string, pattern: RegExp): string {
  return text.replace(pattern, (quoted) => QUOTED.repeat(quoted.length));
}

/** The break between two paragraphs. */
export const PARAGRAPH = /\n\s*\n/g;

function eachParagraph(text: string, change: (paragraph: string) => string): string {
  return text
    .split(/(\n\s*\n)/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}

/** Stands for each quoted character. */
const QUOTED = '\uE000';
