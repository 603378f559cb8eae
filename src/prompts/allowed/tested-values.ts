/** Strings and numbers of code. */
const LITERAL =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<![\w.$])-?\d[\d_]*(?:\.\d+)?n?(?![\w$])/g;
/** Values that say nothing of a test. */
const COMMON = new Set(['0', '1', '-1', '2', '']);

/** The literals of code without their quotation marks; common ones are left out. */
function literalsIn(code: string): string[] {
  return (code.match(LITERAL) ?? [])
    .map((one) => one.replace(/^['"`]|['"`]$/g, ''))
    .filter((one) => !COMMON.has(one) && !/^[^\p{L}\p{N}]{0,2}$/u.test(one));
}

/** A number that is added, subtracted, multiplied or divided by. */
const ARITHMETIC = /[-+*/%]\s*$/;
/** Code that gives the same whatever it is given. */
const CONSTANT = /^\s*(?:return\s+)?(?:-?\d[\d_.]*|true|false|null|undefined|''|""|\[\]|\{\})\s*;?\s*$/;

/**
 * The literal of code to write that a failing test has and the code beside it has not: an answer for what is tested. A number
 * that is computed with is none.
 */
export function testedLiteral(
  code: string,
  { judged, near }: { readonly judged: string; readonly near: string },
): string | undefined {
  const tested = new Set(literalsIn(judged));
  const existing = new Set(literalsIn(near));
  for (const match of code.matchAll(LITERAL)) {
    const bare = match[0].replace(/^['"`]|['"`]$/g, '');
    if (!tested.has(bare) || existing.has(bare) || literalsIn(match[0]).length === 0) continue;
    const isNumber = /^-?\d/.test(match[0]);
    const before = code.slice(0, match.index);
    if (isNumber && (ARITHMETIC.test(before) || (match[0].startsWith('-') && /[\w$)\]]\s*$/.test(before))))
      continue;
    return bare;
  }
  return undefined;
}

/** True for code that is a value alone, so that nothing is computed. */
export function isConstant(code: string): boolean {
  return CONSTANT.test(code);
}
