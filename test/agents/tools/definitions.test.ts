import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { createTools } from '../../../src/agents/tools/index.ts';
import { temporaryFolder } from '../../support/repositories.ts';
import { toolBench } from './tool-bench.ts';

/** The tools as sent in a request. */
function definitionsAt(root: string, cwd: string): string {
  const tools = createTools({ root, cwd, bashTimeoutMs: root.length, onAction: () => {} });
  return JSON.stringify(
    Object.entries(tools).map(([name, { description, inputSchema }]) => ({ name, description, inputSchema })),
  );
}

describe('the definitions of the tools', () => {
  it('have at most 2,300 bytes in total', () => {
    expect(Buffer.byteLength(definitionsAt('/', '.'))).toBeLessThanOrEqual(2300);
  });

  it('are identical for every path', () => {
    expect(definitionsAt(temporaryFolder(), 'packages/a')).toBe(definitionsAt('/', '.'));
  });

  it('are in a fixed order', () => {
    const tools = createTools({ root: '/', cwd: '.', bashTimeoutMs: 1, onAction: () => {} });
    expect(Object.keys(tools)).toEqual(['read', 'list', 'search', 'edit', 'write', 'bash']);
  });

  it.each([
    ['read', { path: 'a', offset: 1, limit: 2 }, { offset: 1 }],
    ['list', {}, { path: 1 }],
    ['search', { pattern: 'a', literal: true, ignoreCase: false }, { path: 'a' }],
    ['edit', { path: 'a', edits: [{ oldText: 'a', newText: '' }] }, { path: 'a', edits: [{ oldText: 'a' }] }],
    ['edit', { path: 'a', edits: [{ oldText: 'a', newText: '' }] }, { path: 'a', edits: [] }],
    ['write', { path: 'a', content: '' }, { path: 'a' }],
    ['bash', { command: 'ls', timeout: 1 }, { command: 'ls', timeout: 'long' }],
  ])('of %s accept valid input only', (name, good, bad) => {
    const tools = createTools({ root: '/', cwd: '.', bashTimeoutMs: 1, onAction: () => {} });
    const validate = new Ajv2020().compile(tools[name]!.inputSchema);
    expect(validate(good)).toBe(true);
    expect(validate(bad)).toBe(false);
  });
});

describe('a failed call', () => {
  it('adds an action whose message has no absolute path', async () => {
    const bench = toolBench();
    const path = `${'x'.repeat(300)}.ts`;
    const message = await bench.refusal('write', { path, content: 'x' });
    expect(message).toMatch(/ENAMETOOLONG/);
    expect(message).not.toContain(bench.root);
    expect(bench.actions).toMatchObject([{ type: 'other' }]);
    expect(bench.actions[0]!.description).toMatch(/^write failed: ENAMETOOLONG/);
  });
});
