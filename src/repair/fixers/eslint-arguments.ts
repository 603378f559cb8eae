/** Options with a value that affect the lint result; other arguments select files or the report format. */
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

/** Such options without a value. */
const FLAGS = new Set(['--no-eslintrc', '--no-config-lookup', '--no-inline-config', '--no-ignore']);

/** The ESLint arguments of a script that affect the result of linting a file, in order. */
export function configurationArgs(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const [name, value] = arg.split('=', 2);
    if (FLAGS.has(arg)) return [arg];
    if (!WITH_VALUE.has(name!)) return [];
    const next = args[index + 1];
    if (value !== undefined) return [arg];
    return next === undefined ? [] : [arg, next];
  });
}
