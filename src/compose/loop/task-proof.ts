import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ACTORS } from '../../actors.ts';
import type { Settings } from '../../config/settings.ts';
import { usageError } from '../../errors.ts';
import type { ProofOptions } from '../../loop/options.ts';
import type { CheckPlan, CriterionPlan, ProjectPlan } from '../../ports/plan.ts';
import type { TaskCriterion } from '../../tasks/task-item.ts';
import { matcherOf } from '../../workspace/globs.ts';
import type { Project } from '../project.ts';

/** What is known about a task besides its text. */
export interface TaskProof {
  /** False for a run without a task text. */
  readonly hasTask: boolean;
  /** The task is one of a list. */
  readonly isListed?: boolean;
  readonly criteria: readonly TaskCriterion[];
}

/** A run without a task text. */
export const NO_TASK: TaskProof = { hasTask: false, criteria: [] };

/** Same as the weight of a check that the user adds. */
const WEIGHT = 0.2;

interface CommandCriterion extends CriterionPlan {
  readonly command: string;
}

/** The plan with a check for each `--accept`. */
export function withAccepted(plan: ProjectPlan, commands: readonly string[]): ProjectPlan {
  return withCommands(
    plan,
    commands.map((command) => ({ command, text: `\`${command}\` succeeds`, source: 'accept' })),
  );
}

/** The project with a check for each criterion of its task that is a command. */
export function withCriteria(project: Project, { criteria }: TaskProof): Project {
  const commands = criteria.flatMap(({ text, command }) =>
    command === undefined ? [] : [{ command, text, source: 'task_file' as const }],
  );
  return { ...project, plan: withCommands(project.plan, commands) };
}

function withCommands(plan: ProjectPlan, commands: readonly CommandCriterion[]): ProjectPlan {
  const names = new Set(plan.checks.map(({ name }) => name));
  const added = commands.map(({ command, text, source }): CheckPlan => {
    const name = freeName(names);
    names.add(name);
    return {
      name,
      kind: 'command',
      tool: 'command',
      cwd: plan.packageDir,
      args: [command],
      setup: [],
      weight: WEIGHT,
      source: source === 'accept' ? '--accept' : 'criterion',
      criterion: { text, source },
    };
  });
  return { ...plan, checks: [...plan.checks, ...added] };
}

/** `accept`, `accept-2`, … */
function freeName(taken: ReadonlySet<string>): string {
  if (!taken.has('accept')) return 'accept';
  for (let number = 2; ; number++) if (!taken.has(`accept-${number}`)) return `accept-${number}`;
}

/** The proof options of a loop. Throws a usage error for a test file that does not exist. */
export function proofOptions({ repository, settings }: Project, task: TaskProof): ProofOptions {
  const given = settings.acceptTests.map((path) => acceptedTests(path, repository));
  const ofTask = task.criteria.flatMap(({ test, text }) =>
    test === undefined
      ? []
      : [
          {
            file: existing(test, `The criterion's test ${test}`, repository.root),
            text,
            source: 'task_file' as const,
          },
        ],
  );
  return {
    hasTask: task.hasTask,
    isListed: task.isListed ?? false,
    stated: task.criteria.flatMap(({ text, command, test }) =>
      command === undefined && test === undefined ? [text] : [],
    ),
    acceptTests: [...given, ...ofTask],
    asks: asksOf(settings),
    applyUnproven: settings.applyUnproven,
    keepTests: settings.keepTests,
    timeMs: settings.proofTimeMs,
    minShare: settings.minProof,
    isAllowed: matcherOf(settings.allow),
  };
}

function asksOf({ actor }: Settings): ProofOptions['asks'] {
  return ACTORS[actor].asks;
}

/** A file of `--accept-tests`: relative to the folder that ralph was started in, or to the root. */
function acceptedTests(
  path: string,
  { root, packageStart }: Project['repository'],
): ProofOptions['acceptTests'][number] {
  const here = relative(root, join(packageStart, path)).split(sep).join('/');
  const file = existsSync(join(root, here)) ? here : existing(path, `--accept-tests ${path}`, root);
  return { file, text: `The tests of ${file} pass`, source: 'accept_tests' };
}

function existing(path: string, option: string, root: string): string {
  const file = relative(root, join(root, path)).split(sep).join('/');
  if (!file.startsWith('../') && existsSync(join(root, file))) return file;
  throw usageError(
    `${option}: the file does not exist in ${root}.`,
    'Write the tests first; they are protected from the first attempt.',
  );
}
