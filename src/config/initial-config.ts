import type { Config } from '../schema/generated.ts';

/** The file that `ralph init` writes. Of the formats that the loader reads, `.mjs` allows comments in every package. */
export const INITIAL_CONFIG_NAME = 'ralph.config.mjs';

/** Settings that `ralph init` can set; the file shows more as comments. */
export type InitialSettings = Pick<Config, 'model' | 'agent' | 'command' | 'maxCost' | 'maxTime'>;

interface ConfigLine {
  readonly key: keyof Config;
  readonly comment: string;
  /** Commented-out value if the setting is not set. */
  readonly example: unknown;
}

const LINES: readonly ConfigLine[] = [
  {
    key: 'model',
    comment:
      'Model that edits, as provider/model; its key comes from the environment. Without model, agent and command: the offline search.',
    example: 'anthropic/claude-sonnet-4-5',
  },
  {
    key: 'agent',
    comment: 'Agent that edits: the name of a known agent, or a command line.',
    example: 'opencode',
  },
  {
    key: 'command',
    comment: 'Program that edits; it reads the prompt from standard input.',
    example: 'my-agent --stdin',
  },
  { key: 'maxIterations', comment: 'Maximum number of attempts.', example: 5 },
  { key: 'maxTime', comment: 'Maximum duration of the loop.', example: '30m' },
  { key: 'maxCost', comment: 'Maximum cost of model calls, in USD.', example: 2 },
  {
    key: 'checks',
    comment: 'Additional checks, or replacements for the detected ones (ralph doctor shows them).',
    example: { types: 'npx tsc --noEmit' },
  },
  {
    key: 'protect',
    comment: 'Additional files that no attempt may change; they are restored before the checks run.',
    example: ['snapshots/**'],
  },
  { key: 'allow', comment: 'Protected files that a task may change.', example: ['test/fixtures/**'] },
  { key: 'sandbox', comment: 'Confine commands and checks: auto, strict or off.', example: 'strict' },
];

/** A commented configuration with these settings, and common others commented out. */
export function renderInitialConfig(settings: InitialSettings): string {
  const lines = LINES.flatMap(({ key, comment, example }) => {
    const value = (settings as Config)[key];
    const line = `${key}: ${renderLiteral(value ?? example)},`;
    return [`  // ${comment}`, value === undefined ? `  // ${line}` : `  ${line}`, ''];
  });
  return [
    '// Settings of ralph for this repository. RALPH_* variables override this file, and flags override both.',
    '// All settings with their values: ralph config show',
    '',
    "/** @type {import('ralph-reflexion').Config} */",
    'export default {',
    ...lines.slice(0, -1),
    '};',
    '',
  ].join('\n');
}

/** A JavaScript literal with single quotes. */
function renderLiteral(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(renderLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key}: ${renderLiteral(inner)}`)
    .join(', ')} }`;
}
