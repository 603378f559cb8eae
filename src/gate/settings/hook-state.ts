import { homedir } from 'node:os';
import { join } from 'node:path';
import { gitHookState } from './git-hook-state.ts';
import { MARK } from './hook-file.ts';
import { textOf } from '../../platform/files/text-of.ts';

/** Settings of agents in which hooks of the gate stand, relative to the repository's root. */
const IN_REPOSITORY = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex/hooks.json',
  '.gemini/settings.json',
  '.opencode/plugins/ralph-gate.js',
  '.cursor/hooks.json',
];
/** Settings of the user that can switch hooks off, relative to the home folder. */
const AT_HOME = ['.claude/settings.json', '.codex/hooks.json', '.gemini/settings.json', '.cursor/hooks.json'];
/** Claude Code runs no hook at all with it. */
const ALL_OFF = /"disableAllHooks"\s*:\s*true/;
/** What switches hooks off, makes the gate believe that a loop of its own is running, or is a setting of it. */
const SWITCHES_OFF = new RegExp(`${ALL_OFF.source}|\\bRALPH_[A-Z_]+\\b`, 'g');
/** The plugin of opencode calls the gate by a program and a list of words. */
const CALL_IN_PLUGIN = /^const (?:RALPH|OPTIONS) = /;
const MOST = 40;

/**
 * What git and the settings of agents say about the hooks of the gate: `<file>: <call of the gate, or what switches hooks off>`,
 * in the order of the files. Files that are not there say nothing.
 */
export function hookState(root: string, home: string = homedir()): string[] {
  const agents = settingsOf(root, home).flatMap(([shown, path]) => factsOf(shown, textOf(path)));
  return [...gitHookState(root, home), ...agents].slice(0, MOST);
}

/** Files of settings that switch every hook off, as they are shown to the user. */
export function filesWithHooksOff(root: string, home: string = homedir()): string[] {
  return settingsOf(root, home).flatMap(([shown, path]) => (ALL_OFF.test(textOf(path)) ? [shown] : []));
}

function settingsOf(root: string, home: string): (readonly [shown: string, path: string])[] {
  return [
    ...IN_REPOSITORY.map((path) => [path, join(root, path)] as const),
    ...AT_HOME.map((path) => [`~/${path}`, join(home, path)] as const),
  ];
}

/** Sentences on hooks that are not as they were; empty if they are. */
export function describeHookChanges(before: readonly string[], now: readonly string[]): string[] {
  const files = [...before, ...now]
    .filter((fact) => before.includes(fact) !== now.includes(fact))
    .map((fact) => fact.split(': ')[0]!);
  const changed = [...new Set(files)];
  if (changed.length === 0) return [];
  return [
    `The hooks of ralph gate are not as they were at the start of the session: see ${changed.join(', ')}. The next session or commit may not be judged.`,
  ];
}

function factsOf(file: string, text: string): string[] {
  const calls = text
    .split('\n')
    .filter((line) => MARK.test(line) || CALL_IN_PLUGIN.test(line))
    .map((line) => line.trim().replace(/,$/, ''));
  const off = [...text.matchAll(SWITCHES_OFF)].map(([match]) => match.replaceAll(/\s/g, ''));
  return [...calls, ...off].map((fact) => `${file}: ${fact}`.slice(0, 2000));
}
