import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WireReply, WireServer } from '../../test/support/wire/index.ts';

/** Configuration of one agent for the model on loopback, and the script of that model. */
export interface AgentSetup {
  /** Writes configuration files to the home folder; returns the environment variables that the agent needs. */
  configure(home: string, server: WireServer): Record<string, string>;
  /** The model's replies, in order; `root` is the absolute path of the workspace. */
  steps(root: string): readonly WireReply[];
}

const MODEL = 'wire-model';
const KEY = 'no-key';
/** The repair, as text to replace and its replacement. */
const BEFORE = 'a - b';
const AFTER = 'a + b';

/** Setups by the agent's name. */
export const SETUPS: Readonly<Record<string, AgentSetup>> = {
  opencode: {
    configure(home, server) {
      const options = { baseURL: server.baseUrl('openai-chat'), apiKey: KEY };
      const model = { name: MODEL, limit: { context: 100_000, output: 8000 }, cost: { input: 1, output: 2 } };
      write(join(home, '.config/opencode/opencode.json'), {
        autoupdate: false,
        share: 'disabled',
        model: `wire/${MODEL}`,
        small_model: `wire/${MODEL}`,
        permission: { edit: 'ask', bash: 'ask' },
        provider: {
          wire: { npm: '@ai-sdk/openai-compatible', name: 'wire', options, models: { [MODEL]: model } },
        },
      });
      return {};
    },
    steps: (root) => [
      call('read', { filePath: `${root}/src/sum.js` }),
      call('edit', { filePath: `${root}/src/sum.js`, oldString: BEFORE, newString: AFTER }),
      call('bash', { command: 'npm test', description: 'Runs the tests' }),
    ],
  },
  qwen: {
    configure(home, server) {
      write(join(home, '.qwen/settings.json'), {
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
      });
      return { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.baseUrl('openai-chat'), OPENAI_MODEL: MODEL };
    },
    steps: (root) => [
      call('read_file', { file_path: `${root}/src/sum.js` }),
      call('edit', { file_path: `${root}/src/sum.js`, old_string: BEFORE, new_string: AFTER }),
      call('run_shell_command', { command: 'npm test', is_background: false }),
    ],
  },
  gemini: {
    configure(home, server) {
      write(join(home, '.gemini/settings.json'), {
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: 'gemini-api-key' } },
      });
      return { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: server.url, GEMINI_MODEL: 'gemini-2.5-flash' };
    },
    steps: (root) => [
      call('read_file', { file_path: `${root}/src/sum.js` }),
      call('replace', {
        file_path: `${root}/src/sum.js`,
        instruction: 'add',
        old_string: BEFORE,
        new_string: AFTER,
      }),
      call('run_shell_command', { command: 'npm test' }),
    ],
  },
  claude: {
    configure: (_home, server) => ({
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: server.url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    steps: (root) => [
      call('Read', { file_path: `${root}/src/sum.js` }),
      call('Edit', { file_path: `${root}/src/sum.js`, old_string: BEFORE, new_string: AFTER }),
      call('Bash', { command: 'npm test', description: 'Runs the tests' }),
    ],
  },
  codex: {
    configure(home, server) {
      const lines = [
        'model = "gpt-5.1-codex"',
        'model_provider = "wire"',
        '[model_providers.wire]',
        'name = "wire"',
        `base_url = "${server.baseUrl('openai-responses')}"`,
        'wire_api = "responses"',
        'env_key = "OPENAI_API_KEY"',
      ];
      write(join(home, '.codex/config.toml'), `${lines.join('\n')}\n`);
      return { OPENAI_API_KEY: KEY, CODEX_HOME: join(home, '.codex') };
    },
    steps: () => [
      call('exec_command', { cmd: 'cat src/sum.js' }),
      call('exec_command', { cmd: `sed -i 's/${BEFORE}/${AFTER}/' src/sum.js` }),
      call('exec_command', { cmd: 'npm test' }),
    ],
  },
  cline: {
    configure(home, server) {
      write(join(home, '.cline/data/settings/providers.json'), {
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: {
              provider: 'openai-compatible',
              apiKey: KEY,
              model: MODEL,
              baseUrl: server.baseUrl('openai-chat'),
            },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      });
      return {};
    },
    steps: (root) => [
      call('read_files', { files: [{ path: `${root}/src/sum.js` }] }),
      call('editor', { path: `${root}/src/sum.js`, old_text: BEFORE, new_text: AFTER }),
      call('run_commands', { commands: ['npm test'] }),
    ],
  },
  pi: {
    configure(home, server) {
      const cost = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 };
      const model = { id: MODEL, name: MODEL, reasoning: false, input: ['text'], cost };
      write(join(home, '.pi/agent/settings.json'), { defaultProvider: 'wire', defaultModel: MODEL });
      write(join(home, '.pi/agent/models.json'), {
        providers: {
          wire: {
            baseUrl: server.baseUrl('openai-chat'),
            api: 'openai-completions',
            apiKey: KEY,
            models: [{ ...model, contextWindow: 100_000, maxTokens: 8000 }],
          },
        },
      });
      return {};
    },
    steps: () => [
      call('read', { path: 'src/sum.js' }),
      call('edit', { path: 'src/sum.js', edits: [{ oldText: BEFORE, newText: AFTER }] }),
      call('bash', { command: 'npm test' }),
    ],
  },
};

/** A reply that calls one tool. */
function call(name: string, input: object): WireReply {
  return { text: `I call ${name}.`, toolCalls: [{ name, input }] };
}

function write(file: string, content: object | string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}
