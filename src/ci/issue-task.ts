import { issueTask } from '../prompts/issue.ts';
import { parseIssue, renderRepository } from './github/repository-name.ts';
import { findToken, openGitHub, type Environment } from './remote.ts';

/** An issue as a task. */
export interface IssueTask {
  readonly text: string;
  /** The issue's own text, written by anybody. */
  readonly body: string;
}

/** Fetches a GitHub issue (`owner/name#7`) and renders it as a task. A private one needs GITHUB_TOKEN. Throws RalphError. */
export async function readIssueTask(reference: string, env: Environment): Promise<IssueTask> {
  const { repository, number } = parseIssue(reference);
  const github = await openGitHub({ repository, token: findToken(env), env, warn: () => {} });
  const issue = await github.issue(number);
  return { text: issueTask(renderRepository(repository), issue), body: issue.body };
}
