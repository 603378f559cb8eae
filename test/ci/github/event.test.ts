import { expect, test } from 'vitest';
import { parseEvent } from '../../../src/ci/github/event.ts';
import { commentPayload, labelPayload, workflowRunPayload } from '../../support/github/payloads.ts';

const HEAD = 'a'.repeat(40);
const SOURCE = { repository: 'octo-org/shop', ref: 'refs/heads/main' };

test('reads a workflow run with its commit', () => {
  expect(parseEvent(workflowRunPayload(HEAD), { ...SOURCE, name: 'workflow_run' })).toEqual({
    kind: 'workflow_run',
    run: 30433642,
    workflow: 'CI',
    path: '.github/workflows/ci.yml',
    byBot: false,
    onDefaultBranch: true,
    conclusion: 'failure',
    branch: 'main',
    head: HEAD,
    fork: false,
    message: 'Round the totals',
  });
});

test('compares repository names without regard to case', () => {
  const payload = workflowRunPayload(HEAD, { head_repository: { full_name: 'Octo-Org/Shop' } });
  expect(parseEvent(payload, { ...SOURCE, name: 'workflow_run' })).toMatchObject({ fork: false });
});

test.each([
  ['a string', 'workflow_run', 'text', 'the payload is not an object'],
  ['a list', 'workflow_run', [], 'the payload is not an object'],
  ['a payload without a run', 'workflow_run', {}, 'workflow_run is not an object'],
  [
    'a head that is not a commit hash',
    'workflow_run',
    workflowRunPayload('main; rm -rf /'),
    'workflow_run.head_sha is not a commit hash',
  ],
  [
    'a conclusion that is not a string',
    'workflow_run',
    workflowRunPayload(HEAD, { conclusion: 1 }),
    'workflow_run.conclusion is not a string',
  ],
  [
    'labels that are not a list',
    'pull_request',
    labelPayload(HEAD, { pull: { labels: null } }),
    'pull_request.labels is not a list',
  ],
  [
    'a number in a string',
    'pull_request',
    labelPayload(HEAD, { pull: { number: '7' } }),
    'pull_request.number is not a positive integer',
  ],
  [
    'a comment without an author',
    'issue_comment',
    commentPayload('/ralph fix', { comment: { user: null } }),
    'comment.user is not an object',
  ],
])('names the malformed field of %s', (_, name, payload, problem) => {
  expect(parseEvent(payload, { ...SOURCE, name })).toBe(problem);
});

test('needs GITHUB_REPOSITORY', () => {
  expect(parseEvent(workflowRunPayload(HEAD), { ...SOURCE, repository: '', name: 'workflow_run' })).toContain(
    'GITHUB_REPOSITORY',
  );
});
