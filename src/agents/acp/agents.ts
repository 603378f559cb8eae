/** Program and arguments, without a shell. */
export interface ProgramCall {
  readonly file: string;
  readonly args: readonly string[];
}

/** The output format of an agent's headless mode: one JSON value per line. */
export type HeadlessFormat = 'claude' | 'codex' | 'pi';

/** A coding agent that `--agent` accepts by name. */
export interface KnownAgent {
  readonly name: string;
  /** Programs that speak the Agent Client Protocol on stdin and stdout; the first installed one is used. */
  readonly protocol: readonly ProgramCall[];
  /** The program in its headless mode, which reads the prompt on stdin; used if no protocol program is installed. */
  readonly headless?: ProgramCall & { readonly format: HeadlessFormat };
  /** The command that installs the agent. */
  readonly install: string;
}

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
