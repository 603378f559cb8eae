import { CODE_SPAN, codeOf } from '../../platform/text/code-span.ts';
import { isOfLanguage } from './code.ts';
import type { AdviceTree } from './tree.ts';

/** A path with a line, as texts name it. */
const PLACE = /(?<![\w/.@-])((?:[\w@.-]+\/)*[\w@-][\w@.-]*\.(?:[a-z]{1,6}))(?::(\d+))?(?![\w/-])/g;
export const QUOTED = /(?<!\w)'[^']{1,80}'(?!\w)|"[^"]{1,80}"/g;
/** Code outside of backticks: a call, a member, a capital or an underscore inside. */
const BARE =
  /(?<![\w$./-])(?:[A-Za-z_$][\w$.]*\([^()\s][^()]*\)|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+(?:\(\))?|[a-z_$][a-z\d$]*[A-Z_][\w$]*(?:\(\))?|[A-Z][a-z\d]+[A-Z][\w$]*|[A-Z][A-Z\d_]{2,}|[A-Za-z_$][\w$]*\(\))(?![\w$/])/g;
/** A sum or comparison outside of backticks: `max - 3`. */
const SUM = /(?<![\w$])[A-Za-z_$][\w$.]* (?:[-+*/%]|[<>]=?|[!=]==?) (?:[A-Za-z_$][\w$.]*|\d+)(?![\w$])/g;

/** The parts of a sentence; code, quotations and places are marks in `masked`. */
export interface Parsed {
  readonly masked: string;
  readonly codes: readonly string[];
  readonly places: readonly { readonly file: string; readonly line: number | undefined }[];
}

/** A sentence with its code, quotations and places apart. */
export function parse(sentence: string, tree: AdviceTree): Parsed {
  const codes: string[] = [];
  const places: Parsed['places'][number][] = [];
  const asPlace = (name: string, line: string | undefined): string => {
    places.push({ file: tree.fileOf(name), line: line === undefined ? undefined : Number(line) });
    return `\u00a7P${places.length - 1} `;
  };
  const asCode = (code: string): string => `\u00a7C${codes.push(code) - 1} `;
  const masked = sentence
    .replace(new RegExp(CODE_SPAN.source, 'g'), (span) => {
      const code = codeOf(span).trim();
      const [whole, name, line] = new RegExp(PLACE.source).exec(code) ?? [];
      return whole === code && tree.linesOf(tree.fileOf(name!)) !== undefined
        ? asPlace(name!, line)
        : asCode(code);
    })
    .replace(QUOTED, (quote) => asCode(`'${quote.slice(1, -1)}'`))
    .replace(PLACE, (_, name: string, line: string | undefined) =>
      isOfLanguage(name.split('.')[0]!) ? asCode(name) : asPlace(name, line),
    )
    .replace(SUM, asCode)
    .replace(BARE, asCode)
    // "line 9 of src/a.js" and "src/a.js at line 9"
    .replace(
      /\blines? (\d+) (?:of|in) \u00a7P(\d+) |\u00a7P(\d+) ?,? (?:at |on )?line (\d+)/g,
      (_, a, b, c, d) => {
        const at = Number(b ?? c);
        places.push({ file: places[at]!.file, line: Number(a ?? d) });
        return `\u00a7P${places.length - 1} `;
      },
    );
  return { masked, codes, places };
}
