import { cleanRepository, type Cleaned } from '../../compose/clean.ts';
import { openProject } from '../../compose/project.ts';
import { plural } from '../../platform/text/plural.ts';
import { renderBytes } from '../../platform/text/bytes.ts';
import { confirmTrust } from '../confirm-trust.ts';
import { settingsFromOptions, type OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

/** `ralph clean`: removes what the next loop makes again, and says what that frees. */
export async function cleanCommand(options: OutputOptions & { readonly dryRun?: boolean }): Promise<void> {
  const { dryRun = false } = options;
  const project = await openProject({
    cwd: process.cwd(),
    flags: settingsFromOptions({ ...options }),
    env: process.env,
    confirm: confirmTrust(),
  });
  const cleaned = await cleanRepository(project, { dryRun });
  const bytes = totalBytes(cleaned);
  printResult(options, { dry_run: dryRun, bytes, ...cleaned }, () => linesOf(cleaned, dryRun));
}

function linesOf(cleaned: Cleaned, dryRun: boolean): string[] {
  const { snapshots, workspaces } = cleaned;
  const bytes = totalBytes(cleaned);
  if (bytes === 0 && snapshots.trees === 0) return ['There is nothing to remove.'];
  const rows = [
    ...(snapshots.trees > 0 || snapshots.bytes > 0
      ? [{ bytes: snapshots.bytes, text: `${plural(snapshots.trees, 'snapshot')} that nothing needs` }]
      : []),
    ...workspaces.map(({ path, bytes: size }) => ({ bytes: size, text: `workspace and caches in ${path}` })),
  ];
  return [
    ...rows.map(({ bytes: size, text }) => `${renderBytes(size).padStart(9)}  ${text}`),
    `${dryRun ? 'Would free' : 'Freed'} ${renderBytes(bytes)}.`,
  ];
}

function totalBytes({ snapshots, workspaces }: Cleaned): number {
  return workspaces.reduce((sum, { bytes }) => sum + bytes, snapshots.bytes);
}
