import { ACTORS, type ActorRow } from '../actors.ts';
import { usageError } from '../errors.ts';
import type { Settings } from './settings.ts';

interface Contradiction {
  readonly holds: (settings: Settings) => boolean;
  readonly says: (settings: Settings) => string;
  readonly remedy: string;
}

/** Settings of which each is valid, and that cannot go together. */
const CONTRADICTIONS: readonly Contradiction[] = [
  ...Object.entries(ACTORS).flatMap(([name, { needs }]: [string, ActorRow]): Contradiction[] =>
    needs === undefined
      ? []
      : [
          {
            holds: (settings) => settings.actor === name && settings[needs.setting] === undefined,
            says: () => needs.problem,
            remedy: needs.remedy,
          },
        ],
  ),
  {
    holds: ({ actor, maxCostUsd }) => !ACTORS[actor].reportsCost && maxCostUsd !== undefined,
    says: ({ actor }) => `--max-cost cannot be enforced: the ${actor} actor reports no cost.`,
    remedy: 'Limit the time instead: --max-time 20m',
  },
  {
    holds: ({ actor, selfTests }) => selfTests && !ACTORS[actor].supportsSelfTests,
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
