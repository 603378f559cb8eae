/** The part of npm-packlist's API (https://github.com/npm/npm-packlist) that is used here. */
declare module 'npm-packlist' {
  interface PackageTree {
    /** Absolute path of the package's folder. */
    readonly path: string;
    /** Its package.json. */
    readonly package: Readonly<Record<string, unknown>>;
    readonly isProjectRoot: boolean;
    /** Bundled dependencies are found by it; empty for none. */
    readonly edgesOut: ReadonlyMap<string, unknown>;
  }
  /** Paths relative to the package's folder, with forward slashes. */
  function packlist(tree: PackageTree): Promise<string[]>;
  export = packlist;
}
