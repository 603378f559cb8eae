import { Option, type Command } from 'commander';
import { usageError } from '../errors.ts';
import { addOutput, addSettings } from './options.ts';

/** `ralph ci`: what a CI job does with a branch that fails, in three steps with different rights. */
export function addCiCommand(program: Command): void {
  const ci = program
    .command('ci')
    .summary('mend failing branches in CI: plan, fix, publish')
    .description(
      'Three steps for three jobs: plan decides and claims the try, fix runs without secrets of the repository, publish pushes a verified patch and opens the pull request.',
    );
  const plan = ci
    .command('plan')
    .description('Decide what to do for the event of this run, or for --branch, and claim the try.')
    .option('--output <dir>', 'folder for plan.json and the memory of earlier tries', 'ralph-plan')
    .option('--branch <name>', 'the branch that fails, where there is no event')
    .option('--task <text>', 'what to do there; default: make every failing check pass')
    .option('--try-id <id>', 'of this try (GITHUB_RUN_ID and GITHUB_RUN_ATTEMPT)')
    .addOption(positive('--max-tries <n>', 'tries at one commit at most (3)', 'integer'))
    .addOption(positive('--max-cost <usd>', 'what one try may cost', 'number'))
    .addOption(
      positive('--max-cost-per-day <usd>', 'no try that could cost more than this in a day', 'number'),
    )
    .addOption(positive('--max-cost-per-month <usd>', 'the same for a month', 'number'))
    .option('--lock-timeout <duration>', 'a try that has not ended by then has died (2h)');
  addLabels(addPlace(plan)).action(async (options) =>
    (await import('./commands/ci-plan.ts')).ciPlanCommand(options),
  );
  const fix = ci
    .command('fix')
    .description('Run the loop on the commit of a plan; leave verdict, patch and reflections in a folder.')
    .option('--plan <dir>', 'folder that ralph ci plan wrote', 'ralph-plan')
    .option('--output <dir>', 'folder for what ralph ci publish takes', 'ralph-fix');
  addOutput(addSettings(fix)).action(async (options) =>
    (await import('./commands/ci-fix.ts')).ciFixCommand(options),
  );
  const publish = ci
    .command('publish')
    .description('Push a verified fix to its branch and open or update the one pull request.')
    .option('--from <dir>', 'folder that ralph ci fix wrote', 'ralph-fix')
    .requiredOption('--try-id <id>', 'the try that ralph ci plan claimed')
    .option('--allow <glob>', 'protected files that a fix may change; repeatable', collect)
    .option('--no-pull-request', 'push the branch alone')
    .option('--draft', 'open the pull request as a draft')
    .option('--push-option <text>', 'for the server, such as merge_request.create; repeatable', collect);
  addLabels(addPlace(publish)).action(async (options) =>
    (await import('./commands/ci-publish.ts')).ciPublishCommand(options),
  );
}

function addPlace(command: Command): Command {
  return command
    .option('--remote <url>', 'repository to push to (GITHUB_REPOSITORY, or the remote origin)')
    .option('--branch-prefix <text>', 'of the branches with fixes (ralph/fix-)')
    .option('--memory-branch <name>', 'branch with the ledger and the reflections (ralph/memory)');
}

function addLabels(command: Command): Command {
  return command
    .option('--label <name>', 'label that asks for a fix (ralph)')
    .option('--opt-out-label <name>', 'label that keeps tries away (no-ralph)');
}

function collect(text: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), text];
}

function positive(flag: string, description: string, kind: 'integer' | 'number'): Option {
  return new Option(flag, description).argParser((text: string) => {
    const value = Number(text);
    const isRight = text.trim() !== '' && Number.isFinite(value) && value > 0;
    if (isRight && (kind === 'number' || Number.isSafeInteger(value))) return value;
    throw usageError(
      `${flag.split(' ')[0]!} ${JSON.stringify(text)} is no ${kind === 'integer' ? 'whole number' : 'number'} above 0.`,
    );
  });
}
