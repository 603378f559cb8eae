import { resolve } from 'node:path';
import { ExitCode } from '../../errors.ts';
import { importReflections, type ImportReport } from '../../memory/exchange/import.ts';
import { renderExport, type ExportFormat } from '../../memory/exchange/render.ts';
import { candidatesFrom } from '../../memory/exchange/sources.ts';
import { searchStore } from '../../memory/search/search-store.ts';
import { writeOutput } from '../../platform/files/write-output.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { plural } from '../../platform/text/plural.ts';
import { printable } from '../../platform/text/printable.ts';
import { oneLine, printError } from '../messages.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { parseQuery, type FilterOptions } from './reflections-query.ts';
import { warnAboutDamaged } from './reflections.ts';

/** `ralph reflections export`. */
export async function exportCommand(
  words: readonly string[],
  options: FilterOptions & { readonly format: ExportFormat; readonly output?: string },
): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const { matches, damaged } = await searchStore(root, await parseQuery(root, words, options));
  const records = matches.map(({ record }) => record);
  const text = renderExport(records, options.format);
  if (options.output === undefined) process.stdout.write(text);
  else {
    await writeOutput(resolve(options.output), text);
    printError(`${plural(records.length, 'reflection')} written to ${options.output}`);
  }
  warnAboutDamaged(damaged);
}

/** `ralph reflections import PATH…`; exit 2 if the paths contain no reflection. */
export async function importCommand(
  paths: readonly string[],
  options: OutputOptions & { readonly dryRun?: boolean },
): Promise<void> {
  const repositoryRoot = findRepositoryRoot(process.cwd());
  const dryRun = options.dryRun === true;
  const report = await importReflections(candidatesFrom(paths), { repositoryRoot, dryRun, marked: true });
  printResult(options, report, () => renderReport(report));
  const { imported, identical, kept_beside: renamed } = report;
  if (imported + identical + renamed === 0) process.exitCode = ExitCode.usage;
}

function renderReport(report: ImportReport): string[] {
  const { imported, identical, kept_beside: renamed, refused, refusals, unmapped_fields: unmapped } = report;
  const verb = report.dry_run ? 'would be imported' : 'imported';
  const dropped = Object.entries(unmapped).map(([field, count]) => `${field} (${count})`);
  return [
    `${imported} ${verb}, ${identical} already present, ${renamed} kept under another loop id (the attempt already has a different reflection), ${refused} refused`,
    ...(dropped.length === 0
      ? []
      : [`Fields that a reflection cannot store: ${printable(dropped.join(', '))}`]),
    ...refusals.map(({ source, reason }) => `  ${oneLine(source)}: it ${oneLine(reason)}`),
    ...(refused > refusals.length ? [`  … and ${refused - refusals.length} more`] : []),
    ...(imported + identical + renamed + refused === 0 ? ['No reflections were found.'] : []),
  ];
}
