import type { CiTry } from '../../schema/generated.ts';
import type { PullRequest } from './client.ts';

export interface PullText {
  readonly claim: Pick<CiTry, 'branch' | 'head' | 'id'>;
  readonly files: readonly string[];
  /** Of the loop, as Markdown, at most `roomFor` characters long. */
  readonly report: string;
  /** Page of the run that has the report as an artifact; undefined outside Actions. */
  readonly runUrl: string | undefined;
}

/** GitHub takes no more in the body of a pull request. */
export const MAX_BODY_CHARS = 65_536;
/** What stands in front of and behind the report is no longer than this. */
const FRAME_CHARS = 4000;
/** Characters that the report may have. */
export const REPORT_CHARS = MAX_BODY_CHARS - FRAME_CHARS;
const SHOWN_FILES = 20;

/** Title and body. Names of branches and files are code spans: nothing in them is Markdown, a mention or a link. */
export function renderPull({ claim, files, report, runUrl }: PullText): Pick<PullRequest, 'title' | 'body'> {
  const { branch, head, id } = claim;
  const shown = files.slice(0, SHOWN_FILES).map((path) => codeSpan(path, 120));
  const more = files.length > SHOWN_FILES ? ` and ${files.length - SHOWN_FILES} more` : '';
  const lines = [
    `A fix of ${codeSpan(branch)} at ${codeSpan(head.slice(0, 10))}, after which every check passed. It changes ${shown.join(', ')}${more}.`,
    '',
    'It was verified in an isolated copy of that commit. Read it as you read any change: the checks are what was judged by.',
    '',
    report.trim(),
    '',
    ...(runUrl === undefined ? [] : [`[The run, with the report as an artifact](${runUrl})`, '']),
    `<sub>Try ${codeSpan(id)}. The label \`no-ralph\` keeps further tries away; closing this does for this commit.</sub>`,
  ];
  return { title: `ralph: fix ${plain(branch)}`, body: lines.join('\n') };
}

/** Code that nothing in it can end. */
function codeSpan(text: string, limit = 255): string {
  const one = plain(text).slice(0, limit).replaceAll('`', "'");
  return `\`${one === '' ? ' ' : one}\``;
}

function plain(text: string): string {
  return text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 200);
}
