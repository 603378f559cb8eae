/** Program and arguments, without a shell. */
export interface ProgramCall {
  readonly file: string;
  readonly args: readonly string[];
}

/** The output format of an agent's headless mode: one JSON value per line. */
export type HeadlessFormat = 'claude' | 'codex' | 'pi' | 'cline';

/** A folder in which an agent keeps its sessions, its sign-in and its settings. */
export interface OwnFolder {
  /** The variable that names the folder, or with `name` its parent. */
  readonly variable: string;
  /** The path relative to the home folder, for users who have not set the variable. */
  readonly folder: string;
  /** Name in the folder. Default: the folder itself. */
  readonly name?: string;
  /**
   * Names of files and folders in it that the agent reads or runs whenever it starts. A confined agent cannot change them, because
   * it could have commands run later, outside of the sandbox.
   */
  readonly settings: readonly string[];
}

/** A coding agent that `--agent` accepts by name. */
export interface KnownAgent {
  readonly name: string;
  /** Programs that speak the Agent Client Protocol on stdin and stdout; the first installed one is used. */
  readonly protocol: readonly ProgramCall[];
  /** The program in its headless mode; used if no protocol program is installed, or it fails before it has the task. */
  readonly headless?: ProgramCall & { readonly format: HeadlessFormat };
  /** Its own folders. Absent: it was not seen to work in a sandbox yet. */
  readonly own?: readonly OwnFolder[];
  /** Prints a finished session, whose id is added, if the protocol reports the usage of its last model call only. */
  readonly sessionExport?: ProgramCall;
  /** The agent keeps the tokens of each model call in a file, and its protocol does not report which were cached. */
  readonly keepsTokens?: boolean;
  /** The command that installs the agent. */
  readonly install: string;
}

const CLAUDE_SETTINGS =
  'settings.json settings.local.json .claude.json CLAUDE.md plugins commands agents skills hooks output-styles'.split(
    ' ',
  );
const GEMINI_SETTINGS =
  'settings.json GEMINI.md extensions commands policies hooks skills agents trustedFolders.json trusted_hooks.json'.split(
    ' ',
  );
/** `bin` and the cache hold programs that it has installed. */
const OPENCODE_FOLDERS: readonly OwnFolder[] = [
  { variable: 'XDG_DATA_HOME', folder: '.local/share', name: 'opencode', settings: ['bin'] },
  { variable: 'XDG_STATE_HOME', folder: '.local/state', name: 'opencode', settings: [] },
  { variable: 'XDG_CACHE_HOME', folder: '.cache', name: 'opencode', settings: ['.'] },
  { variable: 'XDG_CONFIG_HOME', folder: '.config', name: 'opencode', settings: ['.'] },
];

/** Every agent that `--agent` accepts by name. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    name: 'claude',
    protocol: [
      { file: 'claude-agent-acp', args: [] },
      { file: 'claude-code-acp', args: [] },
    ],
    headless: {
      file: 'claude',
      args: [
        '--print',
        '--output-format',
        'stream-json',
        '--verbose',
        '--permission-mode',
        'acceptEdits',
        '--allowedTools',
        'Bash',
      ],
      format: 'claude',
    },
    own: [
      {
        variable: 'CLAUDE_CONFIG_DIR',
        folder: '.claude',
        settings: CLAUDE_SETTINGS,
      },
    ],
    install: 'npm install --global @agentclientprotocol/claude-agent-acp',
  },
  {
    name: 'codex',
    protocol: [{ file: 'codex-acp', args: [] }],
    headless: {
      file: 'codex',
      args: ['exec', '--json', '--sandbox', 'workspace-write', '--skip-git-repo-check', '-'],
      format: 'codex',
    },
    install: 'npm install --global @agentclientprotocol/codex-acp',
  },
  {
    name: 'gemini',
    protocol: [{ file: 'gemini', args: ['--acp'] }],
    own: [{ variable: 'GEMINI_CLI_HOME', folder: '', name: '.gemini', settings: GEMINI_SETTINGS }],
    keepsTokens: true,
    install: 'npm install --global @google/gemini-cli',
  },
  {
    name: 'opencode',
    protocol: [{ file: 'opencode', args: ['acp'] }],
    own: OPENCODE_FOLDERS,
    sessionExport: { file: 'opencode', args: ['export'] },
    install: 'npm install --global opencode-ai',
  },
  {
    name: 'qwen',
    protocol: [{ file: 'qwen', args: ['--acp'] }],
    install: 'npm install --global @qwen-code/qwen-code',
  },
  {
    name: 'goose',
    protocol: [{ file: 'goose', args: ['acp'] }],
    install: 'brew install block-goose-cli',
  },
  {
    name: 'cline',
    // Its protocol mode signs in with its own service only; any other provider needs the headless mode.
    protocol: [{ file: 'cline', args: ['--acp'] }],
    headless: { file: 'cline', args: ['--json', '--auto-approve', 'true'], format: 'cline' },
    install: 'npm install --global cline',
  },
  {
    name: 'pi',
    protocol: [{ file: 'pi-acp', args: [] }],
    headless: { file: 'pi', args: ['--print', '--mode', 'json', '--no-session'], format: 'pi' },
    install: 'npm install --global @earendil-works/pi-coding-agent',
  },
];
