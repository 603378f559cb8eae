import type { RunEvent } from '../events.ts';
import { serveStdio } from '../mcp/serve.ts';
import type { McpServices } from '../mcp/services.ts';
import { searchStore } from '../memory/search/search-store.ts';
import { LESSON_STATUSES } from '../memory/lessons/kinds.ts';
import { createLessonStore } from '../memory/lessons/store.ts';
import { readPlaybookText } from '../memory/passes/playbook/store.ts';
import { findLessons } from '../memory/recall/search-lessons.ts';
import { readReflections, type ReflectionRecord } from '../memory/episodes/reflection-files.ts';
import { evaluateOnce } from './evaluate.ts';
import { openProject } from './project.ts';

export interface McpRequest {
  /** Absolute path. */
  readonly repositoryRoot: string;
  readonly version: string;
  /** Lessons may be proposed. */
  readonly allowWrites: boolean;
  /** The repository's checks may be run. */
  readonly allowEvaluate: boolean;
  readonly warn: (text: string) => void;
}

/** Serves the repository's memory on standard input and output until the client closes its side, or `signal` is aborted. */
export function serveMemory(request: McpRequest & { readonly signal: AbortSignal }): Promise<void> {
  const { warn, signal } = request;
  return serveStdio({ services: openMcpServices(request), onProblem: warn, signal });
}

/** What the memory server works with. Nothing is opened before it is asked for. */
export function openMcpServices(request: McpRequest): McpServices {
  const { repositoryRoot, version, allowWrites, allowEvaluate, warn } = request;
  const lessons = createLessonStore({ repositoryRoot, onDamaged: warn });
  return {
    version,
    searchReflections: (query) => searchStore(repositoryRoot, query),
    async readReflection(loop, number) {
      const { records } = await readReflections(repositoryRoot, loop);
      return records.find((record) => record.number === number)?.reflection;
    },
    lessons: async (query) => findLessons(await lessons.list(LESSON_STATUSES), query),
    playbook: async () => readPlaybookText(repositoryRoot, await lessons.list(LESSON_STATUSES)),
    ...(allowWrites && {
      async propose(candidate, loop) {
        const { records } = await readReflections(repositoryRoot, loop);
        const [admission] = await lessons.admit([candidate], {
          kind: 'texts',
          texts: records.flatMap(seenIn),
        });
        return admission!;
      },
    }),
    ...(allowEvaluate && {
      async evaluate(signal, tell) {
        const project = await openProject({ cwd: repositoryRoot, flags: {}, env: process.env });
        const emit = (event: RunEvent): void => {
          if (event.type === 'warning') warn(event.text);
          if (event.type === 'check_finished') tell(`${event.check.name}: ${event.check.status}`);
          if (event.type === 'evaluation_started') tell('All green: everything once more, without caches.');
        };
        return evaluateOnce(project, { signal, emit });
      },
    }),
  };
}

/** What checks and commands said in an attempt: not what the actor or the reflector wrote of it. */
function seenIn({ reflection }: ReflectionRecord): string[] {
  const { results = [], errors = [] } = reflection.evaluator_output;
  const said = [
    ...results.flatMap(({ tool, stdout, stderr }) => [tool, stdout, stderr]),
    ...errors.flatMap((error) => Object.values(error)),
    ...reflection.actor_output.actions.map(({ command }) => command),
  ];
  return said.filter((text) => typeof text === 'string');
}
