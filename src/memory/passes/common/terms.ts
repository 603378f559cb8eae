/** Words of a text that name something: commands, paths, symbols. */
const BACKTICKS = /`([^`\n]{2,120})`/g;
const ARGUMENT = String.raw`(?:(?:run|exec|test|build)\b|--?[\w=./:-]*\w|[\w@-]*[./:=][\w@./:=-]*\w)`;
/** A program whose next word is always its own, or one that is known by a flag, a path or `run` behind it. */
const COMMAND = new RegExp(
  String.raw`\b(?:(?:npm|npx|pnpm|yarn|git|docker) [\w@./:=-]*\w|(?:node|bun|deno|tsc|eslint|vitest|jest|mocha|ava|pytest|cargo|make) ${ARGUMENT})(?: ${ARGUMENT})*`,
  'g',
);
const PATH =
  /(?<![\w/.-])(?:[\w@.-]+\/)+[\w@.*-]*\w|(?<![\w/.-])[\w-]+\.(?:[cm]?[jt]sx?|json|ya?ml|md|toml|sh|py|go|rs|css|html|sql|env|lock)\b/g;
const CALL = /\b[A-Za-z_$][\w$.]*(?=\()/g;
const COMPOUND =
  /\b(?:[a-z$_][a-z0-9$]*(?:[A-Z][\w$]*)+|[A-Z][a-z0-9]+(?:[A-Z][\w$]*)+|[a-z0-9]+(?:_[a-z0-9]+)+|[A-Z0-9]+(?:_[A-Z0-9]+)+|TS\d{4,5})\b/g;
const FLAG = /(?<![\w-])--[a-z][\w-]+/g;
const MOST = 400;

/**
 * The commands, paths and symbols that a text names: what stands in backticks, known programs with their words,
 * paths and file names, calls, compound identifiers, long flags. In order, each once, at most 400.
 */
export function termsOf(text: string): string[] {
  const found = new Set<string>();
  for (const [, quoted = ''] of text.matchAll(BACKTICKS)) add(found, quoted);
  const bare = text.replace(BACKTICKS, ' ');
  for (const pattern of [COMMAND, PATH, CALL, COMPOUND, FLAG])
    for (const [term] of bare.matchAll(pattern)) add(found, term);
  return [...found].slice(0, MOST);
}

/** True where a text names the term: white space aside, to the letter, and not as a part of a longer name. */
export function namesTerm(text: string, term: string): boolean {
  const flat = flatten(text);
  for (let at = flat.indexOf(term); at !== -1; at = flat.indexOf(term, at + 1)) {
    if (!isNamePart(flat[at - 1], term[0]) && !isNamePart(flat[at + term.length], term.at(-1))) return true;
  }
  return false;
}

/** Terms of `text` that none of the grounds names. */
export function strangeTerms(text: string, grounds: readonly string[]): string[] {
  return termsOf(text).filter((term) => !grounds.some((ground) => namesTerm(ground, term)));
}

/** White space as single blanks. */
export function flatten(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function add(found: Set<string>, term: string): void {
  const clean = flatten(term).replace(/\(\)?$/, '');
  if (clean.length >= 2) found.add(clean);
}

function isNamePart(character: string | undefined, edge: string | undefined): boolean {
  const isWord = (one: string | undefined): boolean => one !== undefined && /[\w$]/.test(one);
  return isWord(character) && isWord(edge);
}
