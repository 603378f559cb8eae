import type { CiTry } from '../../schema/generated.ts';
import type { PullRequest } from './client.ts';

/** Facts that the text of a pull request is made from. */
export interface PullText {
  readonly claim: Pick<CiTry, 'branch' | 'head' | 'id'>;
  readonly files: readonly string[];
  /** Files that the attempt changed and the fix does not have. */
  readonly leftOut?: readonly string[];
  /** True if nobody could try whether each changed block is needed. Default false. */
  readonly isUntried?: boolean | undefined;
  /** Changed lines that no test runs, 1-based. */
  readonly unrun?:
    readonly { readonly path: string; readonly first: number; readonly last: number }[] | undefined;
  /** Report of the loop in Markdown, at most `REPORT_CHARS` characters. */
  readonly report: string;
  /** Page of the Actions run that holds the report as an artifact; undefined outside Actions. */
  readonly runUrl: string | undefined;
  /** Title with `{branch}` in it; default: `ralph: fix {branch}`. */
  readonly title?: string | undefined;
}

/** Maximum length of a pull request's body on GitHub. */
export const MAX_BODY_CHARS = 65_536;
/** Upper bound for the text before and after the report. */
const FRAME_CHARS = 10_000;
/** Maximum length of the report within the body. */
export const REPORT_CHARS = MAX_BODY_CHARS - FRAME_CHARS;
/** For a reviewer: nothing tells a part that is needed from one that is not. */
const UNTRIED =
  '**Look at each line**: whether every changed block is needed could not be tried, since no test reaches them, or the tests that do did not pass again by themselves.';
const SHOWN_FILES = 20;
const DEFAULT_TITLE = 'ralph: fix {branch}';
const MAX_TITLE_CHARS = 250;

/** Renders title and body. Branch and file names are code spans, so they cannot contain Markdown, mentions or links. */
export function renderPull({
  claim,
  files,
  leftOut = [],
  isUntried = false,
  unrun = [],
  report,
  runUrl,
  title,
}: PullText): Pick<PullRequest, 'title' | 'body'> {
  const { branch, head, id } = claim;
  const lines = [
    `A fix for ${codeSpan(branch)} at ${codeSpan(head.slice(0, 10))}; every check passes with it.${files.length === 0 ? '' : ` It changes ${namedFiles(files)}.`}`,
    '',
    ...(leftOut.length === 0
      ? []
      : [`Not part of the fix, as no check needs it: ${namedFiles(leftOut)}; \`--allow\` keeps it.`, '']),
    ...(isUntried ? [UNTRIED, ''] : []),
    ...(unrun.length === 0
      ? []
      : [
          `**No test runs** ${unrun.slice(0, SHOWN_FILES).map(linesOf).join(', ')}: read these lines as if nothing had been checked.`,
          '',
        ]),
    'It was verified in an isolated copy of that commit. Review it like any other change: it is only as good as the checks.',
    '',
    ...(report === '' ? [] : [report.trim(), '']),
    ...(runUrl === undefined ? [] : [`[The workflow run, with the report as an artifact](${runUrl})`, '']),
    `<sub>Try ${codeSpan(id)}. The label \`no-ralph\` stops further tries; closing this pull request stops them for this commit.</sub>`,
  ];
  return { title: renderTitle(branch, title), body: lines.join('\n') };
}

function linesOf({
  path,
  first,
  last,
}: {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}): string {
  return `${codeSpan(path, 120)} ${first === last ? `line ${first}` : `lines ${first}–${last}`}`;
}

function namedFiles(files: readonly string[]): string {
  const shown = files.slice(0, SHOWN_FILES).map((path) => codeSpan(path, 120));
  return `${shown.join(', ')}${files.length > SHOWN_FILES ? ` and ${files.length - SHOWN_FILES} more` : ''}`;
}

/**
 * The title of a pull request and the subject of its commit. A branch name is written in letters, digits, dots, slashes,
 * dashes and underscores, so that `fix #12`, `fix GH-12`, `@octocat` and `[skip ci]` in it are no more than a name.
 */
export function renderTitle(branch: string, title = DEFAULT_TITLE): string {
  const name = branch
    .replace(/[^A-Za-z0-9._/-]+/g, '-')
    .replace(/gh-(?=\d)/gi, 'gh_')
    .slice(0, 200);
  return oneLine(title).replaceAll('{branch}', name).slice(0, MAX_TITLE_CHARS);
}

/** A code span; backticks in the text become apostrophes, so that the text cannot end the span. */
export function codeSpan(text: string, limit = 255): string {
  const line = oneLine(text).slice(0, limit).replaceAll('`', "'");
  return `\`${line === '' ? ' ' : line}\``;
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 200);
}
