import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import type { Dialect } from './dialect.ts';
import { gemini } from './gemini.ts';
import { git } from './git.ts';
import { opencode } from './opencode.ts';

/** Programs whose hooks can call the gate, by the value of `--hook`. */
export const DIALECTS = {
  claude,
  codex,
  gemini,
  opencode,
  cursor,
  git,
} satisfies Readonly<Record<string, Dialect>>;

/** A value of `--hook`. */
export type HookName = keyof typeof DIALECTS;
