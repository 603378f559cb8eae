/** Options that say how files are judged; the rest of a script's arguments says which files, or how to report. */
const WITH_VALUE = new Set([
  '-c',
  '--config',
  '--env',
  '--ext',
  '--flag',
  '--global',
  '--ignore-path',
  '--ignore-pattern',
  '--parser',
  '--parser-options',
  '--plugin',
  '--resolve-plugins-relative-to',
  '--rule',
  '--rulesdir',
]);

const ALONE = new Set(['--no-eslintrc', '--no-config-lookup', '--no-inline-config', '--no-ignore']);

/** What of a script's ESLint arguments decides how a file is judged, in order. */
export function configurationArgs(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const [name, value] = arg.split('=', 2);
    if (ALONE.has(arg)) return [arg];
    if (!WITH_VALUE.has(name!)) return [];
    const next = args[index + 1];
    if (value !== undefined) return [arg];
    return next === undefined ? [] : [arg, next];
  });
}
