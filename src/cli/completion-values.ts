import { readFileSync } from 'node:fs';
import { AGENT_NAMES } from '../compose/known-agents.ts';
import { LESSON_STATUSES, LESSON_SUBJECTS, LESSON_TYPES } from '../memory/lessons/kinds.ts';
import { listLoops } from '../state/loops.ts';
import { findRepositoryRoot } from '../platform/repository-root.ts';
import type { Candidate, Values } from './complete.ts';
import { packageFile } from '../platform/package-files.ts';

/** Option → values that a schema lists, by the pointer to them. */
const LISTED: Readonly<Record<string, readonly [schema: string, ...path: string[]]>> = {
  category: [
    'reflection',
    ...[
      '$defs',
      'SelfReflection',
      'properties',
      'credit_assignment',
      'properties',
      'failure_category',
      'enum',
    ],
  ],
};

const LESSON_VALUES: Readonly<Record<string, readonly string[]>> = {
  type: LESSON_TYPES,
  subject: LESSON_SUBJECTS,
  status: [...LESSON_STATUSES, 'all'],
};

/** Loop ids, categories, agents, and every setting whose values the configuration's schema lists. */
export function createValues(cwd: string): Values {
  return {
    async of(name, option, command) {
      if (name === 'loop-id' || option === 'loop') return loopIds(cwd);
      if (option === 'agent') return plainly(AGENT_NAMES);
      if (option === 'category') return plainly(listedIn(...LISTED.category!));
      if (option === 'omega') return plainly(['auto']);
      if (
        option !== undefined &&
        ['lessons', 'list', 'search', 'add'].includes(command) &&
        option in LESSON_VALUES
      )
        return plainly(LESSON_VALUES[option]!);
      if (name === 'shell') return plainly(['bash', 'zsh', 'fish']);
      const setting = option === undefined ? [] : listedIn('config', 'properties', option, 'enum');
      return setting.length > 0 ? plainly(setting) : undefined;
    },
  };
}

async function loopIds(cwd: string): Promise<readonly Candidate[]> {
  try {
    const { loops } = await listLoops(findRepositoryRoot(cwd));
    return loops.map(({ loop_id: value, status, task }) => ({
      value,
      description: `${status}: ${task.split('\n', 1)[0]!.slice(0, 60)}`,
    }));
  } catch {
    // No repository: a shell has nobody to tell.
    return [];
  }
}

function listedIn(schema: string, ...path: string[]): readonly string[] {
  const file = packageFile('schemas', `${schema}.schema.json`);
  const value = path.reduce<unknown>(
    (inner, key) => (inner as Readonly<Record<string, unknown>> | undefined)?.[key],
    JSON.parse(readFileSync(file, 'utf8')),
  );
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function plainly(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, description: '' }));
}
