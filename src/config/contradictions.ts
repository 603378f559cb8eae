import { usageError } from '../errors.ts';
import type { Settings } from './settings.ts';

interface Contradiction {
  readonly holds: (settings: Settings) => boolean;
  readonly says: (settings: Settings) => string;
  readonly remedy: string;
}

/** Settings of which each is valid, and that cannot go together. */
const CONTRADICTIONS: readonly Contradiction[] = [
  {
    holds: ({ actor, command }) => actor === 'command' && command === undefined,
    says: () => '--actor command needs a command.',
    remedy: 'Give it one: --command "my-agent --stdin"',
  },
  {
    holds: ({ actor, agent }) => actor === 'acp' && agent === undefined,
    says: () => '--actor acp needs an agent.',
    remedy: 'Name it: --agent opencode, or --agent "my-agent --acp"',
  },
  {
    holds: ({ actor, maxCostUsd }) => actor === 'command' && maxCostUsd !== undefined,
    says: () => '--max-cost cannot be kept to: a command does not tell what it costs.',
    remedy: 'Bound its time instead: --max-time 20m',
  },
  {
    holds: ({ actor, selfTests }) => selfTests && actor !== 'react',
    says: ({ actor }) => `--self-tests does not work with --actor ${actor}.`,
    remedy: 'Only the react actor goes on working when its own tests fail: --actor react --model …',
  },
  {
    holds: ({ model }) => model.record !== undefined && model.replay !== undefined,
    says: () => '--record and --replay exclude each other.',
    remedy: 'Choose one.',
  },
];

/** Throws RalphError (exit 2) for settings that contradict each other. */
export function refuseContradictions(settings: Settings): void {
  const found = CONTRADICTIONS.find(({ holds }) => holds(settings));
  if (found !== undefined) throw usageError(found.says(settings), found.remedy);
}
