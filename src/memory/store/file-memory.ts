import { readReflections } from '../episodes/reflection-files.ts';
import { reflectionFiles } from '../exchange/import.ts';
import { createLessonFiles } from '../lessons/lesson-files.ts';
import { changeInsights, readInsights } from '../passes/insights/store.ts';
import { readPlaybook, writePlaybook } from '../passes/playbook/store.ts';
import { readRepairs, rememberRepairs } from '../recall/repairs.ts';
import { timeOf } from '../search/search.ts';
import { searchStore } from '../search/search-store.ts';
import { repairKey, type RepositoryMemory } from './contract.ts';

/** The memory in the files of a repository, whose root is an absolute path. Rejects with RalphError where the disk refuses. */
export function createFileMemory(repositoryRoot: string): RepositoryMemory {
  return {
    lessons: createLessonFiles({ repositoryRoot }),
    reflections: {
      ...reflectionFiles(repositoryRoot),
      async newest(most) {
        const { records } = await readReflections(repositoryRoot);
        const reflections = records.map(({ reflection }) => reflection);
        return reflections.sort((a, b) => timeOf(b) - timeOf(a)).slice(0, most);
      },
      search: async (query) => (await searchStore(repositoryRoot, query)).matches,
    },
    insights: {
      read: () => readInsights(repositoryRoot),
      async change(act) {
        let isReplaced = false;
        await changeInsights(repositoryRoot, (now) => {
          const next = act(now);
          isReplaced = next !== undefined;
          return next ?? now;
        });
        return isReplaced;
      },
    },
    playbook: {
      read: () => readPlaybook(repositoryRoot),
      async change(act) {
        const next = act(await readPlaybook(repositoryRoot));
        if (next !== undefined) await writePlaybook(repositoryRoot, next);
        return next !== undefined;
      },
    },
    repairs: {
      read: () => readRepairs(repositoryRoot),
      async add(repairs) {
        const known = new Set((await readRepairs(repositoryRoot)).map(repairKey));
        const fresh = repairs.filter((repair) => !known.has(repairKey(repair)));
        await rememberRepairs(repositoryRoot, fresh);
        return fresh.length;
      },
    },
  };
}
