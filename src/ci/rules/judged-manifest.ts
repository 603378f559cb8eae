type Manifest = Readonly<Record<string, unknown>>;

/**
 * Keys of package.json that describe the package itself and what it depends on. Every other key decides how the package is
 * checked: scripts, and the settings of test runners, compilers, linters and package managers.
 */
const OF_THE_PACKAGE: ReadonlySet<string> = new Set([
  ...['name', 'version', 'private', 'description', 'keywords', 'author', 'contributors', 'maintainers'],
  ...[
    'homepage',
    'bugs',
    'license',
    'funding',
    'repository',
    'publishConfig',
    'engines',
    'os',
    'cpu',
    'libc',
  ],
  ...['main', 'module', 'browser', 'types', 'typings', 'typesVersions', 'exports', 'imports', 'type', 'bin'],
  ...['man', 'directories', 'files', 'sideEffects', 'workspaces', 'pnpm', 'overrides', 'resolutions'],
  ...['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'dependenciesMeta'],
  ...['peerDependenciesMeta', 'bundleDependencies', 'bundledDependencies'],
]);

/**
 * The package.json by which a branch is judged: what the package is and depends on as the branch says, scripts and every
 * other setting as the default branch says. `theirs` undefined: the default branch has none in this folder, so there is no
 * script. Text that is no object of JSON is returned as it is, since nothing can be run by it.
 */
export function judgedManifest(theirs: string | undefined, own: string): string {
  const [decides, described] = [parse(theirs ?? '{}') ?? {}, parse(own)];
  if (described === undefined) return own;
  const kept = Object.entries(described).filter(([key]) => OF_THE_PACKAGE.has(key));
  const taken = Object.entries(decides).filter(([key]) => !OF_THE_PACKAGE.has(key));
  const merged = Object.fromEntries([...kept, ...taken]);
  return JSON.stringify(sorted(merged)) === JSON.stringify(sorted(described))
    ? own
    : `${JSON.stringify(merged, null, 2)}\n`;
}

/** A version, a range of versions or a tag of a registry. */
const FROM_REGISTRY = /^[\w.\-+ ^~<>=|*]*$/;

/**
 * A development package of the default branch that the branch takes from elsewhere than a registry, such as a folder, a
 * fork or a package of another name; undefined: there is none. The tools of the checks are such packages.
 */
export function exchangedPackage(theirs: string | undefined, own: string): string | undefined {
  const [known, named] = [theirs ?? '{}', own].map((text) => {
    const { devDependencies } = parse(text) ?? {};
    return (devDependencies ?? {}) as Manifest;
  });
  const name = Object.keys(known!).find((key) => {
    const source = named![key];
    return source !== undefined && source !== known![key] && !FROM_REGISTRY.test(String(source));
  });
  return name && `${name} from ${JSON.stringify(named![name])}`;
}

function sorted(manifest: Manifest): [string, unknown][] {
  return Object.entries(manifest).sort(([a], [b]) => (a < b ? -1 : 1));
}

function parse(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Manifest)
      : undefined;
  } catch {
    return undefined;
  }
}
