import { resolve } from 'node:path';
import { ExitCode } from '../../errors.ts';
import { importReflections, type ImportReport } from '../../memory/exchange/import.ts';
import { renderExport, type ExportFormat } from '../../memory/exchange/render.ts';
import { candidatesFrom } from '../../memory/exchange/sources.ts';
import { searchStore } from '../../memory/search/search-store.ts';
import { writeDurably } from '../../platform/files/durable-write.ts';
import { printable } from '../../platform/text/printable.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { queryOf, warnOf, type FilterOptions } from './reflections.ts';

/** `ralph reflections export`. */
export async function exportCommand(
  words: readonly string[],
  options: FilterOptions & { readonly format: ExportFormat; readonly output?: string },
): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const { matches, damaged } = await searchStore(root, await queryOf(root, words, options));
  const records = matches.map(({ record }) => record);
  const text = renderExport(records, options.format);
  if (options.output === undefined) process.stdout.write(text);
  else {
    await writeDurably(resolve(options.output), text);
    process.stderr.write(`${records.length} reflections written to ${printable(options.output)}\n`);
  }
  warnOf(damaged);
}

/** `ralph reflections import PATH…`; exit 2 where nothing of it was a reflection. */
export async function importCommand(
  paths: readonly string[],
  options: OutputOptions & { readonly dryRun?: boolean },
): Promise<void> {
  const repositoryRoot = findRepositoryRoot(process.cwd());
  const dryRun = options.dryRun === true;
  const report = await importReflections(candidatesFrom(paths), { repositoryRoot, dryRun });
  printResult(options, report, () => renderReport(report));
  const { imported, identical, kept_beside: beside } = report;
  if (imported + identical + beside === 0) process.exitCode = ExitCode.usage;
}

function renderReport(report: ImportReport): string[] {
  const { imported, identical, kept_beside: beside, refused, refusals, unmapped_fields: unmapped } = report;
  const verb = report.dry_run ? 'would be imported' : 'imported';
  const left = Object.entries(unmapped).map(([field, count]) => `${field} (${count})`);
  return [
    `${imported} ${verb}, ${identical} there already, ${beside} kept beside another of the same loop and attempt, ${refused} refused`,
    ...(left.length === 0 ? [] : [`No place for: ${printable(left.join(', '))}`]),
    ...refusals.map(({ source, reason }) => `  ${line(source)}: it ${line(reason)}`),
    ...(refused > refusals.length ? [`  … and ${refused - refusals.length} more`] : []),
    ...(imported + identical + beside + refused === 0 ? ['Nothing there is a reflection.'] : []),
  ];
}

function line(text: string): string {
  return printable(text.replaceAll('\n', ' '));
}
