import { dropOptions } from '../run/arguments.ts';
import { dropOperands, keepArguments, optionNames, type OptionRules } from '../run/option-rules.ts';
import type { RunnerCall } from './test-check.ts';
import { titleGlobs } from './test-selection.ts';

/**
 * A check keeps the options that select files, configuration and environment. It leaves out watching, reports,
 * coverage, writing snapshots or fixes, retries, stopping early and caches. Names: https://github.com/avajs/ava/blob/main/docs/05-command-line.md
 */
export const avaOptions: OptionRules = {
  drop: optionNames(`--watch -w --tap -t --verbose -v --fail-fast --update-snapshots -u --color --no-color
    --no-verbose`),
  dropWithValue: [],
  keepWithValue: optionNames(
    `--config --match -m --timeout -T --concurrency -c --node-arguments --environment`,
  ),
  switches: optionNames('--serial -s --worker-threads'),
  modes: ['reset-cache', 'debug'],
  watch: ['--watch', '-w'],
};

/** Arguments of Node before AVA's entry file: our program that starts AVA and records its events. */
export function avaNodeArguments({ reporter, reportFile }: RunnerCall): string[] {
  return [reporter, reportFile];
}

/** The arguments of AVA 3 to 7 for one run. */
export function avaArguments(call: RunnerCall): string[] {
  return [
    ...scriptArguments(call),
    '--no-tap',
    '--no-fail-fast',
    ...titleGlobs(call.request).map((glob) => `--match=${glob}`),
    ...(call.files ?? []),
  ];
}

function scriptArguments({ plan, files, request }: RunnerCall): string[] {
  const names = request.only === undefined ? [] : ['match', 'm'];
  const kept = dropOptions(keepArguments(avaOptions, plan.args), names);
  return files === undefined ? kept : dropOperands(avaOptions, kept);
}
