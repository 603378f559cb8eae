/** Comments and casts that silence a checker instead of fixing the code. */
const SILENCING =
  /eslint-disable|eslint-enable|@ts-(ignore|expect-error|nocheck)|\bas\s+(any|never|unknown)\b|<any>|:\s*any\b|biome-ignore|istanbul ignore|prettier-ignore/g;

/** Whether `after` silences checkers in more places than `before`. */
export function addsSuppression(before: string, after: string): boolean {
  return count(after) > count(before);
}

function count(text: string): number {
  return [...text.matchAll(SILENCING)].length;
}
