/** Worker thread of `scan.ts`: a pattern or glob that never ends is stopped by terminating the thread. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import picomatch from 'picomatch';
import { MAX_FILE_BYTES, type Scan, type ScanReport } from './scan.ts';

const PROBE_BYTES = 8000;

const scan = workerData as Scan;
const report: { -readonly [Key in keyof ScanReport]: ScanReport[Key] } = {
  hits: [],
  matched: 0,
  searched: 0,
  tooLarge: 0,
  done: false,
};
const isWanted = globPredicate(scan);
const pattern = scan.pattern === undefined ? undefined : new RegExp(scan.pattern.source, scan.pattern.flags);

for (const path of scan.files) {
  if (report.hits.length > scan.maxHits) break;
  if (!isWanted(path)) continue;
  report.matched++;
  if (pattern === undefined) report.hits.push({ path, line: 0, text: '' });
  else searchFile(path, pattern);
}
report.done = true;
sendReport();

function sendReport(): void {
  parentPort!.postMessage(report);
}

function searchFile(path: string, wanted: RegExp): void {
  const text = readText(join(scan.folder, path));
  if (text === undefined) return;
  report.searched++;
  const before = report.hits.length;
  for (const [index, line] of text.split('\n').entries()) {
    const found = wanted.exec(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (found === null) continue;
    report.hits.push({ path, line: index + 1, text: excerpt(line.trimEnd(), found.index) });
    if (report.hits.length > scan.maxHits) break;
  }
  // Sent at once, since the next file may never end.
  if (report.hits.length > before) sendReport();
}

/** The text of a file; undefined if it is too large, binary or unreadable. */
function readText(path: string): string | undefined {
  try {
    if (statSync(path).size > MAX_FILE_BYTES) {
      report.tooLarge++;
      return undefined;
    }
    const bytes = readFileSync(path);
    return bytes.subarray(0, PROBE_BYTES).includes(0) ? undefined : bytes.toString('utf8');
  } catch {
    return undefined;
  }
}

/** The line, shortened around the match at `at`. */
function excerpt(line: string, at: number): string {
  if (line.length <= scan.maxLineChars) return line;
  const start = Math.max(0, Math.min(at - scan.maxLineChars / 4, line.length - scan.maxLineChars));
  const end = start + scan.maxLineChars;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}

/** The predicate of the glob: without a slash it matches file names in any folder, else whole paths. */
function globPredicate({ glob, prefixes }: Scan): (path: string) => boolean {
  if (glob === undefined) return () => true;
  const spelled = glob.replace(/^\.?\//, '').replace(/\/$/, '/**');
  const isMatch = picomatch(spelled.includes('/') ? spelled : `**/${spelled}`, { dot: true });
  return (path) => prefixes.some((prefix) => isMatch(prefix + path));
}
