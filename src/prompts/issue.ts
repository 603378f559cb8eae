import { fenced, line, type FencedText } from './bounded-data.ts';
import { renderPrompt } from './render.ts';

/** Variables of `issue-task.hbs`; `text` is the body, which may be empty. */
export interface IssuePrompt extends FencedText {
  readonly number: number;
  /** `owner/name`. */
  readonly repository: string;
  readonly title: string;
  /** Login of the author. */
  readonly author: string;
}

/** An issue as GitHub returns it. Untrusted: anybody may open one. */
export interface IssueText {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
}

const MAX_TITLE_BYTES = 500;
const MAX_BODY_BYTES = 12_000;

/** Renders an issue as a task: title on one line, body in a fence that it cannot close, both bounded. */
export function issueTask(repository: string, { number, title, body, author }: IssueText): string {
  return renderPrompt('issue-task', {
    number,
    repository,
    author: line(author, 100),
    title: line(title, MAX_TITLE_BYTES),
    ...fenced(body, MAX_BODY_BYTES),
  }).trim();
}
