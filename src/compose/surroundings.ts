import { existsSync } from 'node:fs';
import type { Settings } from '../config/settings.ts';
import { listReflectionFiles } from '../memory/episodes/reflection-files.ts';
import { lockHolder } from '../state/lock.ts';
import { listLoops } from '../state/loops.ts';
import { ralphFolder } from '../platform/ralph-folder.ts';
import { runGit } from '../platform/git/git.ts';
import { installedAgents } from './known-agents.ts';
import type { Project } from './project.ts';

/** One thing that a run depends on. */
export interface Finding {
  readonly name: string;
  /** `missing`: a run needs it, or would be worse without it. */
  readonly status: 'ok' | 'note' | 'missing';
  readonly text: string;
  /** A command or setting. */
  readonly remedy?: string;
}

const KEYS = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'];

/** What is around a run: programs, keys (their names alone), agents, state and budgets. Never throws for what is missing. */
export async function surroundingsOf(
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const { repository, settings } = project;
  return [
    { name: 'node', status: 'ok', text: `${process.versions.node} at ${process.execPath}` },
    await ofGit(repository.root),
    await ofState(repository.root),
    ...(await ofIgnoreRules(repository.root)),
    ...ofLock(repository.root),
    ofKeys(env),
    ofAgents(env['PATH'] ?? ''),
    ofBudgets(settings),
  ];
}

async function ofGit(root: string): Promise<Finding> {
  const version = (await runGit(['version'], { cwd: root })).stdout.toString('utf8').trim();
  const email = await runGit(['config', 'user.email'], { cwd: root });
  const text = version.replace(/^git version /, '');
  if (email.exitCode === 0) return { name: 'git', status: 'ok', text };
  const remedy =
    'git config --global user.email you@example.com && git config --global user.name "Your Name"';
  return { name: 'git', status: 'note', text: `${text}; it does not know you, which --commit needs`, remedy };
}

async function ofState(root: string): Promise<Finding> {
  const { loops, damaged } = await listLoops(root);
  const reflections = await listReflectionFiles(root);
  const lessons = existsSync(ralphFolder(root).inMemory('lessons.jsonl')) ? ', lessons' : '';
  const text = `.aiwg/ralph: ${loops.length} loops, ${reflections.length} reflections${lessons}`;
  if (damaged.length === 0) return { name: 'state', status: 'ok', text };
  return {
    name: 'state',
    status: 'missing',
    text: `${text}; damaged: ${damaged[0]!.path}`,
    remedy: 'ralph memory health',
  };
}

async function ofIgnoreRules(root: string): Promise<Finding[]> {
  const loops = await runGit(['check-ignore', '-q', '.aiwg/ralph/loops/x'], { cwd: root });
  if (loops.exitCode === 0) return [];
  const text = 'the loops in .aiwg/ralph would go into your history';
  return [{ name: 'ignored', status: 'missing', text, remedy: "echo '/loops/' >> .aiwg/ralph/.gitignore" }];
}

function ofLock(root: string): Finding[] {
  const holder = lockHolder(root);
  if (holder === null) return [];
  const who = `ralph ${holder.command ?? ''} (process ${holder.pid ?? 'unknown'})`;
  return [
    { name: 'in use', status: 'note', text: `${who} works in this repository`, remedy: 'ralph status' },
  ];
}

function ofKeys(env: Readonly<Record<string, string | undefined>>): Finding {
  const set = KEYS.filter((name) => (env[name] ?? '') !== '');
  if (set.length > 0) return { name: 'keys', status: 'ok', text: `${set.join(', ')} set` };
  const remedy = 'export ANTHROPIC_API_KEY=…   then: ralph run --model anthropic/claude-sonnet-4-5';
  return {
    name: 'keys',
    status: 'note',
    text: 'no key of a model is set; the offline search needs none',
    remedy,
  };
}

function ofAgents(path: string): Finding {
  const found = installedAgents(path);
  if (found.length > 0)
    return { name: 'agents', status: 'ok', text: found.join(', '), remedy: `ralph run --agent ${found[0]!}` };
  return { name: 'agents', status: 'note', text: 'none on PATH', remedy: 'npm install --global opencode-ai' };
}

function ofBudgets({ maxIterations, maxTimeMs, maxCostUsd, maxTokens, actor }: Settings): Finding {
  const limits = [
    `${maxIterations} attempts`,
    ...(maxTimeMs === undefined ? [] : [`${Math.round(maxTimeMs / 1000)} s`]),
    ...(maxCostUsd === undefined ? [] : [`${maxCostUsd} USD`]),
    ...(maxTokens === undefined ? [] : [`${maxTokens} tokens`]),
  ];
  const text = `at most ${limits.join(', ')}`;
  const isBounded = maxCostUsd !== undefined || maxTokens !== undefined || maxTimeMs !== undefined;
  if (actor === 'search' || isBounded) return { name: 'budgets', status: 'ok', text };
  return {
    name: 'budgets',
    status: 'note',
    text: `${text}; nothing bounds time or cost`,
    remedy: '--max-time 30m --max-cost 2',
  };
}
