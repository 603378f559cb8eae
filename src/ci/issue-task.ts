import { parseIssue, renderRepository } from './github/names.ts';
import { issueTask } from '../prompts/issue.ts';
import { openGitHub, tokenOf, type Environment } from './ground.ts';

/** The task that an issue of GitHub asks for; `GITHUB_TOKEN` where it is private. Throws RalphError. */
export async function readIssueTask(reference: string, env: Environment): Promise<string> {
  const { repository, number } = parseIssue(reference);
  const github = await openGitHub({ repository, token: tokenOf(env), env, warn: () => {} });
  return issueTask(renderRepository(repository), await github.issue(number));
}
