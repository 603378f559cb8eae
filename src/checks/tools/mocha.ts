import { dropOptions } from '../run/arguments.ts';
import { dropOperands, keepArguments, optionNames, type OptionRules } from '../run/option-rules.ts';
import { withoutConfiguredFiles } from './mocha-config.ts';
import type { RunnerCall } from './test-check.ts';
import { namePattern } from './test-selection.ts';

/**
 * A check keeps the options that select files, configuration and environment. It leaves out watching, reports,
 * coverage, writing snapshots or fixes, retries, stopping early and caches. Names: https://mochajs.org/#command-line-usage
 */
export const mochaOptions: OptionRules = {
  drop: optionNames(`--watch -w --bail -b --color --colors -c --no-color --no-colors -C --full-trace --inline-diffs
    --diff --no-diff --growl -G --dry-run --pass-on-failing-test-suite --fail-zero --inspect --inspect-brk`),
  dropWithValue: optionNames(`--reporter -R --reporter-option --reporter-options -O --retries --watch-files
    --watch-ignore`),
  keepWithValue: optionNames(`--config --opts --package --require -r --import --loader --experimental-loader
    --timeout --timeouts -t --slow -s --ui -u --file --ignore --exclude --extension --spec --grep -g --fgrep -f
    --jobs -j --conditions -n --node-option`),
  switches: optionNames('--exit --recursive --parallel -p --check-leaks --forbid-only'),
  modes: ['run', 'test'],
  watch: ['--watch', '-w'],
};

/** The arguments of Mocha 5 to 12 for one run. Before 6 an option for reporters has another name, and none begins with `no`. */
export function mochaArguments(call: RunnerCall): string[] {
  const isOld = Number.parseInt(call.plan.version ?? '', 10) < 6;
  const config = call.files === undefined ? [] : withoutConfiguredFiles(call);
  return [
    ...scriptArguments(call, config.length > 0),
    `--reporter=${call.reporter}`,
    `--reporter-option${isOld ? 's' : ''}=ralphReport=${call.reportFile}`,
    ...(isOld ? [] : ['--no-bail']),
    ...ending(call),
    ...nameFilter(call),
    ...config,
    ...(call.files ?? []),
  ];
}

function scriptArguments({ plan, files, request }: RunnerCall, hasConfig: boolean): string[] {
  const names = request.only === undefined ? [] : ['g', 'grep', 'f', 'fgrep'];
  const selection = files === undefined ? [] : ['spec'];
  const config = hasConfig ? ['config'] : [];
  const kept = dropOptions(keepArguments(mochaOptions, plan.args), [...names, ...selection, ...config]);
  return files === undefined ? kept : dropOperands(mochaOptions, kept);
}

/** A tried edit may leave a connection or a timer open, for which Mocha would wait. */
function ending({ plan, request }: RunnerCall): string[] {
  return request.loadsOwn === true && !plan.args.includes('--exit') ? ['--exit'] : [];
}

function nameFilter({ request }: RunnerCall): string[] {
  const pattern = namePattern(request);
  return pattern === undefined ? [] : ['--grep', pattern];
}
