import { ACTORS, type ActorRow } from '../actors.ts';
import { usageError } from '../errors.ts';
import type { Settings } from './settings.ts';

interface Contradiction {
  readonly applies: (settings: Settings) => boolean;
  readonly message: (settings: Settings) => string;
  readonly hint: string;
}

/** Combinations of settings that are valid alone but not together. */
const CONTRADICTIONS: readonly Contradiction[] = [
  ...Object.entries(ACTORS).flatMap(([name, { needs }]: [string, ActorRow]): Contradiction[] =>
    needs === undefined
      ? []
      : [
          {
            applies: (settings) => settings.actor === name && settings[needs.setting] === undefined,
            message: () => needs.problem,
            hint: needs.remedy,
          },
        ],
  ),
  {
    applies: ({ actor, maxCostUsd }) => !ACTORS[actor].reportsCost && maxCostUsd !== undefined,
    message: ({ actor }) =>
      `--max-cost cannot be enforced with --actor ${actor}: the ${actor} actor reports no cost.`,
    hint: 'Limit the time instead: --max-time 20m',
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
