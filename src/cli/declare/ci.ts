import { Option, type Command } from 'commander';
import { usageError } from '../../errors.ts';
import { addOutput, addSettings, collectText } from '../options.ts';

/** `ralph ci plan|fix|publish`: three steps for three CI jobs with different permissions. */
export function declareCi(program: Command): void {
  const ci = program
    .command('ci')
    .summary('repair failing branches in CI: plan, fix, publish')
    .description(
      'Repair a failing branch in three CI jobs: plan decides whether to try and claims the try, fix runs the loop without secrets of the repository, publish pushes a verified patch and opens the pull request.',
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
  const publish = ci
    .command('publish')
    .description('Push a verified fix to its branch and open or update its pull request.')
    .option('--from <dir>', 'folder that ralph ci fix wrote', 'ralph-fix')
    .requiredOption('--try-id <id>', 'the try that ralph ci plan claimed')
    .option('--allow <glob>', 'protected files that a fix may change; repeatable', collectText)
    .option('--no-pull-request', 'push the branch without opening a pull request')
    .option('--draft', 'open the pull request as a draft')
    .option(
      '--push-option <text>',
      'push option for the server, such as merge_request.create; repeatable',
      collectText,
    );
  addLabels(addBranches(publish)).action(async (options) =>
    (await import('../commands/ci-publish.ts')).ciPublishCommand(options),
  );
}

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
