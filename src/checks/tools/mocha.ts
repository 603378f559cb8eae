import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import { dropOptions, optionValue } from '../run/arguments.ts';
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

/** Options that `bin/mocha` gives to Node before version 6, from its own arguments and from a file. */
const NODE_OPTION =
  /^(-d$|-gc$|debug$|--(debug|inspect|expose|gc|es_staging|no-(deprecation|warnings)|prof|log-|throw|trace|use_strict|allow|perf|napi|harmony|icu|max-|preserve))/;

/**
 * Before version 6 `bin/mocha` starts `bin/_mocha` in a process of its own, for the sake of options of Node. Where there is none,
 * that process runs alone, which takes half the time of a small suite. Undefined in every other case.
 */
export function mochaProgram({ plan, entry, cwd }: RunnerCall): string | undefined {
  const inner = join(dirname(entry), '_mocha');
  if (!(Number.parseInt(plan.version ?? '', 10) < 6) || !existsSync(inner)) return undefined;
  const file = optionValue(plan.args, 'opts') ?? 'test/mocha.opts';
  const options = [...plan.args, ...textOf(join(cwd, file)).split(/\s+/)];
  return options.some((word) => NODE_OPTION.test(word)) ? undefined : inner;
}

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
