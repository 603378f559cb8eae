import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEYS, modelFlags } from '../support/model-run.ts';
import { ralph } from '../support/ralph.ts';
import {
  git,
  NODE_TEST_FILES,
  repositoryWith,
  temporaryFolder,
  writeFiles,
} from '../support/repositories.ts';
import { hasTmux, openPane, type Pane } from '../support/tmux.ts';
import type { WireServer } from '../support/wire/index.ts';
import { serve } from '../support/wire/serve.ts';

const TASK = 'add an exported slugify function to src/text.js';
const OWN = 'export const upper = (text) => text.toUpperCase();\n';
/** A repository whose checks all pass. */
const GREEN = {
  ...NODE_TEST_FILES,
  'src/add.js': 'export const add = (a, b) => a + b;\nexport const twice = (a) => add(a, a);\n',
  'src/text.js': OWN,
};
const PATH = 'test/slugify.test.js';
const TESTS =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport * as api from '../src/text.js';\n\n" +
  "test('joins', () => assert.equal(api.slugify('A b'), 'a-b'));\ntest('shouts', () => assert.equal(api.slugify('a'), 'A!'));\n";
const REAL = "export const slugify = (text) => text.toLowerCase().replaceAll(' ', '-');\n";

/** A model whose writer also demands something wrong, and whose actor writes slugify. */
function model(): Promise<WireServer> {
  const criteria = [
    { text: 'slugify joins words.', tests: ['joins'], covered_by: [] },
    { text: 'slugify shouts.', tests: ['shouts'], covered_by: [] },
  ];
  const answer = JSON.stringify({ criteria, files: [{ path: PATH, content: TESTS }] });
  return serve(({ body }) =>
    body.includes('You write acceptance tests')
      ? { text: answer }
      : { text: `src/text.js\n\`\`\`js\n${OWN}${REAL}\`\`\`\n` },
  );
}

const ARGS = ['--actor', 'cot', '--reflector', 'rules', '-i', '1', '--proof-time', '0s', '--review'];

/** A run in a terminal whose editor is this shell script; `seen` is a copy of the file as the editor got it. */
async function reviewed(script: string): Promise<{ pane: Pane; root: string; seen: string }> {
  const root = repositoryWith(GREEN);
  const folder = temporaryFolder();
  const editor = join(folder, 'editor');
  const seen = join(folder, 'seen');
  writeFiles(folder, { editor: `#!/bin/sh\ncat "$1" >> '${seen}'\n${script}\n` });
  chmodSync(editor, 0o755);
  const args = [`"${TASK}"`, ...modelFlags(await model()), ...ARGS].join(' ');
  const pane = openPane({
    cwd: root,
    args: `run ${args}`,
    columns: 120,
    env: { ...KEYS, EDITOR: editor, VISUAL: '' },
  });
  return { pane, root, seen };
}

describe.skipIf(!hasTmux)('--review in a terminal', () => {
  it('lets the user drop a test that demands something wrong', async () => {
    const { pane, root, seen } = await reviewed(`sed -i '/shouts/d' "$1"`);
    expect(await pane.exitCode()).toBe(0);
    expect(readFileSync(seen, 'utf8')).toMatch(/^\/\/ ralph: .*Save and quit[^]*shouts/);
    expect(readFileSync(join(root, PATH), 'utf8')).toBe(TESTS.replace(/.*shouts.*\n/, ''));
    expect(pane.everything().join('\n')).toContain('not covered: slugify shouts.');
    expect(pane.isCursorShown()).toBe(true);
  });

  it('accepts tests that the user leaves as they are', async () => {
    const { pane, root } = await reviewed('true');
    // The wrong test is not fulfilled.
    expect(await pane.exitCode()).toBe(1);
    expect(existsSync(join(root, PATH))).toBe(false);
  });

  it('takes an edited test, and shows the files again with the reason if one does not count', async () => {
    const script = [
      `if grep -q 'already passes' "$1"; then sed -i "s/api.upper('a'), 'A'/api.slugify('C d'), 'c-d'/" "$1";`,
      `else sed -i "s/.*shouts.*/test('mine', () => assert.equal(api.upper('a'), 'A'));/" "$1"; fi`,
    ].join(' ');
    const { pane, root, seen } = await reviewed(script);
    expect(await pane.exitCode()).toBe(0);
    expect(readFileSync(seen, 'utf8')).toContain('// ralph: test/slugify.test.js: "mine" already passes.');
    const kept = readFileSync(join(root, PATH), 'utf8');
    expect(kept).toContain("test('mine', () => assert.equal(api.slugify('C d'), 'c-d'));");
    expect(kept).not.toContain('ralph:');
    expect(pane.everything().join('\n')).toContain('"mine" passes.');
  });

  it.each([
    ['empties the file', ': > "$1"'],
    ['removes the file', 'rm "$1"'],
    ['deletes every test', `sed -i '/^test(/d' "$1"`],
  ])('ends unproven if the user %s', async (_name, script) => {
    const { pane, root } = await reviewed(script);
    expect(await pane.exitCode()).toBe(8);
    expect(pane.everything().join('\n')).toContain('No test is left after the review');
    expect(readFileSync(join(root, 'src/text.js'), 'utf8')).toBe(OWN);
    expect(
      git(
        root,
        'diff',
        '--name-only',
        'HEAD',
        git(root, 'branch', '--list', '--format=%(refname:short)', 'ralph/*').trim(),
      ),
    ).toBe('src/text.js\n');
  });

  it('is cancelled by an editor that fails', async () => {
    const { pane, root } = await reviewed('exit 1');
    expect(await pane.exitCode()).toBe(2);
    expect(pane.everything().join('\n')).toContain('The review was cancelled');
    expect(readFileSync(join(root, 'src/text.js'), 'utf8')).toBe(OWN);
  });
});

describe('--review', () => {
  it('needs a terminal', async () => {
    const run = await ralph(repositoryWith(GREEN), ['run', TASK, ...modelFlags(await model()), ...ARGS], {
      env: KEYS,
    });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('--review needs a terminal');
    expect(run.stderr).toContain('--accept-tests FILE');
  });

  it('works on one task only', async () => {
    const run = await ralph(repositoryWith(GREEN), ['run', '--tasks', 'tasks.md', '--review']);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('--review does not work with --tasks');
  });

  it.skipIf(!hasTmux).each([
    ['nobody writes tests', '--command true --accept false', 'vi', '--review has nothing to show'],
    ['there is no editor', '--command true --accept false', '', 'neither VISUAL nor EDITOR is set'],
  ])('is refused if %s', async (_name, args, editor, message) => {
    const env = { EDITOR: editor, VISUAL: '' };
    const pane = openPane({
      cwd: repositoryWith(GREEN),
      args: `run task ${args} --review`,
      columns: 200,
      env,
    });
    expect(await pane.exitCode()).toBe(2);
    expect(pane.everything().join('\n')).toContain(message);
  });
});
