import { basename, resolve } from 'node:path';
import { usageError } from '../../errors.ts';
import { readAnalysis } from '../../report/data/read-analysis.ts';
import { readLoopRecord, type LoopRecord } from '../../report/data/loop-record.ts';
import type { Analysis } from '../../schema/generated.ts';
import { resolveLoopId } from '../../state/loops.ts';
import { writeOutput } from '../../platform/files/write-output.ts';
import { isLoopId } from '../../platform/loop-id.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { printError } from '../messages.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { version } from '../../platform/version.ts';
import { printAnalysis } from './analyze.ts';

export interface ReportOptions extends OutputOptions {
  readonly all?: boolean;
  readonly html?: string;
  /** True: standard output. */
  readonly markdown?: string | true;
  readonly junit?: string;
}

/** A report in one format. */
interface ReportFile {
  /** The flag that asks for it. */
  readonly option: string;
  /** Path of the file, or `-` for standard output. */
  readonly target: string;
  readonly render: () => Promise<string>;
}

/** `ralph report [loop-id]`: prints text, or writes the requested files. A renderer is imported only if its file is requested. */
export async function reportCommand(id: string | undefined, options: ReportOptions): Promise<void> {
  refuseMisplacedLoopId(id, options);
  const root = findRepositoryRoot(process.cwd());
  if (options.all === true) return reportLoops(root, await readAnalysis(root), options);
  return reportLoop(await readLoopRecord(root, await resolveLoopId(root, id)), options);
}

async function reportLoop(record: LoopRecord, options: ReportOptions): Promise<void> {
  const written = await writeFiles(options, {
    html: async () => (await import('../../report/page/loop-page.ts')).renderLoopPage(record, version()),
    markdown: async () => (await import('../../report/markdown.ts')).renderMarkdown(record),
    junit: async () => (await import('../../report/junit.ts')).renderJunit(record),
  });
  if (written && options.format === 'text') return;
  const { createReport } = await import('../../report/report-json.ts');
  const { renderReportText } = await import('../../report/report-text.ts');
  printResult(options, createReport(record), (chalk) =>
    renderReportText(record, chalk, options.quiet === true),
  );
}

async function reportLoops(root: string, analysis: Analysis, options: ReportOptions): Promise<void> {
  const written = await writeFiles(options, {
    html: async () =>
      (await import('../../report/page/loops-page.ts')).renderLoopsPage({
        analysis,
        repository: basename(root),
        version: version(),
      }),
    markdown: async () => (await import('../../report/loops-markdown.ts')).renderLoopsMarkdown(analysis),
    junit: async () => {
      const loops = analysis.loops.map(({ loop_id: loopId, task, passed }) => ({ loopId, task, passed }));
      return (await import('../../report/junit.ts')).renderLoopsJunit(loops);
    },
  });
  if (written && options.format === 'text') return;
  printAnalysis(analysis, options);
}

/** Writes the requested files; false if none is requested. Throws a usage error if two would go to standard output. */
async function writeFiles(
  options: ReportOptions,
  renderers: Readonly<Record<'html' | 'markdown' | 'junit', () => Promise<string>>>,
): Promise<boolean> {
  const files = (['html', 'markdown', 'junit'] as const).flatMap((name): ReportFile[] => {
    const value = options[name];
    if (value === undefined) return [];
    return [{ option: `--${name}`, target: value === true ? '-' : value, render: renderers[name] }];
  });
  const printed = files.filter(({ target }) => target === '-').map(({ option }) => option);
  if (options.format !== 'text') printed.push(`--format ${options.format}`);
  if (printed.length > 1)
    throw usageError(
      `${printed.join(' and ')} would both go to standard output.`,
      `Only one can be printed; write the others to files: ${printed[0]} FILE`,
    );
  for (const { target, render } of files) {
    const text = await render();
    if (target === '-') process.stdout.write(text);
    else {
      await writeOutput(resolve(target), text);
      if (options.quiet !== true) printError(`Written to ${target}`);
    }
  }
  return files.length > 0;
}

/** Refuses `--all LOOP`, and `--html LOOP`, which would write a file named like the loop. */
function refuseMisplacedLoopId(id: string | undefined, { all, markdown, html, junit }: ReportOptions): void {
  if (all === true && id !== undefined)
    throw usageError(
      `--all reports every loop, but the argument ${JSON.stringify(id)} names one.`,
      'Leave out one of them.',
    );
  for (const [option, value] of Object.entries({
    '--html': html,
    '--markdown': markdown,
    '--junit': junit,
  })) {
    if (value === '') throw usageError(`${option} needs a file name.`, `For example: ${option} FILE`);
    if (typeof value === 'string' && id === undefined && isLoopId(value))
      throw usageError(
        `${option} ${value}: that is a loop id, not a file name.`,
        `Give the loop first: ralph report ${value} ${option} FILE`,
      );
  }
}
