import type { RunStore } from '../../ports.ts';
import type { LoopReplica } from './loop-request.ts';

/** A run store whose steps and states count only when they are in the replica too. */
export function replicatedStore(store: RunStore, replica: LoopReplica): RunStore {
  return {
    loopId: store.loopId,
    get finishedSteps() {
      return store.finishedSteps;
    },
    has: (name) => store.has(name),
    async step(name, run, options) {
      let isNew = false;
      const result = await store.step(
        name,
        () => {
          isNew = true;
          return run();
        },
        options,
      );
      if (isNew) await replica.save();
      return result;
    },
    attach: (path, text) => store.attach(path, text),
    async saveState(state) {
      await store.saveState(state);
      await replica.save();
    },
  };
}
