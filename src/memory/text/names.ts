import { CODE_SPAN, codeOf } from '../../platform/text/code-span.ts';

const SPANS = new RegExp(CODE_SPAN.source, 'g');
/** Characters of a passage in backticks that may be a name. */
const MOST_CHARS = 122;
const ARGUMENT = String.raw`(?:(?:run|exec|test|build)\b|--?[\w=./:-]*\w|[\w@-]*[./:=][\w@./:=-]*\w)`;
/** A package manager, git or docker with its subcommand, or another known program before a flag, a path or `run`. */
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
 * The commands, paths and symbols that a text names: passages in backticks, known programs with their arguments, paths
 * and file names, called functions, compound identifiers, long flags. Each once, at most 400.
 */
export function namesIn(text: string): string[] {
  const found = new Set<string>();
  for (const [span] of text.matchAll(SPANS)) if (span.length <= MOST_CHARS) add(found, codeOf(span));
  const bare = text.replace(SPANS, (span) => (span.length <= MOST_CHARS ? ' ' : span));
  for (const pattern of [COMMAND, PATH, CALL, COMPOUND, FLAG])
    for (const [name] of bare.matchAll(pattern)) add(found, name);
  return [...found].slice(0, MOST);
}

/** True where a text has the name literally, apart from white space, and not as part of a longer name. */
export function hasName(text: string, name: string): boolean {
  const flat = flatten(text);
  for (let at = flat.indexOf(name); at !== -1; at = flat.indexOf(name, at + 1)) {
    if (!isNamePart(flat[at - 1], name[0]) && !isNamePart(flat[at + name.length], name.at(-1))) return true;
  }
  return false;
}

/** Names in `text` that occur in none of the sources. */
export function unknownNames(text: string, sources: readonly string[]): string[] {
  return namesIn(text).filter((name) => !sources.some((source) => hasName(source, name)));
}

/** The text trimmed, with every run of white space as one blank. */
export function flatten(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function add(found: Set<string>, name: string): void {
  const clean = flatten(name).replace(/\(\)?$/, '');
  if (clean.length >= 2) found.add(clean);
}

function isNamePart(character: string | undefined, edge: string | undefined): boolean {
  const isWord = (one: string | undefined): boolean => one !== undefined && /[\w$]/.test(one);
  return isWord(character) && isWord(edge);
}
