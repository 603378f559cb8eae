import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Actor, Reflector } from '../../../src/ports.ts';
import type { Trajectory } from '../../../src/schema/generated.ts';
import { NO_USAGE } from '../../../src/schema/usage.ts';
import { reflectByRules } from '../../../src/agents/reflectors/rules.ts';
import type { LoggedProblem } from './log.ts';
import { programOf, SOLUTION_FILE } from './program.ts';

/** An actor whose attempt N writes the log's answer N. An answer that the log does not have leaves the program as it is. */
export function createLogActor(problem: LoggedProblem): Actor {
  return {
    name: 'log',
    async attempt({ iteration, root }) {
      const answer = problem.attempts[iteration - 1];
      if (answer !== undefined) await writeFile(join(root, SOLUTION_FILE), programOf(problem, answer));
      return trajectoryOf(answer);
    },
  };
}

function trajectoryOf(answer: string | undefined): Trajectory {
  const isStored = answer !== undefined;
  const message = isStored ? 'The answer of the log.' : 'The log does not have the answer of this attempt.';
  return {
    actor: 'log',
    actions: isStored ? [{ type: 'code_modification', description: message, file_path: SOLUTION_FILE }] : [],
    rationale: message,
    strategy: 'replay of a log',
    outcome: isStored ? 'claimed_done' : 'gave_up',
    message,
    usage: NO_USAGE,
    ruled_out: { tried: 0, edits: [] },
    duration_ms: 0,
  };
}

/** A reflector whose reflection on attempt N is the log's reflection N; the rest of the record is written by rules. */
export function createLogReflector({ reflections }: LoggedProblem): Reflector {
  return {
    async reflect(input) {
      const byRules = reflectByRules(input);
      const text = reflections[input.iteration - 1];
      const isStored = text !== undefined && text.trim() !== '';
      const reflection = isStored ? { ...byRules, reflection_text: text.slice(0, 8000) } : byRules;
      return { reflection, reflector: { name: isStored ? 'log' : 'rules', fallback: !isStored } };
    },
  };
}
