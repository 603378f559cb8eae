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
    applies: ({ actor, propose }) => propose && ACTORS[actor].asks !== 'model',
    message: ({ actor }) => `--propose needs a model, and --actor ${actor} asks none.`,
    hint: 'Name one: --model anthropic/…, or leave --propose out.',
  },
  {
    applies: ({ actor, samples }) => samples > 1 && ACTORS[actor].asks === 'nobody',
    message: ({ samples }) =>
      `--samples ${samples} needs a model, an agent or a command: the search has one result.`,
    hint: 'Leave it out, or name a model: --model anthropic/…',
  },
  {
    applies: ({ isolation, samples }) => samples > 1 && isolation === 'in-place',
    message: ({ samples }) =>
      `--samples ${samples} needs a workspace for each actor, and --isolation in-place has none.`,
    hint: 'Leave --isolation in-place out.',
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
