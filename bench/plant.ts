/**
 * `node bench/plant.ts FOLDER --repository OWNER/NAME --test COMMAND [--seed N] [--count N] [--below DIR]`: draws single edits
 * by the seed in the sources of the repository in FOLDER, keeps the first that make COMMAND fail, and prints them as rows
 * for `planted.json`. FOLDER is restored. Nothing of the search is asked.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { isEditableSource } from '../src/repair/syntax/source-files.ts';
import { parseSource } from '../src/repair/syntax/parse.ts';
import { randomNumbers } from './memory/figures.ts';
import { mistakesIn, type Mistake } from './planted/small-mistakes.ts';

const OTHER_CODE =
  /(^|\/)(bench(marks?)?|examples?|demo|docs?|website|scripts?|tools?|perf|playground|static)\//i;
const LIMIT_MS = 180_000;
const MOST_TRIED = 25;

const { values, positionals } = parseArgs({
  options: {
    repository: { type: 'string' },
    test: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1' },
    below: { type: 'string', default: '' },
  },
  allowPositionals: true,
});
const [folder] = positionals;
const { repository, test } = values;
if (folder === undefined || repository === undefined || test === undefined)
  throw new Error('Name the folder, --repository and --test.');
const root = resolve(folder);
const random = randomNumbers(Number(values.seed));
const { stdout: commit } = await execa('git', ['rev-parse', 'HEAD'], { cwd: root });
const { stdout: listed } = await execa('git', ['ls-files'], { cwd: root });
const sources = listed
  .split('\n')
  .filter((file) => file.startsWith(values.below) && isEditableSource(file) && !OTHER_CODE.test(file));
const drawn = new Set<string>();
let kept = 0;
for (let tried = 0; tried < MOST_TRIED && kept < Number(values.count); tried++) {
  const edit = drawEdit();
  if (edit === undefined) continue;
  const path = join(root, edit.file);
  const original = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    original.replace(edit.from, () => edit.to),
  );
  const { exitCode, timedOut } = await execa(test, {
    cwd: root,
    shell: true,
    reject: false,
    timeout: LIMIT_MS,
    stdio: 'ignore',
  });
  writeFileSync(path, original);
  console.error(`${edit.file} ${edit.kind}: ${edit.from} → ${edit.to}: ${timedOut ? 'no end' : exitCode}`);
  if (exitCode === 0 || timedOut) continue;
  console.log(JSON.stringify({ repository, commit, ...edit }));
  kept++;
}

interface Edit {
  readonly kind: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A source, a kind and a place, in this order, so that frequent kinds do not push out the others. */
function drawEdit(): Edit | undefined {
  const file = pick(sources);
  const text = readFileSync(join(root, file), 'utf8');
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return undefined;
  const byKind = mistakesIn(parsed);
  if (byKind.size === 0) return undefined;
  const mistake = pick(byKind.get(pick([...byKind.keys()]))!);
  const place = `${file}:${mistake.start}`;
  if (drawn.has(place)) return undefined;
  drawn.add(place);
  return { kind: mistake.kind, file, ...asReplacement(text, mistake) };
}

/** The replaced text, with as much of its lines as makes it the only one in the file. */
function asReplacement(text: string, { start, end, replacement }: Mistake): { from: string; to: string } {
  let first = text.lastIndexOf('\n', start - 1) + 1;
  let last = text.indexOf('\n', end);
  if (last === -1) last = text.length;
  while (text.split(text.slice(first, last)).length > 2) {
    first = text.lastIndexOf('\n', first - 2) + 1;
    last = Math.max(last, text.indexOf('\n', last + 1));
  }
  return {
    from: text.slice(first, last),
    to: text.slice(first, start) + replacement + text.slice(end, last),
  };
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!;
}
