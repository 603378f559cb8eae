import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parseEvent } from '../../../src/ci/github/event.ts';
import {
  commentPayload,
  dispatchPayload,
  labelPayload,
  pushPayload,
  RECORDED,
  workflowRunPayload,
} from '../../support/github/payloads.ts';

const HEAD = 'a'.repeat(40);
const ajv = new Ajv({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv) => void)(ajv);
ajv.addSchema(createRequire(import.meta.url)('@octokit/webhooks-schemas/schema.json') as object, 'webhooks');

function problemsOf(definition: string, payload: unknown): string[] {
  const check = ajv.getSchema(`webhooks#/definitions/${definition}`)!;
  return check(payload) === true
    ? []
    : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

describe('payloads that GitHub has recorded', () => {
  test.each(RECORDED)('of the event $name are read', ({ name, examples }) => {
    for (const payload of examples) {
      const event = parseEvent(payload, { name, repository: 'octo-org/shop', ref: 'refs/heads/main' });
      expect(event).toBeTypeOf('object');
      const isKnown = ['workflow_run', 'issue_comment', 'workflow_dispatch'].includes(name);
      const isLabel = name === 'pull_request' && /^(un)?labeled$/.test(payload.action ?? '');
      expect((event as { kind: string }).kind === 'unsupported').toBe(!isKnown && !isLabel);
    }
  });
});

describe("the payloads of the tests match GitHub's schemas", () => {
  test.each([
    ['workflow_run$completed', workflowRunPayload(HEAD)],
    ['pull_request$labeled', labelPayload(HEAD)],
    ['pull_request$unlabeled', labelPayload(HEAD, { action: 'unlabeled' })],
    ['issue_comment$created', commentPayload('/ralph fix')],
    ['workflow_dispatch$event', dispatchPayload({ branch: 'next' })],
    ['push$event', pushPayload(HEAD)],
  ])('%s', (definition, payload) => {
    expect(problemsOf(definition, payload)).toEqual([]);
  });

  test('which refuse a payload without its run', () => {
    expect(
      problemsOf('workflow_run$completed', { ...workflowRunPayload(HEAD), workflow_run: null }),
    ).not.toEqual([]);
  });
});
