/** Values that a shell takes as the words that they show. */
const PLAIN = /^[\w ./:@*?,{}=+-]*$/;

/**
 * A script with the variables that npm sets from package.json in place of their names: `$npm_package_config_files`,
 * `${npm_package_name}` (https://docs.npmjs.com/cli/using-npm/scripts#packagejson-vars). Those that are not known, and
 * those in single quotes, stay.
 */
export function withPackageVariables(script: string, manifest: Readonly<Record<string, unknown>>): string {
  return script.replaceAll(
    /'[^']*'|\$(?:\{npm_package_(\w+)\}|npm_package_(\w+))/g,
    (whole, braced, bare) => {
      const value = valueOf((braced ?? bare) as string | undefined, manifest);
      return value !== undefined && PLAIN.test(value) ? value : whole;
    },
  );
}

function valueOf(
  name: string | undefined,
  { config, ...fields }: Readonly<Record<string, unknown>>,
): string | undefined {
  const key = name?.replace(/^config_/, '');
  const owner = key === name ? fields : config;
  const isOwn = key !== undefined && typeof owner === 'object' && owner !== null && Object.hasOwn(owner, key);
  const value: unknown = isOwn ? (owner as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
