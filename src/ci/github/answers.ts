import { ExitCode, RalphError } from '../../errors.ts';

type Kind = 'text' | 'number' | 'list';

/** `list`, the fields that an object must have, or `unread`: no JSON, or nothing that ralph reads. */
type Shape = 'list' | 'unread' | Readonly<Record<string, Kind>>;

/** A request that ralph makes: method and template of the path. */
export type Route = keyof typeof ANSWERS;

/**
 * The shape of GitHub's answer to each request, as far as ralph reads it. A proxy between GitHub and ralph, or another server
 * at GITHUB_API_URL, may answer 200 with a page of its own, which says nothing about labels or pull requests.
 */
const ANSWERS = {
  'GET /repos/{owner}/{repo}': { default_branch: 'text' },
  'GET /repos/{owner}/{repo}/pulls': 'list',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}': { number: 'number', labels: 'list' },
  'POST /repos/{owner}/{repo}/pulls': { number: 'number', html_url: 'text' },
  'PATCH /repos/{owner}/{repo}/pulls/{number}': { number: 'number', html_url: 'text' },
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers': { number: 'number' },
  'GET /repos/{owner}/{repo}/collaborators/{username}/permission': { permission: 'text' },
  'GET /repos/{owner}/{repo}/issues/{number}': { number: 'number', title: 'text' },
  'POST /repos/{owner}/{repo}/issues/{issue_number}/labels': 'list',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': { id: 'number' },
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments': 'list',
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}': { id: 'number' },
  'GET /repos/{owner}/{repo}/actions/runs': { workflow_runs: 'list' },
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs': { jobs: 'list' },
  'POST /repos/{owner}/{repo}/git/blobs': { sha: 'text' },
  'POST /repos/{owner}/{repo}/git/trees': { sha: 'text' },
  'POST /repos/{owner}/{repo}/git/commits': { sha: 'text' },
  'POST /repos/{owner}/{repo}/git/refs': { ref: 'text' },
  'PATCH /repos/{owner}/{repo}/git/refs/{ref}': { ref: 'text' },
  'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs': 'unread',
  'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches': 'unread',
} as const satisfies Readonly<Record<string, Shape>>;

/** Why an answer is not what GitHub gives to this request, as a clause; undefined: it is. */
export function whyNoAnswer(route: Route, data: unknown): string | undefined {
  const shape: Shape = ANSWERS[route];
  if (shape === 'unread') return undefined;
  if (shape === 'list') return isKind(data, 'list') ? undefined : 'it is no list of objects';
  if (typeof data !== 'object' || data === null) return 'it is no JSON object';
  const wrong = Object.entries(shape).find(
    ([field, kind]) => !isKind((data as Readonly<Record<string, unknown>>)[field], kind),
  );
  return wrong && `it has no ${wrong[0]} as GitHub gives it`;
}

/** The error for an answer that GitHub does not give. `path`: that of the request. */
export function unbelievable(method: string, path: string, why: string): RalphError {
  return new RalphError(`The answer to ${method} ${path} is not GitHub's: ${why}.`, {
    code: 'github_failed',
    exitCode: ExitCode.workspace,
    hint: 'Is GITHUB_API_URL, if it is set, the address of the REST API, and does a proxy answer in its place? Run it again later.',
  });
}

function isKind(value: unknown, kind: Kind): boolean {
  if (kind === 'list')
    return Array.isArray(value) && value.every((it) => typeof it === 'object' && it !== null);
  return kind === 'text' ? typeof value === 'string' : Number.isSafeInteger(value);
}
