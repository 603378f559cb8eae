/**
 * `node bench/planted.ts FOLDER [--half development|held-out] [--only NAME]`: plants each single edit of `planted.json` in a
 * copy of its repository and lets the offline actor repair it within 3 minutes. FOLDER holds the repositories by name,
 * with their dependencies installed. Prints a table: verified, the true fix, seconds.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { makeTemporaryFolder, removeTemporaryFolder } from '../src/platform/files/temporary-folder.ts';
import planted from './planted.json' with { type: 'json' };

/** A planted edit: the only place of `from` in the file becomes `to`. */
type PlantedEdit = (typeof planted)[number];

interface Outcome {
  readonly isVerified: boolean;
  /** The file is as it was before the edit was planted, apart from layout. */
  readonly isTrueFix: boolean;
  readonly seconds: number;
  /** The change that the actor made, or why it made none. */
  readonly note: string;
}

const RALPH = resolve(import.meta.dirname, '../bin/ralph.js');
const LIMIT_MS = 400_000;
const NOTE_CHARS = 160;

const { values, positionals } = parseArgs({
  options: { half: { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name the folder that holds the repositories.');
const chosen = planted.filter(
  ({ half, repository, kind }) =>
    (values.half === undefined || half === values.half) &&
    (values.only === undefined || `${repository} ${kind}`.includes(values.only)),
);
const outcomes: Outcome[] = [];
for (const edit of chosen) {
  const outcome = await repair(resolve(folder), edit);
  outcomes.push(outcome);
  const columns = [
    edit.half.padEnd(11),
    edit.repository.padEnd(30),
    edit.kind.padEnd(9),
    outcome.isVerified ? 'verified' : '-       ',
    outcome.isTrueFix ? 'true fix' : '-       ',
    `${outcome.seconds.toFixed(0)} s`.padStart(5),
  ];
  console.log(columns.join('  '), outcome.isTrueFix ? '' : outcome.note);
}
const count = (of: (outcome: Outcome) => boolean): number => outcomes.filter(of).length;
console.log(
  `${count(({ isVerified }) => isVerified)} of ${outcomes.length} verified, ` +
    `${count(({ isVerified, isTrueFix }) => isVerified && isTrueFix)} of them the true fix.`,
);

async function repair(
  repositories: string,
  { repository, commit, file, from, to }: PlantedEdit,
): Promise<Outcome> {
  const name = repository.split('/').at(-1)!;
  const work = makeTemporaryFolder('planted');
  const copy = join(work, name);
  try {
    await execa('cp', ['-a', join(repositories, name), copy]);
    const { stdout: head } = await execa('git', ['rev-parse', 'HEAD'], { cwd: copy });
    if (head !== commit) throw new Error(`${copy} is at ${head}; check out ${commit}.`);
    const path = join(copy, file);
    const original = readFileSync(path, 'utf8');
    if (original.split(from).length !== 2) throw new Error(`${file} of ${repository} has changed.`);
    const bug = original.replace(from, () => to);
    writeFileSync(path, bug);
    const started = performance.now();
    const run = await execa(
      process.execPath,
      [RALPH, 'run', '--actor', 'search', '--max-time', '3m', '--format', 'json'],
      { cwd: copy, reject: false, timeout: LIMIT_MS },
    );
    const seconds = (performance.now() - started) / 1000;
    const patch = patchOf(copy, run.stdout);
    return {
      isVerified: run.exitCode === 0 && patch !== '',
      isTrueFix: layoutFree(readFileSync(path, 'utf8')) === layoutFree(original),
      seconds,
      note: patch === '' ? whyNothing(run.stdout || run.stderr) : changedLines(patch),
    };
  } finally {
    removeTemporaryFolder(work);
  }
}

function layoutFree(text: string): string {
  return text.replaceAll(/[\s;]+/g, '');
}

/** The patch of the best attempt; empty if no attempt was better than the planted edit. */
function patchOf(root: string, verdict: string): string {
  try {
    const { patch } = JSON.parse(verdict) as { patch: string | null };
    return patch === null ? '' : readFileSync(resolve(root, patch), 'utf8');
  } catch {
    return '';
  }
}

function changedLines(patch: string): string {
  const lines = patch.split('\n').filter((line) => /^[+-](?![+-])/.test(line));
  return shortened(lines.join(' '));
}

function whyNothing(output: string): string {
  try {
    const { reason, attempts } = JSON.parse(output) as { reason: string; attempts: { message?: string }[] };
    return shortened(`${reason} ${attempts.map(({ message }) => message ?? '').join(' ')}`);
  } catch {
    return output.slice(-NOTE_CHARS);
  }
}

function shortened(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, NOTE_CHARS);
}
