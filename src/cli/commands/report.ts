import { basename, resolve } from 'node:path';
import { usageError } from '../../errors.ts';
import { readAnalysis } from '../../report/data/read-analysis.ts';
import { readLoopRecord, type LoopRecord } from '../../report/data/loop-record.ts';
import type { Analysis } from '../../schema/generated.ts';
import { resolveLoopId } from '../../state/loops.ts';
import { writeDurably } from '../../platform/files/durable-write.ts';
import { isLoopId } from '../../platform/loop-id.ts';
import { printable } from '../../platform/text/printable.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { version } from '../version.ts';
import { printAnalysis } from './analyze.ts';

export interface ReportOptions extends OutputOptions {
  readonly all?: boolean;
  readonly html?: string;
  /** True: standard output. */
  readonly markdown?: string | true;
  readonly junit?: string;
}

/** A report in one of its forms, and where it goes: a file, or `-` for standard output. */
interface Form {
  readonly option: string;
  readonly target: string;
  readonly render: () => Promise<string>;
}

/** `ralph report [loop-id]`: text, or whatever forms are asked for. A renderer is loaded only where its form is. */
export async function reportCommand(id: string | undefined, options: ReportOptions): Promise<void> {
  refuseMisplacedId(id, options);
  const root = findRepositoryRoot(process.cwd());
  if (options.all === true) return reportLoops(root, await readAnalysis(root), options);
  return reportLoop(await readLoopRecord(root, await resolveLoopId(root, id)), options);
}

async function reportLoop(record: LoopRecord, options: ReportOptions): Promise<void> {
  const written = await writeForms(options, {
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
  const written = await writeForms(options, {
    html: async () =>
      (await import('../../report/page/loops-page.ts')).renderLoopsPage({
        ...{ analysis, repository: basename(root), version: version() },
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

/** Writes every form that is asked for; gives whether there was any. Throws a usage error for two on standard output. */
async function writeForms(
  options: ReportOptions,
  renderers: Readonly<Record<'html' | 'markdown' | 'junit', () => Promise<string>>>,
): Promise<boolean> {
  const forms = (['html', 'markdown', 'junit'] as const).flatMap((name): Form[] => {
    const given = options[name];
    if (given === undefined) return [];
    return [{ option: `--${name}`, target: given === true ? '-' : given, render: renderers[name] }];
  });
  const printed = forms.filter(({ target }) => target === '-').map(({ option }) => option);
  if (options.format !== 'text') printed.push(`--format ${options.format}`);
  if (printed.length > 1)
    throw usageError(
      `${printed.join(' and ')} would both go to standard output.`,
      `Give a file to all but one: ${printed[0]} FILE`,
    );
  for (const { target, render } of forms) {
    const text = await render();
    if (target === '-') process.stdout.write(text);
    else {
      await writeDurably(resolve(target), text);
      if (options.quiet !== true) process.stderr.write(`Written to ${printable(target)}\n`);
    }
  }
  return forms.length > 0;
}

function refuseMisplacedId(id: string | undefined, { all, markdown, html, junit }: ReportOptions): void {
  if (all === true && id !== undefined)
    throw usageError(
      `--all is about every loop, and ${JSON.stringify(id)} names one.`,
      'Leave one of them out.',
    );
  for (const [option, value] of Object.entries({
    '--html': html,
    '--markdown': markdown,
    '--junit': junit,
  })) {
    if (value === '') throw usageError(`${option} "" names no file.`, `Give one: ${option} FILE`);
    if (typeof value === 'string' && id === undefined && isLoopId(value))
      throw usageError(
        `${option} ${value}: that is a loop, and no file.`,
        `The loop comes first: ralph report ${value} ${option} FILE`,
      );
  }
}
