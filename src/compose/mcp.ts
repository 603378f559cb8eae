import type { RunEvent } from '../events.ts';
import { serveStdio } from '../mcp/serve.ts';
import type { McpServices } from '../mcp/services.ts';
import { searchStore } from '../memory/search/search-store.ts';
import { LESSON_STATUSES } from '../memory/lessons/kinds.ts';
import { adviceProblem } from '../memory/lessons/advice-problem.ts';
import { missingFiles } from '../memory/lessons/missing-files.ts';
import { withoutGround } from '../prompts/foreign-advice.ts';
import { createLessonStore } from '../memory/lessons/store.ts';
import { readPlaybookText } from '../memory/passes/playbook/store.ts';
import { findLessons } from '../memory/recall/search-lessons.ts';
import { readReflections, type ReflectionRecord } from '../memory/episodes/reflection-files.ts';
import { evaluateOnce } from './evaluate.ts';
import { openProject } from './project.ts';

/** Options of the memory server. */
export interface McpRequest {
  /** Absolute path. */
  readonly repositoryRoot: string;
  readonly version: string;
  /** Turns on `propose_lesson`. */
  readonly allowWrites: boolean;
  /** Turns on `evaluate`. */
  readonly allowEvaluate: boolean;
  /** Called with a sentence for the log. */
  readonly warn: (text: string) => void;
}

/** Serves the repository's memory on standard input and output until the client closes the input or `signal` is aborted. */
export function serveMemory(request: McpRequest & { readonly signal: AbortSignal }): Promise<void> {
  const { warn, signal } = request;
  return serveStdio({ services: openMcpServices(request), onProblem: warn, signal });
}

/** Creates the services of the memory server; files are opened on the first request. */
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
    propose: allowWrites
      ? async (candidate, loop) => {
          const { records } = await readReflections(repositoryRoot, loop);
          const texts = records.flatMap(observedTexts);
          const [missing] = missingFiles(repositoryRoot, candidate);
          if (missing !== undefined)
            return { outcome: 'refused', step: 'ungrounded', reason: `${missing} does not exist.` };
          const failures = records.flatMap(({ reflection }) => reflection.evaluator_output.errors ?? []);
          // A reason that nothing has looked up is left out.
          const text = withoutGround(candidate.text) ?? candidate.text;
          const reason = adviceProblem(repositoryRoot, { ...candidate, text }, failures);
          if (reason !== undefined) return { outcome: 'refused', step: 'ungrounded', reason };
          const [admission] = await lessons.admit([{ ...candidate, text }], { kind: 'texts', texts });
          return admission!;
        }
      : undefined,
    evaluate: allowEvaluate
      ? async (signal, report) => {
          const project = await openProject({ cwd: repositoryRoot, flags: {}, env: process.env });
          const emit = (event: RunEvent): void => {
            if (event.type === 'warning') warn(event.text);
            if (event.type === 'check_finished') report(`${event.check.name}: ${event.check.status}`);
          };
          return (await evaluateOnce(project, { signal, emit })).evaluation;
        }
      : undefined,
  };
}

/** Output of checks and commands in an attempt, without texts of the actor and the reflector. */
function observedTexts({ reflection }: ReflectionRecord): string[] {
  const { results = [], errors = [] } = reflection.evaluator_output;
  const texts = [
    ...results.flatMap(({ tool, stdout, stderr }) => [tool, stdout, stderr]),
    ...errors.flatMap((error) => Object.values(error)),
    ...reflection.actor_output.actions.map(({ command }) => command),
  ];
  return texts.filter((text) => typeof text === 'string');
}
