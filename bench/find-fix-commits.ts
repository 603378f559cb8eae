/**
 * `node bench/find-fix-commits.ts --clones DIR [--most N] OWNER/NAME…`: prints, as JSON, real fixes that can be replayed.
 *
 * DIR holds a clone of each repository under its name, with its dependencies installed. A commit qualifies if its
 * message says fix, it changes a test file and one or two source files by at most six lines of code, and its tests fail
 * without the changes of its sources and pass with them. Lists the newest N of each repository (default 6).
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fixCommitsIn } from './fix-commits/fix-commits-in.ts';
import { cloneForReplay, whyNotReproduced } from './fix-commits/reproduce.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { clones: { type: 'string', default: '.' }, most: { type: 'string', default: '6' } },
});

const found = [];
for (const repository of positionals) {
  const clone = resolve(join(values.clones, repository.split('/')[1] ?? repository));
  const commits = await replayableCommits(clone, Number(values.most));
  found.push({ repository, url: `https://github.com/${repository}`, commits });
}
console.log(JSON.stringify(found, undefined, 2));

async function replayableCommits(clone: string, most: number): Promise<string[]> {
  const copy = cloneForReplay(clone);
  const shas: string[] = [];
  try {
    for (const commit of fixCommitsIn(clone)) {
      if (shas.length === most) break;
      const reason = await whyNotReproduced(copy, clone, commit);
      if (reason === undefined) shas.push(commit.sha);
      console.error(
        `${clone} ${commit.sha.slice(0, 9)} ${reason ?? 'replayable'}: ${commit.subject}`.slice(0, 200),
      );
    }
  } finally {
    copy.remove();
  }
  return shas;
}
