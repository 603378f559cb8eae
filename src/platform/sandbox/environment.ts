/** Variables for the output of programs and the places of tools, which never hold secrets. One topic a line. */
const PASSED = new Set(
  `
    PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM COLORTERM CI
    NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES EDITOR PAGER DEBUG
    NODE_ENV NODE_PATH NODE_OPTIONS NODE_EXTRA_CA_CERTS NODE_NO_WARNINGS UV_THREADPOOL_SIZE
    SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE SOURCE_DATE_EPOCH LD_LIBRARY_PATH LIBRARY_PATH CPATH
    CC CXX CFLAGS CXXFLAGS LDFLAGS MAKEFLAGS PKG_CONFIG_PATH ACLOCAL_PATH
    JAVA_HOME JDK_HOME MAVEN_HOME GRADLE_HOME SDKMAN_DIR ANDROID_HOME ANDROID_SDK_ROOT DOTNET_ROOT
    GOPATH GOROOT GOFLAGS CARGO_HOME RUSTUP_HOME RUSTFLAGS RUST_BACKTRACE
    PYENV_ROOT PYENV_VERSION PYTHONPATH PYTHONHOME PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE
    CONDA_PREFIX VIRTUAL_ENV POETRY_HOME RBENV_ROOT RBENV_VERSION GEM_HOME GEM_PATH
    NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR ASDF_DIR ASDF_DATA_DIR N_PREFIX PNPM_HOME
    BUN_INSTALL DENO_DIR DENO_INSTALL COREPACK_HOME CHROME_BIN CHROME_PATH
    PLAYWRIGHT_BROWSERS_PATH PUPPETEER_CACHE_DIR PUPPETEER_EXECUTABLE_PATH CYPRESS_CACHE_FOLDER
    GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
  `
    .trim()
    .split(/\s+/),
);
const LOCALE = /^LC_[A-Z]+$/;
/** Passed on only with a network, because the address of a proxy may contain its password. */
const NETWORK = /^(https?|all|no|ftp)_proxy$/i;

/** Names of the user's desktop and of the agents that hold keys, whose sockets are not for a confined program. */
const DESKTOP =
  /^(DISPLAY|WAYLAND_DISPLAY|WAYLAND_SOCKET|XAUTHORITY|SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_.*)$/;

export interface EnvironmentRules {
  readonly network: boolean;
  /** Names of further variables that the user passes on. */
  readonly passEnv: readonly string[];
  readonly wholeEnvironment?: boolean | undefined;
  /** Absolute path of a file that git reads as the system's configuration. */
  readonly gitConfig?: string | undefined;
}

/**
 * The environment of a confined program: the variables that the caller has set for it, and of the inherited ones those
 * of the list above and those that the user names, or all but those of the desktop.
 */
export function confinedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { network, passEnv, wholeEnvironment = false, gitConfig }: EnvironmentRules,
  inherited: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const isPassed = (name: string): boolean =>
    (wholeEnvironment && !DESKTOP.test(name)) ||
    PASSED.has(name) ||
    LOCALE.test(name) ||
    passEnv.includes(name) ||
    (network && NETWORK.test(name));
  const passed = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (isPassed(entry[0]) || inherited[entry[0]] !== entry[1]),
  );
  return { ...(gitConfig !== undefined && { GIT_CONFIG_SYSTEM: gitConfig }), ...Object.fromEntries(passed) };
}
