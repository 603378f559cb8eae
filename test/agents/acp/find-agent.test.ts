import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KNOWN_AGENTS } from '../../../src/agents/acp/agents.ts';
import { findAgent } from '../../../src/agents/acp/find-agent.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** A PATH folder with these programs. */
function pathWith(...programs: string[]): string {
  const folder = temporaryFolder();
  for (const program of programs) {
    writeFileSync(join(folder, program), '#!/bin/sh\n');
    chmodSync(join(folder, program), 0o755);
  }
  return folder;
}

describe('findAgent', () => {
  it.each([
    ['claude', 'claude-agent-acp', []],
    ['claude', 'claude-code-acp', []],
    ['codex', 'codex-acp', []],
    ['gemini', 'gemini', ['--acp']],
    ['opencode', 'opencode', ['acp']],
    ['qwen', 'qwen', ['--acp']],
    ['goose', 'goose', ['acp']],
    ['cline', 'cline', ['--acp']],
    ['pi', 'pi-acp', []],
  ])('uses the protocol of %s if %s is installed', (name, file, args) => {
    expect(findAgent(name, pathWith(file))).toMatchObject({ name, speaks: 'protocol', call: { file, args } });
  });

  it('knows the other ways of an agent that is installed as one program', () => {
    const path = pathWith('cline', 'opencode');
    expect(findAgent('cline', path)).toMatchObject({
      fallback: { speaks: 'cline', call: { file: 'cline' } },
    });
    expect(findAgent('opencode', path)).toMatchObject({
      sessionExport: { file: 'opencode', args: ['export'] },
    });
  });

  it.each(['claude', 'codex', 'pi'])('uses the headless mode of %s without a protocol program', (name) => {
    expect(findAgent(name, pathWith(name))).toMatchObject({ name, speaks: name, call: { file: name } });
  });

  it('prefers the protocol to the headless mode', () => {
    expect(findAgent('codex', pathWith('codex', 'codex-acp'))).toMatchObject({ speaks: 'protocol' });
  });

  it.each(KNOWN_AGENTS)('reports how to install $name', ({ name, install }) => {
    const error = { code: 'actor_failed', exitCode: 5, hint: expect.stringContaining(install) as string };
    expect(() => findAgent(name, pathWith('ls'))).toThrow(expect.objectContaining(error) as Error);
    expect(() => findAgent(name, pathWith('ls'))).toThrow(`The agent ${name} is not installed`);
  });

  it('ignores files that are not executable, folders and empty parts of PATH', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'qwen'), '');
    const other = temporaryFolder();
    mkdirSync(join(other, 'qwen'));
    expect(() => findAgent('qwen', `:${folder}:${other}:`)).toThrow('not installed');
  });

  it('suggests the most similar agent for an unknown word, and lists all of them', () => {
    const hint = expect.stringContaining('claude, codex, gemini') as string;
    expect(() => findAgent('opencod', pathWith('ls'))).toThrow('Did you mean opencode?');
    expect(() => findAgent('opencod', pathWith('ls'))).toThrow(expect.objectContaining({ hint }) as Error);
    expect(() => findAgent('zzzzzzzz', pathWith('ls'))).toThrow(/PATH\.$/);
  });

  it.each([
    ['my-agent --stdio', 'my-agent'],
    ['  /opt/tools/agent.js acp ', 'agent.js'],
    ['./agent', 'agent'],
    ["'/opt/a b/agent' acp", 'a'],
    ['node lib/mine.mjs --acp', 'mine.mjs'],
    ['env KEY=1 npx --yes my-agent acp', 'my-agent'],
    ['uv run agent.py', 'agent.py'],
    ['node', 'node'],
  ])('accepts %j as a command line', (line, name) => {
    expect(findAgent(line, pathWith('node'))).toEqual({
      name,
      speaks: 'protocol',
      call: { shell: line.trim() },
    });
  });

  it('accepts a single program name as a command line', () => {
    expect(findAgent('my-agent', pathWith('my-agent'))).toMatchObject({ call: { shell: 'my-agent' } });
  });
});
