/** What `ralph ci publish` and the next plan leave behind on the remote and in the comment. */
import { describe, expect, test } from 'vitest';
import { copyJob, fileOf, fixedJob, plan, publish, startJob, type Job } from '../support/github/job.ts';
import { workflowRunPayload } from '../support/github/payloads.ts';
import { git } from '../support/repositories.ts';

async function jobWithPull(labels: readonly string[] = []): Promise<Job> {
  const job = await fixedJob();
  job.github.addPull({ number: 7, headBranch: 'main', headSha: job.head, labels: [...labels] });
  return job;
}

const branches = (job: Job): string =>
  git(job.bare, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph/fix-main');

describe('--no-pull-request with a token', () => {
  test('pushes the branch and ends the comment', async () => {
    const job = await jobWithPull();
    const published = await publish(job, '4711-1', ['--no-pull-request']);
    expect(published.outputs).toMatchObject({ published: 'true', 'pr-url': '' });
    expect(job.github.pulls).toHaveLength(1);
    expect(fileOf(job, 'ralph/fix-main', 'src/add.js')).toContain('a + b');
    expect(job.github.comments.map(({ body }) => body)).toEqual([
      expect.stringContaining('has a verified fix: Pushed the fix to ralph/fix-main.\n'),
    ]);
  });

  test('heeds the label against it', async () => {
    const job = await jobWithPull(['no-ralph']);
    const withheld = await publish(job, '4711-1', ['--no-pull-request']);
    expect(withheld.outputs).toMatchObject({ published: 'false', reason: 'opted_out' });
    expect(branches(job)).toBe('');
  });
});

test('a branch of the name without a commit of its own is used; one below the name is told as what it is', async () => {
  const job = await fixedJob();
  const other = await copyJob(job);
  git(job.bare, 'branch', 'ralph/fix-main', 'main');
  const published = await publish(job);
  expect(published.outputs).toMatchObject({ published: 'true' });
  expect(git(job.bare, 'rev-parse', 'ralph/fix-main^').trim()).toBe(job.head);

  git(other.bare, 'branch', 'ralph/fix-main/below', 'main');
  const refused = await publish(other);
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout).toContain('the remote refuses the name');
  expect(refused.stdout).not.toContain('holds commits that ralph did not make');
});

test('the comment of a try that died is ended when no try is left', async () => {
  const job = await startJob();
  job.github.addPull({ number: 7, headBranch: 'main', headSha: job.head });
  const args = ['--max-tries', '1'];
  const event = { name: 'workflow_run', payload: workflowRunPayload(job.head), args };
  expect((await plan(job, event)).outputs.run).toBe('true');
  const [comment] = job.github.comments;
  expect(comment!.body).toContain('is at work');
  expect((await plan(job, { ...event, attempt: '2' })).outputs).toMatchObject({
    run: 'false',
    reason: 'tries_used',
  });
  expect(comment!.body).toContain('makes no try (`tries_used`)');
  expect(job.github.comments).toHaveLength(1);
});

test('a reviewer that is no name is refused before anything is pushed', async () => {
  const job = await fixedJob();
  const refused = await publish(job, '4711-1', ['--reviewer', '../../../user']);
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(refused.stderr).toContain('--reviewer "../../../user" is neither a user nor a team.');
  expect(branches(job)).toBe('');
});
