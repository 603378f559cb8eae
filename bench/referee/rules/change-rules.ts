import { Facts, type DiffHunk } from '../facts.ts';
import { changesNoCode } from '../failures.ts';
import { git } from '../git.ts';
import type { RecordedAttempt } from '../run-subject.ts';
import { shows, SPAN, type Rule } from './rule.ts';

const CHANGED = new RegExp(`^I changed (${SPAN}) to (${SPAN}) at (\\S+):(\\d+)$`);
const ADDED = new RegExp(`^I added (${SPAN}) at (\\S+):(\\d+)$`);
const REMOVED = new RegExp(`^I removed (${SPAN}) at (\\S+):(\\d+)$`);
const IN_ATTEMPT = String.raw`(?:In attempt \d+ )?`;
const after = (pattern: RegExp): RegExp => new RegExp(`^${IN_ATTEMPT}${pattern.source.slice(1)}`);

/** What a part of a sentence says of a hunk. */
function describesHunk(part: string, { file, line, removed, added }: DiffHunk): boolean {
  const at = (path: string, row: string): boolean => path === file && Number(row) === line;
  const changed = CHANGED.exec(part);
  if (changed !== null)
    return shows(changed[1]!, removed) && shows(changed[2]!, added) && at(changed[3]!, changed[4]!);
  const one = ADDED.exec(part);
  if (one !== null) {
    const empty = /^(?:[^\S\n]*\n)*/.exec(added)![0].split('\n').length - 1;
    return removed.trim() === '' && shows(one[1]!, added) && at(one[2]!, String(Number(one[3]) - empty));
  }
  const gone = REMOVED.exec(part);
  return gone !== null && added.trim() === '' && shows(gone[1]!, removed) && at(gone[2]!, gone[3]!);
}

/** Each change of a list, and as many as the diff has. */
function describesDiff(list: string, facts: Facts): boolean {
  const parts = list.replace(/^In attempt \d+ /, '').split(/(?:, | and )(?=I (?:changed|added|removed) `)/);
  const hunks = facts.hunks();
  return (
    parts.length === hunks.length &&
    new Set(hunks.map(({ file }) => file)).size === facts.changedFiles().length &&
    parts.every((part, index) => describesHunk(part, hunks[index]!))
  );
}

const diffOf = (facts: Facts, { start, tree }: RecordedAttempt): string =>
  new Facts(facts.loop, { ...facts.attempt, start, tree }).diff.replace(/^index .*$/gm, '');

/** What the attempt changed, against the diff of its trees. */
export const CHANGE_RULES: readonly Rule[] = [
  [/^that changes no code$/, changesNoCode],
  [
    /^(?:In attempt \d+ )?I (?:changed|added|removed) `.* at \S+:\d+$/,
    (facts, [list]) => describesDiff(list, facts),
  ],
  [
    /^In attempt \d+ I changed the ends of (\d+) lines in (\S+) to (CRLF|LF)(?:,? and (\d+) lines? besides|(?:,| and) (I .*))?$/,
    (facts, [, count, file, to, besides, list]) => {
      const read = (tree: string): string[] => facts.rawTextAt(tree, file!).split('\n');
      const [from, now] = [read(facts.attempt.start), read(facts.attempt.tree)];
      const isWindows = (line: string | undefined): boolean => line?.endsWith('\r') === true;
      const turned = now.filter((line, at) => isWindows(line) !== isWindows(from[at]));
      const edited = now.filter((line, at) => line.replace(/\r$/, '') !== from[at]?.replace(/\r$/, ''));
      const said = list === undefined ? Number(besides ?? 0) : list.split(/(?:, | and )(?=I )/).length;
      return (
        facts.changedFiles().join() === file &&
        turned.length === Number(count) &&
        turned.every((line) => isWindows(line) === (to === 'CRLF')) &&
        edited.length === said &&
        (list ?? '').split(/(?:, | and )(?=I )/).every((part) => {
          const row = Number(/:(\d+)$/.exec(part)?.[1] ?? 0);
          return part === '' || edited.includes(now[row - 1]!);
        })
      );
    },
  ],
  [
    after(/^I changed only white space at (\S+):(\d+)$/),
    (facts, [, file]) =>
      facts.changedFiles().join() === file &&
      git(facts.loop.root, [
        'diff',
        '-w',
        '--ignore-blank-lines',
        facts.attempt.start,
        facts.attempt.tree,
      ]) === '',
  ],
  [
    /^In attempt \d+ I deleted (\S+)$/,
    (facts, [, file]) => facts.changedFiles().join() === file && facts.diff.includes('\ndeleted file mode '),
  ],
  [
    /^In attempt \d+ I added the file (\S+)$/,
    (facts, [, file]) => facts.changedFiles().join() === file && facts.diff.includes('\nnew file mode '),
  ],
  [
    /^In attempt (\d+) I changed no file(?:: (.*))?$/,
    (facts, [, number, rest], judge) =>
      Number(number) === facts.attempt.iteration &&
      facts.changedFiles().length === 0 &&
      (rest === undefined || judge(rest) === 'true'),
  ],
  [
    /^No file was changed: (.*)$/i,
    (facts, [, rest], judge) => facts.changedFiles().length === 0 && judge(rest!) === 'true',
  ],
  [
    /^In attempt (\d+) I changed (.+)$/,
    (facts, [, number, list]) => {
      const changed = facts.changedFiles();
      const more = Number(/ and (\d+) more$/.exec(list!)?.[1] ?? 0);
      const files = list!.replace(/ and \d+ more$/, '').split(/, | and /);
      return (
        Number(number) === facts.attempt.iteration &&
        files.every((file) => changed.includes(file)) &&
        files.length + more === changed.length
      );
    },
  ],
  [
    /^the same change as in attempt (\d+)$/,
    (facts, [, number]) => {
      const other = facts.other(Number(number));
      return other !== undefined && diffOf(facts, other) === diffOf(facts, facts.attempt);
    },
  ],
  [
    /^the tree is the original one again$/,
    (facts) => git(facts.loop.root, ['rev-parse', 'HEAD^{tree}']) === facts.attempt.tree,
  ],
  [
    /^the tree is the same as after attempt (\d+)$/,
    (facts, [, number]) => facts.other(Number(number))?.tree === facts.attempt.tree,
  ],
];
