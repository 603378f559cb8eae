import { issueTask } from '../prompts/issue.ts';
import { parseIssue, renderRepository } from './github/repository-name.ts';
import { findToken, openGitHub, type Environment } from './remote.ts';

/** Fetches a GitHub issue (`owner/name#7`) and renders it as a task. A private one needs GITHUB_TOKEN. Throws RalphError. */
export async function readIssueTask(reference: string, env: Environment): Promise<string> {
  const { repository, number } = parseIssue(reference);
  const github = await openGitHub({ repository, token: findToken(env), env, warn: () => {} });
  return issueTask(renderRepository(repository), await github.issue(number));
}
