import { redact } from '../platform/redaction/redact.ts';
import type { AcceptanceAgentPrompt, AcceptancePrompt } from './acceptance.ts';
import type { AttemptPrompt } from './attempt.ts';
import type { GateBlockPrompt, GateStartPrompt } from './gate.ts';
import type { IssuePrompt } from './issue.ts';
import type { JudgePrompt } from './judge.ts';
import type { McpRecallPrompt, McpRetrospectPrompt } from './mcp.ts';
import type {
  InsightsPrompt,
  MemoryRepairPrompt,
  MicroReflectionPrompt,
  PlaybookDecayPrompt,
  PlaybookPrompt,
  ValidateLessonsPrompt,
} from './memory.ts';
import type { StoryPrompt } from './story.ts';
import type { ReflectPrompt, ReflectRepairPrompt } from './reflect.ts';
import { openTemplate } from './templates.ts';

/** System prompts are the same in every repository. */
type NoVariables = Readonly<Record<string, never>>;

/** Every template with its variables. */
export interface Prompts {
  readonly acceptance: AcceptancePrompt;
  readonly 'acceptance-agent': AcceptanceAgentPrompt;
  readonly 'acceptance-system': NoVariables;
  readonly attempt: AttemptPrompt;
  /** The same without its first lines, for actors with a system prompt. */
  readonly context: AttemptPrompt;
  readonly 'react-system': NoVariables;
  readonly 'cot-system': NoVariables;
  readonly cot: AttemptPrompt;
  /** Follows a reply that was cut off at the output limit. */
  readonly continue: NoVariables;
  readonly 'gate-block': GateBlockPrompt;
  readonly 'gate-start': GateStartPrompt;
  readonly 'issue-task': IssuePrompt;
  readonly judge: JudgePrompt;
  readonly 'judge-system': NoVariables;
  readonly 'propose-system': NoVariables;
  readonly reflect: ReflectPrompt;
  readonly 'reflect-system': NoVariables;
  readonly 'reflect-repair': ReflectRepairPrompt;
  readonly 'validate-lessons-system': NoVariables;
  readonly 'validate-lessons': ValidateLessonsPrompt;
  readonly 'insights-system': NoVariables;
  readonly insights: InsightsPrompt;
  readonly 'playbook-decay-system': NoVariables;
  readonly 'playbook-decay': PlaybookDecayPrompt;
  readonly 'playbook-system': NoVariables;
  readonly playbook: PlaybookPrompt;
  readonly 'micro-reflection-system': NoVariables;
  readonly 'micro-reflection': MicroReflectionPrompt;
  readonly 'memory-repair': MemoryRepairPrompt;
  readonly story: StoryPrompt;
  readonly 'mcp-recall': McpRecallPrompt;
  readonly 'mcp-retrospect': McpRetrospectPrompt;
}

/**
 * Renders `prompts/<name>.hbs`, or the repository's own template of that name (`.aiwg/ralph/prompts/<name>.hbs`).
 * Nothing is escaped, and a misspelled variable is an error. Secrets are redacted from the result. Throws RalphError if
 * the repository's template is a link out of the repository.
 */
export function renderPrompt<N extends keyof Prompts>(
  name: N,
  variables: Prompts[N],
  repository?: string,
): string {
  return redact(openTemplate(name, repository)(variables));
}
