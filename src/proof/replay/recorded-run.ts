import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { withRecordedCalls } from './record-calls.ts';
import { callsIn, oddResultsIn, openClassesIn, type Recording } from './recording.ts';
import type { ReplayRequest } from './replay-request.ts';

/** A run in which the calls of the sources were recorded. */
export interface RecordedRun {
  readonly recording: Recording;
  /** Absent if no source has anything to record: then nothing ran. */
  readonly report?: CheckReport | undefined;
}

/** Runs a check while the sources record the calls of what they export. The files are put back. */
export async function recordedRun(
  check: Check,
  { request, files, sources }: Pick<ReplayRequest, 'request' | 'files' | 'sources'>,
): Promise<RecordedRun> {
  mkdirSync(request.cacheDir, { recursive: true });
  const folder = mkdtempSync(join(request.cacheDir, 'recorded-'));
  try {
    const texts = new Map<string, string>();
    for (const source of sources) {
      const to = join(folder, `${texts.size}.jsonl`);
      const text = withRecordedCalls(source, textOf(join(request.root, source)), to);
      if (text !== undefined) texts.set(source, text);
    }
    if (texts.size === 0) return { recording: { calls: [], open: [], odd: [] } };
    const own = { ...request, fresh: true, writable: [...(request.writable ?? []), folder] };
    const asked = files === undefined ? own : { ...own, files };
    const report = await withTexts(request.root, texts, () => check.run(asked));
    const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
    const recording = { calls: callsIn(lines), open: openClassesIn(lines), odd: oddResultsIn(lines) };
    return { recording, report };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
