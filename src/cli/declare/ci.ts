import { Option, type Command } from 'commander';
import type { CiVerifyOptions } from '../commands/ci-verify.ts';
import { usageError } from '../../errors.ts';
import { addOutput, addSettings, collectText } from '../options.ts';

/** `ralph ci plan|fix|verify|publish`: four steps for four CI jobs with different permissions. */
export function declareCi(program: Command): void {
  const ci = program
    .command('ci')
    .summary('repair failing branches in CI: plan, fix, verify, publish')
    .description(
      'Repair a failing branch in four CI jobs: plan decides whether to try and claims the try, fix runs the loop without secrets of the repository, verify judges the patch again on another machine, publish pushes it and opens the pull request.',
    );
  const plan = ci
    .command('plan')
    .description('Decide what to do for the event of this CI run, or for --branch, and claim the try.')
    .option('--output <dir>', 'folder for plan.json and the memory of earlier tries', 'ralph-plan')
    .option('--branch <name>', 'the failing branch, if the run has no event that names it')
    .option('--task <text>', 'the task (default: make every failing check pass)')
    .option('--try-id <id>', 'id of this try (default: from GITHUB_RUN_ID and GITHUB_RUN_ATTEMPT)')
    .addOption(positive('--max-tries <n>', 'maximum number of tries for one commit (default: 3)', 'integer'))
    .addOption(positive('--max-cost <usd>', 'maximum cost of one try', 'number'))
    .addOption(
      positive('--max-cost-per-day <usd>', 'start no try that could exceed this cost in a day', 'number'),
    )
    .addOption(
      positive('--max-cost-per-month <usd>', 'start no try that could exceed this cost in a month', 'number'),
    )
    .option('--lock-timeout <duration>', 'a try that runs longer counts as dead (default: 2h)');
  addLabels(addBranches(plan)).action(async (options) =>
    (await import('../commands/ci-plan.ts')).ciPlanCommand(options),
  );
  const fix = ci
    .command('fix')
    .description('Run the loop on the commit of a plan; write verdict, patch and reflections to a folder.')
    .option('--plan <dir>', 'folder that ralph ci plan wrote', 'ralph-plan')
    .option('--output <dir>', 'folder that ralph ci publish reads', 'ralph-fix');
  addOutput(addSettings(fix)).action(async (options) =>
    (await import('../commands/ci-fix.ts')).ciFixCommand(options),
  );
  const install = ci
    .command('install <command>')
    .description(
      'Run the command that installs packages in the sandbox, with the network and without secrets.',
    )
    .option('--plan <dir>', 'folder that ralph ci plan wrote: use the scripts of its default branch');
  addSettings(install, INSTALL_SETTINGS).action(async (command: string, options) =>
    (await import('../commands/ci-install.ts')).ciInstallCommand(command, { ...options }),
  );
  const verify = ci
    .command('verify')
    .description(
      'Judge the patch of a fix again, in a fresh checkout of the plan; print the tree that passed.',
    )
    .option('--plan <dir>', 'folder that ralph ci plan wrote', 'ralph-plan')
    .option('--from <dir>', 'folder that ralph ci fix wrote', 'ralph-fix');
  addSettings(verify, VERIFY_SETTINGS).action(async (options) =>
    (await import('../commands/ci-verify.ts')).ciVerifyCommand(options as CiVerifyOptions),
  );
  const publish = ci
    .command('publish')
    .description('Push a verified fix to its branch and open or update its pull request.')
    .option('--from <dir>', 'folder that ralph ci fix wrote', 'ralph-fix')
    .requiredOption('--try-id <id>', 'the try that ralph ci plan claimed')
    .option('--tree <id>', 'tree that ralph ci verify confirmed; without it nothing is pushed')
    .option('--why <text>', 'why ralph ci verify confirmed none: its output why, for the comment')
    .option('--allow <glob>', 'protected files that a fix may change; repeatable', collectText)
    .option('--no-pull-request', 'push the branch without opening a pull request')
    .option('--draft', 'open the pull request as a draft')
    .option('--title <text>', 'title of pull request and commit (default: ralph: fix {branch})')
    .option('--add-label <name>', 'label of the pull request; repeatable', collectText)
    .option('--reviewer <name>', 'user or org/team to ask for a review; repeatable', collectText)
    .option('--author <name>', 'author of the commit, as "name <address>"')
    .option('--sign', 'let GitHub make the commit, which signs it for tokens of Actions and of Apps')
    .option(
      '--push-option <text>',
      'push option for the server, such as merge_request.create; repeatable',
      collectText,
    );
  addLabels(addBranches(publish)).action(async (options) =>
    (await import('../commands/ci-publish.ts')).ciPublishCommand(options),
  );
}

/** Settings of checks and of the sandbox; there is no actor. */
const VERIFY_SETTINGS = [
  ...[
    'checks',
    'skip',
    'packages',
    'weights',
    'protect',
    'allow',
    'holdout',
    'noRegressions',
    'checkTimeout',
  ],
  ...[
    'sandbox',
    'sandboxEngine',
    'allowNetwork',
    'passEnv',
    'sandboxRead',
    'sandboxWrite',
    'limits',
    'carry',
  ],
];

const INSTALL_SETTINGS = ['sandbox', 'sandboxEngine', 'passEnv', 'sandboxRead', 'sandboxWrite', 'limits'];

function addBranches(command: Command): Command {
  return command
    .option('--remote <url>', 'repository to push to (default: GITHUB_REPOSITORY, or the remote origin)')
    .option('--branch-prefix <text>', 'prefix of the branches with fixes (default: ralph/fix-)')
    .option('--memory-branch <name>', 'branch with the ledger and the reflections (default: ralph/memory)');
}

function addLabels(command: Command): Command {
  return command
    .option('--label <name>', 'label that requests a fix (default: ralph)')
    .option('--opt-out-label <name>', 'label that prevents tries (default: no-ralph)');
}

function positive(flag: string, description: string, kind: 'integer' | 'number'): Option {
  return new Option(flag, description).argParser((text: string) => {
    const value = Number(text);
    const isPositive = text.trim() !== '' && Number.isFinite(value) && value > 0;
    if (isPositive && (kind === 'number' || Number.isSafeInteger(value))) return value;
    throw usageError(
      `${flag.split(' ')[0]!} ${JSON.stringify(text)} is not a ${kind === 'integer' ? 'whole number' : 'number'} above 0.`,
    );
  });
}
