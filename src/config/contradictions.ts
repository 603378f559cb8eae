import { usageError } from '../errors.ts';
import type { Settings } from './settings.ts';

interface Contradiction {
  readonly applies: (settings: Settings) => boolean;
  readonly message: (settings: Settings) => string;
  readonly hint: string;
}

/** Combinations of settings that are valid alone but not together. */
const CONTRADICTIONS: readonly Contradiction[] = [
  {
    applies: ({ actor, command }) => actor === 'command' && command === undefined,
    message: () => '--actor command needs --command.',
    hint: 'For example: --command "my-agent --stdin"',
  },
  {
    applies: ({ actor, agent }) => actor === 'acp' && agent === undefined,
    message: () => '--actor acp needs --agent.',
    hint: 'For example: --agent opencode, or --agent "my-agent --acp"',
  },
  {
    applies: ({ actor, maxCostUsd }) => actor === 'command' && maxCostUsd !== undefined,
    message: () => '--max-cost cannot be enforced with --actor command: a command reports no cost.',
    hint: 'Limit the time instead: --max-time 20m',
  },
  {
    applies: ({ actor, selfTests }) => selfTests && actor !== 'react',
    message: ({ actor }) => `--self-tests does not work with --actor ${actor}.`,
    hint: 'Only the react actor continues when its own tests fail: --actor react --model …',
  },
  {
    applies: ({ model }) => model.record !== undefined && model.replay !== undefined,
    message: () => '--record and --replay exclude each other.',
    hint: 'Leave one of them out.',
  },
];

/** Throws RalphError (exit 2) for settings that contradict each other. */
export function refuseContradictions(settings: Settings): void {
  const found = CONTRADICTIONS.find(({ applies }) => applies(settings));
  if (found !== undefined) throw usageError(found.message(settings), found.hint);
}
