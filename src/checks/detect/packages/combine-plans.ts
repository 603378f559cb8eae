import { shellCommand } from '../../../platform/processes/shell-words.ts';
import type { CheckPlan, CommandPlan, ProjectPlan } from '../../../ports/plan.ts';

/**
 * One plan for several packages of a workspace. The checks of the package at `packageDir` keep their names; those of another
 * begin with its folder, as in `packages/web:tests`. A check that several packages share is run once.
 */
export function combinePlans(packageDir: string, plans: readonly ProjectPlan[]): ProjectPlan {
  const checks = plans.flatMap((plan) =>
    plan.packageDir === packageDir
      ? plan.checks
      : plan.checks.map((check) => ({ ...check, name: `${plan.packageDir}:${check.name}` })),
  );
  const commands = plans.flatMap((plan) => {
    const { testCommand, packageDir: folder } = plan;
    if (testCommand === undefined || folder === packageDir) return testCommand ?? [];
    const steps = testCommand.steps?.map(({ check, ...step }) =>
      check === undefined ? step : { ...step, check: `${folder}:${check}` },
    );
    return { ...testCommand, steps };
  });
  return {
    ...plans[0]!,
    packageDir,
    checks: uniqueBy(checks, sameRun),
    testCommand: joined(uniqueBy(commands, ({ command, cwd }) => `${cwd} ${command}`)),
    notes: plans.flatMap((plan) => (plan.packageDir === packageDir ? plan.notes : [noteOf(plan)])),
    offers: plans.flatMap(({ offers = [] }) => offers),
    carry: [...new Set(plans.flatMap(({ carry = [] }) => carry))],
  };
}

function noteOf({ packageDir, checks }: ProjectPlan): string {
  return `Package ${packageDir}: ${checks.map(({ name, tool }) => `${name} by ${tool}`).join(', ')}.`;
}

function sameRun({ kind, tool, cwd, bin, args, env, config }: CheckPlan): string {
  return JSON.stringify([kind, tool, cwd, bin, args, env, config]);
}

/** The first item of each key. */
function uniqueBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const keys = items.map(keyOf);
  return items.filter((_, index) => keys.indexOf(keys[index]!) === index);
}

/** The test commands one after the other, each in its folder after its set-up. */
function joined(commands: readonly CommandPlan[]): CommandPlan | undefined {
  if (commands.length < 2) return commands[0];
  const lines = commands.map(({ command, cwd, setup = [] }) => {
    const enter = cwd === '.' ? [] : [shellCommand(['cd', cwd])];
    return `(${[...enter, ...setup, command].join(' && ')})`;
  });
  const isKnown = commands.every(({ steps }) => steps !== undefined);
  const steps = commands.flatMap(({ cwd, setup = [], steps: own = [] }) => [
    ...setup.map((command) => ({ command, cwd, isSetup: true })),
    ...own,
  ]);
  return { command: lines.join(' && '), cwd: '.', ...(isKnown ? { steps } : {}) };
}
