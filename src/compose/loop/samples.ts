import { createBench } from '../../checks/bench.ts';
import type { SamplePlace } from '../../loop/samples/sampled-actor.ts';
import { openLoopActor } from './loop-actor.ts';
import type { LoopRequest } from './loop-request.ts';
import type { Models } from '../models.ts';
import { openWorkbench } from '../workbench.ts';

/** Loops that run at the same time have slots below this number. */
const SLOTS = 1000;

/** The workspaces of the further actors of --samples. */
export interface SamplePlaces {
  readonly places: readonly SamplePlace[];
  close(): Promise<void>;
}

/** Opens a workspace with the loop's base, and an actor, for each sample but the first. Throws RalphError. */
export async function openSamplePlaces(
  { project, loopId, siblings }: LoopRequest,
  base: string,
  models: Models,
): Promise<SamplePlaces> {
  const { settings } = project;
  const places: SamplePlace[] = [];
  const close = async (): Promise<void> => {
    for (const { workspace } of places.splice(0)) await workspace.close();
  };
  try {
    for (let number = 2; number <= settings.samples; number++) {
      const slot = (siblings?.slot ?? 1) + SLOTS * (number - 1);
      const request = { loopId, base, hasActor: true, slot, removeStaleLocks: false };
      const { workspace, suite } = await openWorkbench(project, request);
      const client = models.samples[number - 2];
      const actor = await openLoopActor({ project }, workspace, { ...models, actor: client });
      const bench = createBench({ ...suite, root: workspace.root });
      places.push({ actor, workspace, bench, sandbox: suite.sandbox });
    }
    return { places, close };
  } catch (error) {
    await close();
    throw error;
  }
}
