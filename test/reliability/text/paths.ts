import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderPrompt } from '../../../src/prompts/render.ts';
import { resolveLoopId } from '../../../src/state/loops.ts';
import { createRunStore } from '../../../src/state/run-store.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { isLoopId, newLoopId } from '../../../src/platform/loop-id.ts';
import {
  ensureRalphFolder,
  liesInRepository,
  RALPH_FOLDER,
  ralphFolder,
  resolveRalphPath,
} from '../../../src/platform/ralph-folder.ts';
import type { Row } from '../suite.ts';
import { rowOf, type Trial } from './row.ts';

/** Strings that are not valid loop ids. */
const INVALID_IDS: readonly string[] = [
  '',
  '.',
  '..',
  '/',
  '\\',
  '~',
  '*',
  '-',
  '--help',
  '%2e%2e',
  '%2e%2e%2f',
  '\0',
  'con',
  'nul',
  'ralph-',
  'ralph-..',
  'ralph-../x',
  'ralph-a/../../b',
  'ralph-a\\..\\b',
  'ralph-%2e%2e',
  'ralph-a%00',
  'ralph-a\0',
  'ralph-a\n',
  'ralph-a\r',
  'ralph-a ',
  ' ralph-a',
  'ralph-A',
  'ralph-ä',
  'ralph-a.b',
  'ralph-a:b',
  'ralph-a;b',
  'ralph-$(id)',
  'ralph-`id`',
  'ralph-a|b',
  'ralph-a\u202eb',
  'ralph-a\u200bb',
  'ralph-\uff0e\uff0e',
  'ralph-\u2025',
  '../../etc/passwd',
  '/etc/passwd',
  'file:///etc/passwd',
  'ralph-a/journal.jsonl',
  `ralph-${'a'.repeat(200)}`,
  '__proto__',
  'constructor',
  'RALPH-A',
];

/** Invalid loop ids must be rejected, and ids made from tasks must be valid. */
export async function tryLoopIds(): Promise<Row> {
  const root = makeTemporaryFolder('ids');
  const trials: Trial[] = [];
  for (const id of INVALID_IDS) {
    const asked = await errorCode(() => resolveLoopId(root, id));
    const stored = await errorCode(() =>
      Promise.resolve(createRunStore({ repositoryRoot: root, loopId: id })),
    );
    trials.push({ name: JSON.stringify(id), held: !isLoopId(id) && asked === 'usage' && stored === 'usage' });
  }
  for (const task of INVALID_IDS)
    trials.push({ name: `task ${JSON.stringify(task)}`, held: isLoopId(newLoopId(task, new Date())) });
  const key = `sk-ant-api03-${'a1b2'.repeat(8)}`;
  trials.push({ name: 'a secret in the task', held: !newLoopId(`use ${key}`, new Date()).includes('a1b2') });
  removeTemporaryFolder(root);
  return rowOf('loop ids with paths or special characters: rejected', trials);
}

/** Links and path segments that lead out of the repository must be rejected by readers and writers. */
export async function tryLinks(): Promise<Row> {
  const trials: Trial[] = [];
  const links = [
    '.aiwg',
    '.aiwg/ralph',
    '.aiwg/ralph/loops',
    '.aiwg/ralph/reflections',
    '.aiwg/ralph/memory',
    '.aiwg/ralph/loops/ralph-a',
    '.aiwg/ralph/loops/ralph-a/attempts',
    '.aiwg/ralph/prompts',
  ];
  for (const link of links) {
    for (const target of ['outside', 'nowhere']) {
      const held = await withRepository(async (root, outside) => {
        put(root, link, target === 'outside' ? outside : join(outside, 'nowhere'));
        const path = `${link.startsWith(RALPH_FOLDER) ? link : RALPH_FOLDER}/x`;
        return (
          (await errorCode(() => Promise.resolve(resolveRalphPath(root, path)))) === 'repository_unusable'
        );
      });
      trials.push({ name: `${link} → ${target}`, held });
    }
  }
  for (const file of ['state.json', 'journal.jsonl']) {
    const held = await withRepository(async (root, outside) => {
      put(root, `.aiwg/ralph/loops/ralph-a/${file}`, join(outside, 'secret'));
      return (
        (await errorCode(() => Promise.resolve(ralphFolder(root).inLoop('ralph-a', file)))) ===
        'repository_unusable'
      );
    });
    trials.push({ name: `${file} → a file outside`, held });
  }
  const template = await withRepository(async (root, outside) => {
    put(root, '.aiwg/ralph/prompts/react-system.hbs', join(outside, 'secret'));
    return (
      (await errorCode(() => Promise.resolve(renderPrompt('react-system', {}, root)))) ===
      'repository_unusable'
    );
  });
  trials.push({ name: 'a prompt template → a file outside', held: template });
  const guidance = await withRepository((root, outside) => {
    put(root, 'AGENTS.md', join(outside, 'secret'));
    put(root, 'docs/CLAUDE.md', '../../outside/secret');
    const inside = join(root, 'README.md');
    writeFileSync(inside, 'read me');
    put(root, 'NOTES.md', 'README.md');
    const refused = ['AGENTS.md', 'docs/CLAUDE.md'].every(
      (file) => !liesInRepository(root, join(root, file)),
    );
    return Promise.resolve(
      refused && liesInRepository(root, inside) && liesInRepository(root, join(root, 'NOTES.md')),
    );
  });
  trials.push({ name: 'AGENTS.md → a file outside', held: guidance });
  for (const segments of [
    ['..'],
    ['..', '..', 'x'],
    ['loops', '..', '..', '..', 'x'],
    ['a\0b'],
    ['loops', '../../../../etc'],
  ]) {
    const held = await withRepository(
      async (root) =>
        (await errorCode(() => Promise.resolve(resolveRalphPath(root, join(RALPH_FOLDER, ...segments))))) !==
        'accepted',
    );
    trials.push({ name: JSON.stringify(segments), held });
  }
  const honest = await withRepository(async (root) => {
    ensureRalphFolder(root);
    return (await errorCode(() => Promise.resolve(ralphFolder(root).loop('ralph-a')))) === 'accepted';
  });
  return rowOf('links and paths out of the repository: rejected', [
    ...trials,
    { name: 'a valid path', held: honest },
  ]);
}

/** The code of the error; `accepted` without an error. */
async function errorCode(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return 'accepted';
  } catch (error) {
    return String((error as { code?: unknown }).code ?? 'error');
  }
}

function put(root: string, link: string, target: string): void {
  mkdirSync(dirname(join(root, link)), { recursive: true });
  symlinkSync(target, join(root, link));
}

async function withRepository(act: (root: string, outside: string) => Promise<boolean>): Promise<boolean> {
  const folder = makeTemporaryFolder('links');
  const [root, outside] = [join(folder, 'repository'), join(folder, 'outside')];
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'a secret of the user');
  try {
    return await act(root, outside);
  } finally {
    removeTemporaryFolder(folder);
  }
}
