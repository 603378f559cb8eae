import { existsSync } from 'node:fs';
import { ACTORS } from '../actors.ts';
import type { Settings } from '../config/settings.ts';
import { listReflectionFiles } from '../memory/episodes/reflection-files.ts';
import { lockHolder } from '../state/lock.ts';
import { listLoops } from '../state/loops.ts';
import { scriptNode } from '../platform/processes/script-node.ts';
import { ralphFolder } from '../platform/ralph-folder.ts';
import { plural } from '../platform/text/plural.ts';
import { userGit } from '../platform/git/user-git.ts';
import { installedAgents } from './known-agents.ts';
import type { Project } from './project.ts';

/** A finding of `ralph doctor` about something that a run depends on. */
export interface Finding {
  readonly name: string;
  /** `missing`: a run fails, or works less well, without it. */
  readonly status: 'ok' | 'note' | 'missing';
  readonly text: string;
  /** The command or setting that fixes it. */
  readonly remedy?: string;
}

const KEYS = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'];

/** Findings about programs, API keys (only their names), agents, state and budgets. Never rejects for a missing one. */
export async function surroundingsOf(
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const { repository, settings } = project;
  return [
    { name: 'node', status: 'ok', text: nodeText() },
    await gitFinding(repository.root),
    await stateFinding(repository.root),
    ...(await ignoreFindings(repository.root)),
    ...lockFindings(repository.root),
    keysFinding(env),
    agentsFinding(env['PATH'] ?? ''),
    budgetsFinding(settings),
  ];
}

function nodeText(): string {
  const own = `${process.versions.node} at ${process.execPath}`;
  const { path, version } = scriptNode();
  return path === process.execPath ? own : `${own}; the checks run on ${version} at ${path}`;
}

async function gitFinding(root: string): Promise<Finding> {
  const version = await userGit({ cwd: root }, (git) => git.raw(['version']));
  const email = await userGit({ cwd: root }, (git) => git.getConfig('user.email'));
  const text = version.ok ? version.value.trim().replace(/^git version /, '') : 'unknown version';
  if (email.ok && email.value.value !== null) return { name: 'git', status: 'ok', text };
  const remedy =
    'git config --global user.email you@example.com && git config --global user.name "Your Name"';
  return {
    name: 'git',
    status: 'note',
    text: `${text}; user.email is not set, and --commit needs it`,
    remedy,
  };
}

async function stateFinding(root: string): Promise<Finding> {
  const { loops, damaged } = await listLoops(root);
  const reflections = await listReflectionFiles(root);
  const lessons = existsSync(ralphFolder(root).inMemory('lessons.jsonl')) ? ', lessons' : '';
  const text = `.aiwg/ralph: ${plural(loops.length, 'loop')}, ${plural(reflections.length, 'reflection')}${lessons}`;
  if (damaged.length === 0) return { name: 'state', status: 'ok', text };
  return {
    name: 'state',
    status: 'missing',
    text: `${text}; damaged: ${damaged[0]!.path}`,
    remedy: 'ralph memory health',
  };
}

async function ignoreFindings(root: string): Promise<Finding[]> {
  const loops = await userGit({ cwd: root }, (git) => git.checkIgnore('.aiwg/ralph/loops/x'));
  if (loops.ok && loops.value.length > 0) return [];
  const text = 'git does not ignore the loops in .aiwg/ralph';
  return [{ name: 'ignored', status: 'missing', text, remedy: "echo '/loops/' >> .aiwg/ralph/.gitignore" }];
}

function lockFindings(root: string): Finding[] {
  const holder = lockHolder(root);
  if (holder === null) return [];
  const who = `ralph ${holder.command ?? ''} (process ${holder.pid ?? 'unknown'})`;
  return [
    { name: 'in use', status: 'note', text: `${who} is running in this repository`, remedy: 'ralph status' },
  ];
}

function keysFinding(env: Readonly<Record<string, string | undefined>>): Finding {
  const set = KEYS.filter((name) => (env[name] ?? '') !== '');
  if (set.length > 0) return { name: 'keys', status: 'ok', text: `${set.join(', ')} set` };
  const remedy = 'export ANTHROPIC_API_KEY=…   then: ralph run --model anthropic/claude-sonnet-4-5';
  return {
    name: 'keys',
    status: 'note',
    text: 'no API key of a model provider is set; the offline search needs none',
    remedy,
  };
}

function agentsFinding(path: string): Finding {
  const found = installedAgents(path);
  if (found.length > 0)
    return { name: 'agents', status: 'ok', text: found.join(', '), remedy: `ralph run --agent ${found[0]!}` };
  return { name: 'agents', status: 'note', text: 'none on PATH', remedy: 'npm install --global opencode-ai' };
}

function budgetsFinding({ maxIterations, maxTimeMs, maxCostUsd, maxTokens, actor }: Settings): Finding {
  const limits = [
    plural(maxIterations, 'attempt'),
    maxTimeMs === undefined ? undefined : `${Math.round(maxTimeMs / 1000)} s`,
    maxCostUsd === undefined ? undefined : `${maxCostUsd} USD`,
    maxTokens === undefined ? undefined : plural(maxTokens, 'token'),
  ].filter((limit) => limit !== undefined);
  const text = `at most ${limits.join(', ')}`;
  const isLimited = maxCostUsd !== undefined || maxTokens !== undefined || maxTimeMs !== undefined;
  if (ACTORS[actor].asks === 'nobody' || isLimited) return { name: 'budgets', status: 'ok', text };
  return {
    name: 'budgets',
    status: 'note',
    text: `${text}; neither time nor cost is limited`,
    remedy: '--max-time 30m --max-cost 2',
  };
}
