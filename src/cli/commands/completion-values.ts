import { readFileSync } from 'node:fs';
import { AGENT_NAMES } from '../../compose/known-agents.ts';
import { LESSON_STATUSES, LESSON_SUBJECTS, LESSON_TYPES } from '../../memory/lessons/kinds.ts';
import { packageFile } from '../../platform/package-files.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { listLoops } from '../../state/loops.ts';
import type { Candidate, CompletionValues } from './completion-candidates.ts';

/** JSON path to the failure categories in the schema of reflections. */
const CATEGORY_PATH = [
  '$defs',
  'SelfReflection',
  'properties',
  'credit_assignment',
  'properties',
  'failure_category',
  'enum',
];

/** Subcommands of `ralph lessons` with the options below. */
const LESSON_COMMANDS = ['lessons', 'list', 'search', 'add'];
const LESSON_VALUES: Readonly<Record<string, readonly string[]>> = {
  type: LESSON_TYPES,
  subject: LESSON_SUBJECTS,
  status: [...LESSON_STATUSES, 'all'],
};

/** Completes loop ids, categories, agents, and every setting for which the configuration's schema has an enum. */
export function createCompletionValues(cwd: string): CompletionValues {
  return {
    async list(placeholder, option, command) {
      if (placeholder === 'loop-id' || option === 'loop') return loopCandidates(cwd);
      if (option === 'agent') return toCandidates(AGENT_NAMES);
      if (option === 'category') return toCandidates(readEnum('reflection', CATEGORY_PATH));
      if (option === 'omega') return toCandidates(['auto']);
      if (option !== undefined && LESSON_COMMANDS.includes(command) && option in LESSON_VALUES)
        return toCandidates(LESSON_VALUES[option]!);
      if (placeholder === 'shell') return toCandidates(['bash', 'zsh', 'fish']);
      const values = option === undefined ? [] : readEnum('config', ['properties', option, 'enum']);
      return values.length > 0 ? toCandidates(values) : undefined;
    },
  };
}

async function loopCandidates(cwd: string): Promise<readonly Candidate[]> {
  try {
    const { loops } = await listLoops(findRepositoryRoot(cwd));
    return loops.map(({ loop_id: value, status, task }) => ({
      value,
      description: `${status}: ${task.split('\n', 1)[0]!.slice(0, 60)}`,
    }));
  } catch {
    // Outside a repository there are no loops; an error message would disturb the prompt of the shell.
    return [];
  }
}

function readEnum(schema: string, path: readonly string[]): readonly string[] {
  const file = packageFile('schemas', `${schema}.schema.json`);
  const value = path.reduce<unknown>(
    (inner, key) => (inner as Readonly<Record<string, unknown>> | undefined)?.[key],
    JSON.parse(readFileSync(file, 'utf8')),
  );
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function toCandidates(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, description: '' }));
}
