/** Texts in quotes and escaped characters, which begin no comment; then comments of a block and of a line. */
const COMMENTS =
  /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\\.)|(\/\*[^]*?(?:\*\/|$))|\/\/[^\n]*/g;

/** Code in the syntax of JavaScript with `…` for the words of its comments: they are prose, which a quotation of code is not. */
export function hideComments(code: string): string {
  return code.replace(COMMENTS, (_, literal?: string, block?: string) =>
    literal !== undefined ? literal : block === undefined ? '// …' : '/* … */',
  );
}
