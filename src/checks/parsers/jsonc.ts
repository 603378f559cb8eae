/**
 * JSON with comments and trailing commas, as tsconfig files are written; undefined for a text that is neither.
 */
export function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(withoutTrailingCommas(withoutComments(text.replace(/^\uFEFF/, ''))));
  } catch {
    return undefined;
  }
}

/** Strings are matched first, so that what looks like a comment in one stays. */
const STRING_OR_COMMENT = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const STRING_OR_COMMA = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g;

function withoutComments(text: string): string {
  return text.replace(STRING_OR_COMMENT, (match) => (match.startsWith('"') ? match : ' '));
}

function withoutTrailingCommas(text: string): string {
  return text.replace(STRING_OR_COMMA, (match) => (match.startsWith('"') ? match : ''));
}
