import { codeProblem } from './code.ts';
import type { Parsed } from './sentence.ts';
import { testedLiteral } from './tested-values.ts';
import type { AdviceTree } from './tree.ts';

/** Why a named place is none of the product's code; undefined where each one is. */
export function placeProblem({ places }: Parsed, tree: AdviceTree): string | undefined {
  for (const { file, line } of places) {
    const lines = tree.linesOf(file);
    if (lines === undefined) return `${file} is no source file of the product that may be changed.`;
    if (line !== undefined && (line < 1 || line > lines.length)) return `${file} has ${lines.length} lines.`;
  }
  return undefined;
}

/** The code that a name is looked up in: that of the named files, else of all files of the record. */
export function textOf({ places }: Pick<Parsed, 'places'>, tree: AdviceTree): string {
  const files = places.length > 0 ? [...new Set(places.map(({ file }) => file))] : tree.files;
  return files.flatMap((file) => tree.codeOf(file)).join('\n');
}

/** Lines above and below a named line that count as its surroundings. */
const AROUND = 3;

export function nearOf({ places }: Pick<Parsed, 'places'>, tree: AdviceTree): string {
  const near = places.flatMap(({ file, line }) =>
    line === undefined ? [] : (tree.linesOf(file) ?? []).slice(Math.max(0, line - 1 - AROUND), line + AROUND),
  );
  return near.length > 0 ? near.join('\n') : textOf({ places }, tree);
}

/** Why named code is not understood, or is not where it is said to be; undefined where all of it is. */
export function codesProblem(parsed: Parsed, tree: AdviceTree): string | undefined {
  const text = textOf(parsed, tree);
  const all = tree.files.flatMap((file) => tree.codeOf(file)).join('\n');
  const known = (part: string): boolean =>
    [text, all].some((one) => hasPart(one, part)) || (/^[\w$]+$/.test(part) && hasPart(tree.reported, part));
  for (const [index, code] of parsed.codes.entries()) {
    // It stands in a part that is cut off.
    if (!parsed.masked.includes(`\u00a7C${index} `)) continue;
    // A member of the data that a failing test has: `item.quantity` where the test has `quantity: 2`.
    const isMember = (part: string): boolean =>
      /^[\w$]+$/.test(part) &&
      code.includes(`.${part}`) &&
      new RegExp(`[{,]\\s*${part.replaceAll('$', '\\$')}\\s*:`).test(tree.judged);
    const problem = codeProblem(code, (part) => known(part) || isMember(part));
    if (problem !== undefined) return `It ${problem}.`;
    if (isTaken(parsed.masked, index) && !hasPart(text, code))
      return `It takes ${code} for granted, which is not in the code.`;
  }
  return undefined;
}

/** True for code that is there already by the sentence: what is replaced, removed, or where something is done. */
function isTaken(masked: string, index: number): boolean {
  const before = masked.slice(0, masked.indexOf(`\u00a7C${index} `));
  return /\b(?:replace|change|remove|swap|drop|substitute|restore|omit|unwrap|turn|rename|negate|invert|move|strip)(?: only| all| each| both)?(?: (?:the|a|an|every|each))?(?: [a-z]+)?(?: of| the)? $/i.test(
    before,
  );
}

export function hasPart(text: string, part: string): boolean {
  if (/^[\w$]+$/.test(part))
    return new RegExp(`(?<![\\w$])${part.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
  const squeezed = (one: string): string => one.replace(/\s+|;$/g, '').replaceAll('"', "'");
  return squeezed(text).includes(squeezed(part));
}

/** A number outside of code that a failing test has and the named code has not. */
export function numberProblem(parsed: Parsed, tree: AdviceTree): string | undefined {
  const near = nearOf(parsed, tree);
  const bare = parsed.masked.replace(/\u00a7[CP]\d+ ?/g, ' ');
  const numbers = bare.match(/(?<![\w.])-?\d[\d_]*(?:\.\d+)?/g) ?? [];
  const unknown = numbers.find(
    (one) => !/^-?[012]$/.test(one) && testedLiteral(one, { judged: tree.judged, near }) !== undefined,
  );
  return unknown === undefined
    ? undefined
    : `It names ${unknown}, which a failing test has and the code has not.`;
}
