/**
 * Modules and functions by which code can write files or start a program that does, and those by which it can reach them
 * under another name.
 */
const WAYS = [
  /['"`](?:node:)?(?:fs(?:\/promises)?|child_process|worker_threads|cluster|module|vm|process)['"`]/,
  /['"`](?:fs-extra|graceful-fs|jsonfile|write-file-atomic|rimraf|del|execa|zx|shelljs|cross-spawn|simple-git|tinyexec)['"`]/,
  /\b(?:getBuiltinModule|createRequire|mainModule|dlopen|binding|eval|Function|Deno|Bun)\b/,
  // A module whose name is made at run time.
  /\b(?:import|require)\s*\(\s*(?!['"][^'"]*['"]\s*[,)])/,
];

/** Calls of functions that write files or start programs, by their names. */
const CALLS =
  /\b(?:write|append|copy|cp|rename|symlink|link|truncate|create\w*Stream|open|unlink|rm|exec|spawn|fork)\w*\s*\(/g;

/** Whether a change of a source brings a way to write files, or one more call where the text has such a way already. */
export function bringsWriting(before: string, after: string): boolean {
  if (WAYS.some((way) => way.test(after) && !way.test(before))) return true;
  return WAYS.some((way) => way.test(after)) && countCalls(after) > countCalls(before);
}

function countCalls(text: string): number {
  return (text.match(CALLS) ?? []).length;
}
