/** Program and arguments, without a shell. */
export interface ProgramCall {
  readonly file: string;
  readonly args: readonly string[];
}

/** What an agent prints in its headless mode, one JSON value a line. */
export type HeadlessFormat = 'claude' | 'codex' | 'pi';

/** A coding agent that is known by name. */
export interface KnownAgent {
  readonly name: string;
  /** Programs that speak the Agent Client Protocol on stdin and stdout; the first that is installed is taken. */
  readonly protocol: readonly ProgramCall[];
  /** Takes the prompt on stdin and works without questions; for agents whose protocol is a program of its own. */
  readonly headless?: ProgramCall & { readonly format: HeadlessFormat };
  /** Command that installs it. */
  readonly install: string;
}

/** Every agent that `--agent` takes by name. */
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
        ...['--print', '--output-format', 'stream-json', '--verbose'],
        ...['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'],
      ],
      format: 'claude',
    },
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
    install: 'npm install --global @google/gemini-cli',
  },
  {
    name: 'opencode',
    protocol: [{ file: 'opencode', args: ['acp'] }],
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
    protocol: [{ file: 'cline', args: ['--acp'] }],
    install: 'npm install --global cline',
  },
  {
    name: 'pi',
    protocol: [{ file: 'pi-acp', args: [] }],
    headless: { file: 'pi', args: ['--print', '--mode', 'json', '--no-session'], format: 'pi' },
    install: 'npm install --global @earendil-works/pi-coding-agent',
  },
];
