/** A configuration is trusted once per repository before it may do what the sandbox does not confine. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ralph } from '../support/ralph.ts';
import {
  commitAll,
  NODE_TEST_FILES,
  repositoryWith,
  temporaryFolder,
  writeFiles,
} from '../support/repositories.ts';

const show = ['config', 'show', '--format', 'json'];

describe('a configuration', () => {
  it.each([
    ['a base URL', { baseUrl: 'http://127.0.0.1:9/v1' }, 'baseUrl "http://127.0.0.1:9/v1"'],
    ['a command', { command: 'curl example.invalid' }, 'command "curl example.invalid"'],
    ['an agent', { agent: 'sh -c true' }, 'agent "sh -c true"'],
    ['no sandbox', { sandbox: 'off' }, 'sandbox "off"'],
    ['the network', { allowNetwork: true }, 'allowNetwork true'],
    ['variables', { passEnv: ['OPENAI_API_KEY'] }, 'passEnv ["OPENAI_API_KEY"]'],
    ['more to read', { sandboxRead: ['/'] }, 'sandboxRead ["/"]'],
    ['more to write', { sandboxWrite: ['~'] }, 'sandboxWrite ["~"]'],
    ['a package of a provider', { model: 'mistral/large' }, 'model "mistral/large"'],
    ['a package as a judge', { judge: 'mistral/large' }, 'judge "mistral/large"'],
    ['a file to record to', { record: '../x' }, 'record "../x"'],
    ['a folder for workspaces', { workspaceDir: '/tmp/x' }, 'workspaceDir "/tmp/x"'],
  ])('that wants %s is refused without a terminal, until it is trusted', async (_, config, named) => {
    const root = repositoryWith({ ...NODE_TEST_FILES, 'ralph.config.json': config });
    for (const command of [show, ['run'], ['evaluate'], ['doctor', '--quick']]) {
      const refused = await ralph(root, command);
      expect(refused, command.join(' ')).toMatchObject({ exitCode: 2 });
      expect(refused.stderr).toContain(named);
      expect(refused.stderr).toContain('ralph trust');
    }
    expect((await ralph(root, ['trust'])).stdout).toContain(named);
    expect((await ralph(root, show)).exitCode).toBe(0);
  });

  it.each(['package.json', 'ralph.config.mjs', 'ralph.config.ts'])(
    'in %s is read without running it',
    async (name) => {
      const config = { sandbox: 'off' };
      const files =
        name === 'package.json'
          ? { [name]: { ...(NODE_TEST_FILES['package.json'] as object), ralph: config } }
          : { [name]: `// off\nexport default { 'sandbox': "off" };\n` };
      const root = repositoryWith({ ...NODE_TEST_FILES, ...files });
      const refused = await ralph(root, show);
      expect(refused).toMatchObject({ exitCode: 2 });
      expect(refused.stderr).toContain('sandbox "off"');
    },
  );

  it('that is a program does not run until it is trusted', async () => {
    const marker = join(temporaryFolder(), 'ran');
    const text = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(marker)}, '');\nexport default { maxIterations: 2 };\n`;
    const root = repositoryWith({ ...NODE_TEST_FILES, 'ralph.config.mjs': text });
    expect(await ralph(root, ['run'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('ralph trust'),
    });
    expect((await ralph(root, ['trust'])).exitCode).toBe(0);
    expect(existsSync(marker)).toBe(false);
    expect((await ralph(root, show)).exitCode).toBe(0);
    expect(existsSync(marker)).toBe(true);
  });

  it.each([
    ['limits and checks', { maxIterations: 2, checks: { more: 'true' }, sandbox: 'strict', passEnv: [] }],
    ['a model', { model: 'anthropic/claude-sonnet-4-5', fallbackModels: ['openai/gpt-5'], maxCost: 2 }],
  ])('with %s needs no trust', async (_, config) => {
    const root = repositoryWith({ ...NODE_TEST_FILES, 'ralph.config.json': config });
    expect((await ralph(root, show)).exitCode).toBe(0);
    expect((await ralph(root, ['trust'])).stdout).toContain('nothing that needs trust');
  });

  it('that ralph init wrote needs no trust', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    await ralph(root, ['init', '--yes']);
    expect((await ralph(root, show)).exitCode).toBe(0);
  });
});

describe('trust', () => {
  it('is for what was wanted: another value asks again, another setting does not', async () => {
    const root = repositoryWith({ ...NODE_TEST_FILES, 'ralph.config.json': { sandbox: 'off' } });
    await ralph(root, ['trust']);
    writeFiles(root, { 'ralph.config.json': { sandbox: 'off', maxIterations: 3 } });
    expect((await ralph(root, show)).exitCode).toBe(0);
    writeFiles(root, { 'ralph.config.json': { sandbox: 'off', baseUrl: 'http://127.0.0.1:9/v1' } });
    expect((await ralph(root, show)).exitCode).toBe(2);
  });

  it('is for one repository, and is stored outside of it', async () => {
    const files = { ...NODE_TEST_FILES, 'ralph.config.json': { sandbox: 'off' } };
    const [trusted, other] = [repositoryWith(files), repositoryWith(files)];
    await ralph(trusted, ['trust']);
    commitAll(trusted);
    expect((await ralph(trusted, show)).exitCode).toBe(0);
    expect((await ralph(other, show)).exitCode).toBe(2);
  });

  it('is not needed for a value that a flag or a variable replaces', async () => {
    const root = repositoryWith({ ...NODE_TEST_FILES, 'ralph.config.json': { sandbox: 'off' } });
    expect((await ralph(root, [...show, '--sandbox', 'auto'])).exitCode).toBe(0);
    expect((await ralph(root, show, { env: { RALPH_SANDBOX: 'auto' } })).exitCode).toBe(0);
    expect((await ralph(root, [...show, '--max-iterations', '2'])).exitCode).toBe(2);
  });
});
