import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTools } from '../../../src/agents/tools/index.ts';
import { REDACTED } from '../../../src/platform/redaction/redact.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ralph-marker-'));
  writeFileSync(join(root, 'a.js'), "const key = 'real';\nconst b = 1;\n");
});
afterEach(() => rmSync(root, { recursive: true }));

function call(name: 'edit' | 'write', input: object): Promise<string> {
  const tools = createTools({ root, cwd: '.', bashTimeoutMs: 1000, onAction: () => {} });
  return tools[name]!.run(input as never, new AbortController().signal);
}
const text = (): string => readFileSync(join(root, 'a.js'), 'utf8');

describe('a model that was shown the redaction marker', () => {
  it('cannot write the marker over the secret', async () => {
    const content = `const key = '${REDACTED}';\nconst b = 2;\n`;
    await expect(call('write', { path: 'a.js', content })).rejects.toThrow('stands for a secret');
    const edits = [{ oldText: "'real'", newText: `'${REDACTED}'` }];
    await expect(call('edit', { path: 'a.js', edits })).rejects.toThrow('stands for a secret');
    expect(text()).toBe("const key = 'real';\nconst b = 1;\n");
  });

  it('can change the rest of the file, and a file that contains the marker itself', async () => {
    await call('edit', { path: 'a.js', edits: [{ oldText: 'b = 1', newText: 'b = 2' }] });
    expect(text()).toBe("const key = 'real';\nconst b = 2;\n");
    writeFileSync(join(root, 'a.js'), `const mark = '${REDACTED}';\n`);
    await call('write', { path: 'a.js', content: `export const mark = '${REDACTED}';\n` });
    expect(text()).toBe(`export const mark = '${REDACTED}';\n`);
  });
});
