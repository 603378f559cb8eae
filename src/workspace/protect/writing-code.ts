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

/** Whether a change of a source brings a way to write files which the text before does not have. */
export function bringsWriting(before: string, after: string): boolean {
  return WAYS.some((way) => way.test(after) && !way.test(before));
}
