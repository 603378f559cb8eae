import type { Config } from '../schema/generated.ts';

/** The file that `ralph init` writes: of those that the loader reads, one that can hold comments in every package. */
export const FRESH_CONFIG_NAME = 'ralph.config.mjs';

/** What a fresh configuration says; the rest of its lines are commented out. */
export type FreshSettings = Pick<Config, 'model' | 'agent' | 'command' | 'maxCost' | 'maxTime'>;

interface Line {
  readonly key: keyof Config;
  readonly comment: string;
  /** Shown commented out where nothing was chosen. */
  readonly example: unknown;
}

const LINES: readonly Line[] = [
  {
    key: 'model',
    comment:
      'A model edits, as provider/model; its key comes from the environment. With none of these three: the offline search.',
    example: 'anthropic/claude-sonnet-4-5',
  },
  {
    key: 'agent',
    comment: 'An agent edits: a name that ralph knows, or a command line.',
    example: 'opencode',
  },
  {
    key: 'command',
    comment: 'A program edits: it gets the prompt on standard input.',
    example: 'my-agent --stdin',
  },
  { key: 'maxIterations', comment: 'Attempts at most.', example: 5 },
  { key: 'maxTime', comment: 'The loop ends after this time.', example: '30m' },
  { key: 'maxCost', comment: 'The loop ends before its model calls cost more, in USD.', example: 2 },
  {
    key: 'checks',
    comment: 'More checks, or others than those that were found (ralph doctor shows them).',
    example: { types: 'npx tsc --noEmit' },
  },
  {
    key: 'protect',
    comment: 'More files that no attempt may change: they are put back before anything is scored.',
    example: ['snapshots/**'],
  },
  { key: 'allow', comment: 'Protected files that a task may change.', example: ['test/fixtures/**'] },
  { key: 'sandbox', comment: 'Confine commands and checks: auto, strict or off.', example: 'strict' },
];

/** A commented configuration with these settings, the usual ones beside them commented out. */
export function renderFreshConfig(settings: FreshSettings): string {
  const lines = LINES.flatMap(({ key, comment, example }) => {
    const value = (settings as Config)[key];
    const line = `${key}: ${literal(value ?? example)},`;
    return [`  // ${comment}`, value === undefined ? `  // ${line}` : `  ${line}`, ''];
  });
  return [
    '// Settings of ralph for this repository: flags win over RALPH_* variables, those over this file.',
    '// Every key with its value here: ralph config show',
    '',
    "/** @type {import('ralph-reflexion').Config} */",
    'export default {',
    ...lines.slice(0, -1),
    '};',
    '',
  ].join('\n');
}

/** As JavaScript, in single quotes. */
function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key}: ${literal(inner)}`)
    .join(', ')} }`;
}
