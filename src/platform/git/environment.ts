/** Settings of one git command that are passed in its environment. */
export interface GitVariables {
  /** Ralph's own git directory: neither the system's nor the user's configuration is read. */
  readonly gitDir?: string | undefined;
  readonly indexFile?: string | undefined;
  /** An objects folder of another repository, whose objects are found as well. */
  readonly alsoReads?: string | undefined;
  /** Leaves the messages of git and of the hooks in the user's language. */
  readonly hooks?: boolean | undefined;
  /** Configuration of this command alone, such as a header with a token: neither in its arguments nor in a file. */
  readonly config?: Readonly<Record<string, string>> | undefined;
}

/** Variables by which the caller, for example a git hook, names its own repository or configuration. */
const LOCATING =
  /^GIT_(?!AUTHOR_|COMMITTER_|SSH|ASKPASS|EXEC_PATH|SSL_|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$|CEILING_|DISCOVERY_)/;

/**
 * The whole environment of a git command: the user's, without the variables that name a repository. Git never
 * prompts, opens no editor and takes no optional lock.
 */
export function gitEnvironment({
  gitDir,
  indexFile,
  alsoReads,
  hooks = false,
  config = {},
}: GitVariables): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !LOCATING.test(entry[0]),
  );
  const env = Object.fromEntries(kept);
  env['GIT_TERMINAL_PROMPT'] = '0';
  env['GIT_OPTIONAL_LOCKS'] = '0';
  env['GIT_EDITOR'] = 'true';
  if (!hooks) env['LC_ALL'] = 'C';
  if (gitDir !== undefined) {
    env['GIT_CONFIG_NOSYSTEM'] = '1';
    env['GIT_CONFIG_GLOBAL'] = '/dev/null';
  }
  if (indexFile !== undefined) env['GIT_INDEX_FILE'] = indexFile;
  // A colon separates folders; in quotes it is part of a name.
  if (alsoReads !== undefined) env['GIT_ALTERNATE_OBJECT_DIRECTORIES'] = JSON.stringify(alsoReads);
  addConfig(env, Object.entries(config));
  return env;
}

/** The form that git-config(1) describes under GIT_CONFIG_COUNT. */
function addConfig(env: Record<string, string>, entries: readonly (readonly [string, string])[]): void {
  if (entries.length === 0) return;
  env['GIT_CONFIG_COUNT'] = String(entries.length);
  for (const [at, [key, value]] of entries.entries()) {
    env[`GIT_CONFIG_KEY_${at}`] = key;
    env[`GIT_CONFIG_VALUE_${at}`] = value;
  }
}
