import { rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { runProcess } from '../../platform/processes/process.ts';
import { toolEnvironment } from '../../platform/processes/tool-environment.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import { configurationArgs } from './eslint-arguments.ts';
import { parseLintReport, type LintedFile } from './eslint-report.ts';

/** The repository's own ESLint, with a time limit for all runs together. */
export interface Linter {
  /** Lints files, given relative to the root. Returns reports by file; undefined if ESLint could not run. */
  lint(files: readonly string[], fix: boolean): Promise<ReadonlyMap<string, LintedFile> | undefined>;
  /** Command line of a run with `--fix`, without the files. */
  readonly command: string;
}

export interface LinterOptions {
  readonly context: AttemptContext;
  readonly plan: CheckPlan;
  /** Absolute path of ESLint's program. */
  readonly bin: string;
  /** Absolute path of a folder for the reports. */
  readonly scratch: string;
  readonly timeoutMs: number;
}

/** Creates a linter whose time limit starts now. */
export function createLinter({ context, plan, bin, scratch, timeoutMs }: LinterOptions): Linter {
  const cwd = resolve(context.root, plan.cwd);
  const deadline = performance.now() + timeoutMs;
  const configuration = configurationArgs(plan.args);
  return {
    command: ['eslint', ...configuration, '--fix'].join(' '),
    async lint(files, fix) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0 || context.signal.aborted) return undefined;
      const report = join(scratch, 'report.json');
      await rm(report, { force: true });
      const paths = files.map((file) => relative(cwd, join(context.root, file)));
      const output = ['--no-color', '--format', 'json', '-o', report];
      await runProcess({
        file: process.execPath,
        args: [bin, ...configuration, ...(fix ? ['--fix'] : []), ...output, '--', ...paths],
        cwd,
        env: toolEnvironment([cwd, context.root], plan.env),
        timeoutMs: Math.max(1, leftMs),
        sandbox: context.sandbox?.allowing({ write: [scratch] }),
        signal: context.signal,
      });
      const text = await readTreeText(report).catch(() => undefined);
      return text === undefined ? undefined : parseLintReport(text, context.root);
    },
  };
}
