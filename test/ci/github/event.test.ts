import { expect, test } from 'vitest';
import { parseEvent } from '../../../src/ci/github/event.ts';
import { commentPayload, labelPayload, workflowRunPayload } from '../../support/github/payloads.ts';

const HEAD = 'a'.repeat(40);
const SOURCE = { repository: 'octo-org/shop', ref: 'refs/heads/main' };

test('a workflow run is read with the commit that it was on', () => {
  expect(parseEvent(workflowRunPayload(HEAD), { ...SOURCE, name: 'workflow_run' })).toEqual({
    ...{
      kind: 'workflow_run',
      workflow: 'CI',
      conclusion: 'failure',
      branch: 'main',
      head: HEAD,
      fork: false,
    },
    message: 'Round the totals',
  });
});

test('the repository is compared as GitHub compares it, in any case', () => {
  const payload = workflowRunPayload(HEAD, { head_repository: { full_name: 'Octo-Org/Shop' } });
  expect(parseEvent(payload, { ...SOURCE, name: 'workflow_run' })).toMatchObject({ fork: false });
});

test.each([
  ['no object', 'workflow_run', 'text', 'the payload is no object'],
  ['a list', 'workflow_run', [], 'the payload is no object'],
  ['no run', 'workflow_run', {}, 'workflow_run is no object'],
  [
    'a head that is no commit',
    'workflow_run',
    workflowRunPayload('main; rm -rf /'),
    'workflow_run.head_sha is no commit',
  ],
  [
    'a conclusion that is no text',
    'workflow_run',
    workflowRunPayload(HEAD, { conclusion: 1 }),
    'workflow_run.conclusion is no text',
  ],
  [
    'labels that are no list',
    'pull_request',
    labelPayload(HEAD, { pull: { labels: null } }),
    'pull_request.labels is no list',
  ],
  [
    'a number that is none',
    'pull_request',
    labelPayload(HEAD, { pull: { number: '7' } }),
    'pull_request.number is no number above 0',
  ],
  [
    'a comment without an author',
    'issue_comment',
    commentPayload('/ralph fix', { comment: { user: null } }),
    'comment.user is no object',
  ],
])('what is %s is named and not guessed', (_, name, payload, problem) => {
  expect(parseEvent(payload, { ...SOURCE, name })).toBe(problem);
});

test('without a repository to compare with, nothing is read', () => {
  expect(parseEvent(workflowRunPayload(HEAD), { ...SOURCE, repository: '', name: 'workflow_run' })).toContain(
    'GITHUB_REPOSITORY',
  );
});
