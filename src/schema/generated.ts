/* Generated from schemas/*.json by `npm run generate`. Do not edit. */

/**
 * `failed` is `ralph evaluate`'s word for a tree that is not green.
 */
export type LoopStatus =
  | 'passed'
  | 'nothing_to_do'
  | 'failed'
  | 'exhausted'
  | 'stalled'
  | 'budget'
  | 'aborted'
  | 'error'
  | 'dry_run';
export type TamperingKind =
  | 'protected_edited'
  | 'protected_deleted'
  | 'protected_added'
  | 'manifest_edited'
  | 'tests_missing'
  | 'claimed_without_change'
  | 'exit_disagrees'
  | 'suppression_added'
  | 'test_aware'
  | 'dependency_changed'
  | 'changed_while_checked'
  | 'canary_passed'
  | 'checked_less';
/**
 * Where the verified result went: nowhere, into the user's tree, onto the current branch, or onto ralph/<loop-id>.
 */
export type Applied = 'none' | 'tree' | 'commit' | 'branch';
export type CiTrigger = 'workflow_run' | 'label' | 'comment' | 'schedule' | 'dispatch' | 'manual';
/**
 * running: claimed, no result yet. published: a verified fix was pushed. withheld: verified, but not pushed. unverified: the loop ended without a fix. failed: no result came.
 */
export type CiTryState = 'running' | 'published' | 'withheld' | 'unverified' | 'failed';
/**
 * Who edits. Default: command, acp or react where a command, an agent or a model is given, else search (offline, no model).
 */
export type ActorName = 'search' | 'react' | 'cot' | 'acp' | 'command';
/**
 * Longest time for one attempt of an agent.
 */
export type Duration = string;
/**
 * Longest time in which an agent may send nothing.
 */
export type Duration1 = string;
/**
 * Before a model or agent is asked: off, quick (eslint --fix and compiler fixes) or search (the offline search). Default: quick, and off for the command actor.
 */
export type Fixers = 'off' | 'quick' | 'search';
/**
 * Longest time for one attempt.
 */
export type Duration2 = string;
/**
 * Model as provider/model: anthropic/…, openai/…, google/… or openai-compatible/…
 */
export type ModelName = string;
export type ModelName1 = string;
/**
 * Longest silence within one reply; a whole reply may take five times as long.
 */
export type Duration3 = string;
/**
 * Longest wait before a failed call is made again.
 */
export type Duration4 = string;
/**
 * What the next attempt is shown of earlier ones: none, last-attempt, reflexion or last-attempt+reflexion.
 */
export type Strategy = 'none' | 'last-attempt' | 'reflexion' | 'last-attempt+reflexion';
/**
 * Tree the next attempt starts from: best, last or base.
 */
export type RetryFrom = 'best' | 'last' | 'base';
/**
 * Who reflects: rules or llm. Default: llm where a model is given, else rules.
 */
export type ReflectorName = 'rules' | 'llm';
/**
 * Model of the llm reflector. Default: the actor's.
 */
export type ModelName2 = string;
/**
 * Reflections in the next prompt: 1 to 10, or auto. Default: by verification type.
 */
export type Omega = number | 'auto';
/**
 * End the loop after this time, such as 10m.
 */
export type Duration5 = string;
/**
 * Longest time for one check.
 */
export type Duration6 = string;
/**
 * Where attempts are made: worktree (a copy of the tree) or in-place.
 */
export type Isolation = 'worktree' | 'in-place';
/**
 * Confine commands and checks: auto (where an engine works; without one only the offline search runs), strict (or nothing runs) or off.
 */
export type SandboxMode = 'auto' | 'strict' | 'off';
/**
 * Sandbox: auto, bubblewrap or sandbox-runtime. auto prefers bubblewrap on Linux.
 */
export type SandboxEngine = 'auto' | 'bubblewrap' | 'sandbox-runtime';
export type VerificationType =
  | 'unit_tests'
  | 'integration_tests'
  | 'type_check'
  | 'lint'
  | 'compilation'
  | 'heuristic'
  | 'external_api'
  | 'manual_review'
  | 'combined';
export type CheckKind = 'tests' | 'types' | 'lint' | 'command';
/**
 * `error`: the check could not run, which is never a pass.
 */
export type CheckStatus = 'pass' | 'fail' | 'error' | 'skip';
export type LessonAction =
  | 'staged'
  | 'active'
  | 'strengthened'
  | 'superseded_other'
  | 'refused'
  | 'support'
  | 'contradiction'
  | 'pinned'
  | 'unpinned'
  | 'archived'
  | 'superseded'
  | 'decayed'
  | 'confirmed';
export type LessonType =
  'command' | 'environment' | 'convention' | 'constraint' | 'pitfall' | 'fix_pattern' | 'preference';
export type LessonSubject = 'operator' | 'project' | 'agent';
/**
 * `staged`: proposed, not confirmed yet by an attempt that was shown it and improved.
 */
export type LessonStatus = 'staged' | 'active' | 'superseded' | 'archived';
export type ActionType =
  | 'code_modification'
  | 'file_creation'
  | 'file_deletion'
  | 'test_execution'
  | 'command_execution'
  | 'api_call'
  | 'other';
export type FailureCategory =
  | 'hallucination'
  | 'inefficient_planning'
  | 'incorrect_assumption'
  | 'incomplete_implementation'
  | 'edge_case_miss'
  | 'integration_error'
  | 'configuration_error'
  | 'logic_error'
  | 'other';
export type WindowPolicy = 'fifo' | 'recency' | 'relevance_weighted';
/**
 * @maxItems 100000
 */
export type Iterations = number[];
/**
 * `conflict`: verified, and kept on a branch because it could not be applied.
 */
export type TaskStatus =
  'done_before' | 'verified' | 'unverified' | 'conflict' | 'budget' | 'stopped' | 'error' | 'not_run';
/**
 * The actor's own view. Only a hint: the evaluator decides.
 */
export type ActorOutcome = 'edited' | 'claimed_done' | 'gave_up' | 'timed_out' | 'failed' | 'out_of_budget';

export interface EverySchema {
  'analysis.schema.json': Analysis;
  'ci-fix.schema.json': CiFix;
  'ci-ledger.schema.json': CiLedger;
  'ci-plan.schema.json': CiPlan;
  'config.schema.json': Config;
  'decay-answer.schema.json': DecayAnswer;
  'diagnostic.schema.json': Diagnostic;
  'evaluation.schema.json': Evaluation;
  'insights-answer.schema.json': InsightsAnswer;
  'insights.schema.json': Insights;
  'journal-record.schema.json': JournalRecord;
  'lesson-audit.schema.json': LessonAudit;
  'lesson.schema.json': Lesson;
  'loop-state.schema.json': LoopState;
  'micro-answer.schema.json': MicroAnswer;
  'micro-state.schema.json': MicroState;
  'observation.schema.json': Observation;
  'playbook-answer.schema.json': PlaybookAnswer;
  'playbook.schema.json': Playbook;
  'prd.schema.json': Prd;
  'reflection.schema.json': Reflection;
  'repair.schema.json': Repair;
  'report.schema.json': Report;
  'task-progress.schema.json': TaskProgress;
  'task-run.schema.json': TaskRun;
  'trajectory.schema.json': Trajectory;
  'validation-answer.schema.json': ValidationAnswer;
  'verdict.schema.json': Verdict;
}
/**
 * What `ralph analyze --format json` prints: what the loops of a repository learned, in figures.
 */
export interface Analysis {
  /**
   * The loop that was asked for; null: all.
   */
  loop_id: string | null;
  /**
   * The oldest first.
   *
   * @maxItems 100000
   */
  loops: AnalysisLoop[];
  attempts: number;
  success: AnalysisShare;
  /**
   * Mean over the loops with at least two rewards.
   */
  rate: number | null;
  /**
   * @maxItems 100000
   */
  curve: AnalysisCurvePoint[];
  /**
   * Of all, named or not.
   */
  breakthrough_count: number;
  /**
   * Attempts that beat everything before them by 0.1 or more, or passed; the largest gain first, 20 at most.
   *
   * @maxItems 20
   */
  breakthroughs: AnalysisBreakthrough[];
  errors: AnalysisErrors;
  time_to_success: AnalysisTime;
  /**
   * @maxItems 20
   */
  categories: AnalysisCategory[];
  calibration: AnalysisCalibration;
  lessons: AnalysisLessons;
  memory: AnalysisComparison;
  familiar: AnalysisComparison1;
  /**
   * Files that could not be used.
   *
   * @maxItems 100000
   */
  left_out: AnalysisLeftOut[];
}
export interface AnalysisLoop {
  loop_id: string;
  task: string;
  /**
   * null: only its reflections are left.
   */
  status: string | null;
  /**
   * Whether it ran with long-term memory; null where it is not known.
   */
  memory: boolean | null;
  /**
   * null: it is not known how it ended.
   */
  passed: boolean | null;
  attempts: number;
  /**
   * The baseline first, where it is known.
   *
   * @maxItems 100000
   */
  rewards: number[];
  /**
   * (last − first) ÷ n over the rewards; 0 with fewer than two.
   */
  rate: number;
  attempts_to_success: number | null;
  /**
   * Wall time from its start to its end.
   */
  ms_to_success: number | null;
  /**
   * Candidates of an actor that searches.
   */
  tried: number | null;
}
/**
 * Of the loops of which it is known how they ended; those that were green to begin with do not count.
 */
export interface AnalysisShare {
  part: number;
  n: number;
  share: number | null;
  low: number | null;
  high: number | null;
  /**
   * Fewer than 10: it says nothing yet.
   */
  too_few: boolean;
}
export interface AnalysisCurvePoint {
  /**
   * 0 is the baseline.
   */
  attempt: number;
  loops: number;
  /**
   * Loops that made this attempt.
   */
  running: number;
  /**
   * Mean over all loops of the best so far; a loop that has ended keeps its best.
   */
  reward: number;
}
export interface AnalysisBreakthrough {
  loop_id: string;
  attempt: number;
  /**
   * Over the best before it.
   */
  gain: number;
  passed: boolean;
}
/**
 * Failures by fingerprint, each attempt against the evaluation before it.
 */
export interface AnalysisErrors {
  /**
   * Whose evaluation is left.
   */
  attempts: number;
  fixed: number;
  same: number;
  new: number;
}
export interface AnalysisTime {
  loops: number;
  median_attempts: number | null;
  median_ms: number | null;
  median_tried: number | null;
}
export interface AnalysisCategory {
  category: string;
  count: number;
  share: number;
}
export interface AnalysisCalibration {
  /**
   * Reflections with a confidence that an attempt followed.
   */
  n: number;
  too_few: boolean;
  /**
   * Pearson's, of confidence and improvement (0 or 1); null where one of them never varies.
   */
  correlation: number | null;
  /**
   * Of its bootstrap interval over reflections, 95 %.
   */
  low: number | null;
  high: number | null;
  /**
   * @maxItems 20
   */
  bins: AnalysisBin[];
}
/**
 * Reflections of such a confidence (`to` is exclusive, but for 1), and how many were followed by an improvement.
 */
export interface AnalysisBin {
  from: number;
  to: number;
  part: number;
  n: number;
  share: number | null;
  low: number | null;
  high: number | null;
  /**
   * Fewer than 10: it says nothing yet.
   */
  too_few: boolean;
}
export interface AnalysisLessons {
  lessons: number;
  /**
   * Attempts that were told of any.
   */
  attempts_told: number;
  reused: AnalysisShare1;
  helped: AnalysisShare2;
  /**
   * @maxItems 100
   */
  most_told: AnalysisLesson[];
}
/**
 * Lessons that were told in a loop other than their own.
 */
export interface AnalysisShare1 {
  part: number;
  n: number;
  share: number | null;
  low: number | null;
  high: number | null;
  /**
   * Fewer than 10: it says nothing yet.
   */
  too_few: boolean;
}
/**
 * Of the effects that were counted, those in support.
 */
export interface AnalysisShare2 {
  part: number;
  n: number;
  share: number | null;
  low: number | null;
  high: number | null;
  /**
   * Fewer than 10: it says nothing yet.
   */
  too_few: boolean;
}
export interface AnalysisLesson {
  id: string;
  text: string;
  status: string;
  /**
   * Attempts.
   */
  told: number;
  /**
   * Loops other than the one that it came from.
   */
  loops: number;
  support: number;
  contradiction: number;
}
/**
 * All loops with long-term memory against all without; no experiment.
 */
export interface AnalysisComparison {
  with: AnalysisArm;
  without: AnalysisArm;
  success_difference: number | null;
  /**
   * Of its interval by Newcombe's method 10, 95 %.
   */
  low: number | null;
  high: number | null;
  /**
   * One side has fewer than 10 loops.
   */
  too_few: boolean;
}
export interface AnalysisArm {
  success: AnalysisShare3;
  attempts: AnalysisFigure;
  tried: AnalysisFigure1;
}
/**
 * A share with its Wilson score interval (95 %); null where it is of nothing.
 */
export interface AnalysisShare3 {
  part: number;
  n: number;
  share: number | null;
  low: number | null;
  high: number | null;
  /**
   * Fewer than 10: it says nothing yet.
   */
  too_few: boolean;
}
/**
 * Until success, of the loops that passed.
 */
export interface AnalysisFigure {
  n: number;
  mean: number | null;
  /**
   * Of its bootstrap interval, 95 %.
   */
  low: number | null;
  high: number | null;
}
/**
 * Candidates until success.
 */
export interface AnalysisFigure1 {
  n: number;
  mean: number | null;
  /**
   * Of its bootstrap interval, 95 %.
   */
  low: number | null;
  high: number | null;
}
/**
 * All loops whose baseline had a failure that an earlier loop had seen, against the others.
 */
export interface AnalysisComparison1 {
  with: AnalysisArm;
  without: AnalysisArm;
  success_difference: number | null;
  /**
   * Of its interval by Newcombe's method 10, 95 %.
   */
  low: number | null;
  high: number | null;
  /**
   * One side has fewer than 10 loops.
   */
  too_few: boolean;
}
export interface AnalysisLeftOut {
  path: string;
  problem: string;
}
/**
 * What `ralph ci fix` hands to `ralph ci publish`: `fix.json` of its output folder. It comes from where code of the repository ran, so nothing of it is believed unseen.
 */
export interface CiFix {
  version: 1;
  try_id: string;
  branch: string;
  /**
   * Commit that the patch applies to.
   */
  head: string;
  verdict: Verdict;
  task?: string;
}
/**
 * What `--format json` prints: the end of a loop, or of one `ralph evaluate`.
 */
export interface Verdict {
  /**
   * null for `ralph evaluate`, which is no loop.
   */
  loop_id: string | null;
  status: LoopStatus;
  /**
   * Every check passed, the repository's own test command confirmed it, and every baseline test ran and passed.
   */
  verified: boolean;
  /**
   * One sentence: why it ended so.
   */
  reason: string;
  /**
   * Of the best attempt, or of the tree.
   */
  reward: number;
  baseline_reward: number;
  /**
   * 1-based; null: no attempt was better than the baseline.
   */
  best_iteration: number | null;
  iterations: number;
  attempts: AttemptSummary[];
  checks: CheckSummary[];
  usage: Usage;
  /**
   * Paths relative to the repository's root.
   */
  reflections: string[];
  /**
   * Path of the best attempt's patch, relative to the repository's root.
   */
  patch: string | null;
  applied: Applied;
  /**
   * The branch that holds the result, where there is one.
   */
  branch?: string;
  duration_ms: number;
}
export interface AttemptSummary {
  iteration: number;
  reward: number;
  passed: boolean;
  files_changed: number;
  lines_added: number;
  lines_deleted: number;
  duration_ms: number;
  tampering: Tampering[];
}
export interface Tampering {
  kind: TamperingKind;
  /**
   * Relative to the repository's root; empty where no one file is meant.
   */
  file: string;
  /**
   * What was tried and what was done about it, as a sentence.
   */
  detail: string;
}
export interface CheckSummary {
  name: string;
  status: 'pass' | 'fail' | 'error' | 'skip';
  passed: number;
  failed: number;
  total: number;
  errors: number;
  weight: number;
  score: number;
  duration_ms: number;
}
export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens: number;
  /**
   * null: tokens were taken whose price is not known.
   */
  cost_usd: number | null;
}
/**
 * What the CI job did so far: `ledger.json` on the memory branch, written by `ralph ci plan` and `ralph ci publish` alone, never where code of the repository runs.
 */
export interface CiLedger {
  version: 1;
  /**
   * @maxItems 2000
   */
  tries: CiTry[];
  /**
   * @maxItems 2000
   */
  branches: CiBranch[];
}
export interface CiTry {
  id: string;
  /**
   * That fails.
   */
  branch: string;
  /**
   * Its commit.
   */
  head: string;
  trigger: CiTrigger;
  state: CiTryState;
  started_at: string;
  ended_at?: string;
  /**
   * What it may cost at most; counted until it has ended.
   */
  reserved_usd: number;
  /**
   * What it did cost, never more than reserved.
   */
  cost_usd?: number;
  /**
   * Pull request that it was asked for on.
   */
  pull?: number;
  /**
   * The label asked for it, so that taking it off calls it back.
   */
  labelled?: boolean;
  loop_id?: string;
  reason?: string;
}
/**
 * What was pushed for a branch, so that nobody else's commits are written over.
 */
export interface CiBranch {
  branch: string;
  /**
   * Commit that was pushed last.
   */
  tip: string;
  /**
   * Commit that it mends.
   */
  head: string;
  /**
   * The pull request with it.
   */
  pull?: number;
}
/**
 * What `ralph ci plan` decided, for `ralph ci fix`: `plan.json` of its output folder.
 */
export interface CiPlan {
  version: 1;
  run: boolean;
  /**
   * `run`, or the name of the rule by which it is left alone.
   */
  reason: string;
  /**
   * The same as a sentence.
   */
  text: string;
  try_id?: string;
  /**
   * The how many-th at this commit.
   */
  try?: number;
  branch?: string;
  head?: string;
  pull?: number;
  /**
   * What a comment or a dispatch asks for.
   */
  task?: string;
  max_cost_usd?: number;
  /**
   * Loops of earlier tries at this commit that ended without a fix, oldest first.
   *
   * @maxItems 20
   */
  earlier_loops?: string[];
}
/**
 * ralph.config.{json,js,mjs,ts} or package.json#ralph. Flags override RALPH_* variables, which override this file. Of each setting: `default`, the `group` in help and reference, its `flag`, and the `separator` of list items on the command line.
 */
export interface Config {
  $schema?: string;
  actor?: ActorName;
  /**
   * Coding agent of the acp actor: claude, codex, gemini, opencode, … or a command line that speaks the Agent Client Protocol.
   */
  agent?: string;
  agentTimeout?: Duration;
  agentSilence?: Duration1;
  /**
   * Program of the command actor; it reads the prompt from standard input.
   */
  command?: string;
  fixers?: Fixers;
  /**
   * Let the model write tests for the task first, where no test fails.
   */
  selfTests?: boolean;
  /**
   * Limits of one attempt of the offline search.
   */
  search?: {
    /**
     * Most edits tried in one attempt.
     */
    maxCandidates?: number;
    maxTime?: Duration2;
  };
  model?: ModelName;
  /**
   * Address of the model's API, such as http://127.0.0.1:11434/v1.
   */
  baseUrl?: string;
  /**
   * Model asked when the one before it cannot answer; repeatable.
   *
   * @maxItems 10
   */
  fallbackModels?: ModelName1[];
  /**
   * Streamed replies; some servers cannot stream.
   */
  stream?: boolean;
  modelTimeout?: Duration3;
  maxRetryDelay?: Duration4;
  /**
   * Most tokens of one reply.
   */
  maxOutputTokens?: number;
  /**
   * Most model calls of one attempt.
   */
  maxSteps?: number;
  /**
   * Prices in USD per million tokens, by provider/model; they win over the shipped table.
   */
  prices?: {
    [k: string]: Price;
  };
  /**
   * Write the model's traffic to this file, without secrets.
   */
  record?: string;
  /**
   * Read the model's replies from this file; nothing is requested or paid.
   */
  replay?: string;
  /**
   * Most attempts.
   */
  maxIterations?: number;
  strategy?: Strategy;
  retryFrom?: RetryFrom;
  /**
   * Accept failures of the baseline; require that nothing gets worse and something is fixed.
   */
  noRegressions?: boolean;
  /**
   * Require a change even where the baseline is green.
   */
  requireChange?: boolean;
  reflector?: ReflectorName;
  reflectorModel?: ModelName2;
  omega?: Omega;
  /**
   * Which reflections: fifo (newest, in order), recency (newest first) or relevance_weighted (those closest to the current failures first).
   */
  windowPolicy?: 'fifo' | 'recency' | 'relevance_weighted';
  /**
   * Token budget of the reflections in a prompt.
   */
  windowTokens?: number;
  /**
   * Lessons of earlier loops, recalled and learned. Reflections within a loop do not depend on it.
   */
  memory?: boolean;
  /**
   * Check the lessons of a reflection against what happened and what is stored before they are kept.
   */
  validateLessons?: boolean;
  /**
   * Let the reflector's model also validate, digest and consolidate memory; otherwise rules do.
   */
  memoryModel?: boolean;
  /**
   * Look through a loop once more after it ends, for facts worth keeping.
   */
  microReflection?: boolean;
  insights?: InsightConfig;
  maxTime?: Duration5;
  /**
   * End the loop before its model calls cost more, in USD.
   */
  maxCost?: number;
  /**
   * End the loop before its model calls use more tokens, in and out.
   */
  maxTokens?: number;
  checkTimeout?: Duration6;
  /**
   * Add a check, or replace tests, types or lint; repeatable.
   */
  checks?: {
    [k: string]: string;
  };
  /**
   * Leave a check out; repeatable.
   *
   * @maxItems 20
   */
  skip?: string[];
  /**
   * Weights in the reward, such as tests=0.5,types=0.3,lint=0.2; normalised over the checks that exist.
   */
  weights?: {
    [k: string]: number;
  };
  /**
   * Checks that the actor never sees: run once on a result that would be accepted. Of a failure only the fact is reported.
   */
  holdout?: string;
  /**
   * Further files that are restored before scoring; repeatable.
   *
   * @maxItems 200
   */
  protect?: string[];
  /**
   * Protected files that the task may change; repeatable.
   *
   * @maxItems 200
   */
  allow?: string[];
  isolation?: Isolation;
  sandbox?: SandboxMode;
  sandboxEngine?: SandboxEngine;
  /**
   * Let confined commands and checks reach the network.
   */
  allowNetwork?: boolean;
  /**
   * Variable that confined commands and checks also get; repeatable.
   *
   * @maxItems 200
   */
  passEnv?: string[];
  /**
   * Further path that confined commands and checks may read; ~ is the home; repeatable.
   *
   * @maxItems 200
   */
  sandboxRead?: string[];
  /**
   * Further path that confined commands and checks may write; ~ is the home; repeatable.
   *
   * @maxItems 200
   */
  sandboxWrite?: string[];
  /**
   * Globs of ignored files that checks need in the workspace.
   *
   * @maxItems 200
   */
  carry?: string[];
  /**
   * Folder for workspaces. Default: the system's temporary folder.
   */
  workspaceDir?: string;
}
export interface Price {
  input: number;
  output: number;
  /**
   * Input read from the provider's cache; default: as input.
   */
  cachedInput?: number;
  /**
   * Input written to the provider's cache; default: as input.
   */
  cacheWrite?: number;
}
/**
 * When and from how much insights are synthesised.
 */
export interface InsightConfig {
  /**
   * Newest attempts that one synthesis reads.
   */
  recent?: number;
  /**
   * Insights that stay active.
   */
  capacity?: number;
  /**
   * Attempts between two syntheses; 0: only by ralph insights reflect.
   */
  reflectEvery?: number;
  /**
   * Attempts of lower importance are archived after a synthesis has read them.
   */
  threshold?: number;
}
/**
 * Decisions on lessons that have not been reinforced recently.
 */
export interface DecayAnswer {
  /**
   * @maxItems 200
   */
  decisions: DecayDecision[];
}
export interface DecayDecision {
  lesson: string;
  decision: 'RETAIN' | 'DECAY' | 'FORGET';
  reason?: string;
}
/**
 * One failure that a check reported, with its place and a fingerprint that survives moved lines.
 */
export interface Diagnostic {
  type:
    | 'syntax_error'
    | 'type_error'
    | 'test_failure'
    | 'lint_error'
    | 'runtime_error'
    | 'logic_error'
    | 'timeout'
    | 'other';
  message: string;
  severity: 'error' | 'warning' | 'info';
  /**
   * Name of the check that reported it.
   */
  check: string;
  /**
   * Same failure, same value: independent of line numbers, durations and absolute paths.
   */
  fingerprint: string;
  /**
   * Relative to the repository's root, with forward slashes.
   */
  file?: string;
  /**
   * 1-based.
   */
  line?: number;
  /**
   * 1-based.
   */
  column?: number;
  /**
   * Lint rule, TS error code such as TS2345, or the full name of the failing test.
   */
  rule?: string;
  /**
   * The failing test, as in `tests[].id`.
   */
  test_id?: string;
  expected?: string;
  received?: string;
  stack_trace?: string;
  /**
   * Stack frames inside the repository, innermost first.
   *
   * @maxItems 50
   */
  frames?: StackFrame[];
}
export interface StackFrame {
  file: string;
  line: number;
  column?: number;
  function?: string;
}
/**
 * What the evaluator saw of one tree: every check, the reward with its receipt, and the failures.
 */
export interface Evaluation {
  /**
   * Every check passed and every baseline test ran and passed.
   */
  passed: boolean;
  reward: number;
  verification_type: VerificationType;
  /**
   * @maxItems 50
   */
  checks: CheckResult[];
  /**
   * @maxItems 500
   */
  diagnostics: Diagnostic[];
  delta: DiagnosticDelta;
  metrics: Metrics;
  /**
   * Every test that was reported, in the runner's order.
   *
   * @maxItems 200000
   */
  tests: TestCase[];
  /**
   * Ids of baseline tests that passed or failed then and did not run now.
   *
   * @maxItems 500
   */
  missing_tests: string[];
  /**
   * What speaks against the verdict of the checks, and made it a refusal; of a baseline, what its checks do by themselves.
   *
   * @maxItems 500
   */
  tampering?: Tampering[];
  duration_ms: number;
}
export interface CheckResult {
  name: string;
  kind: CheckKind;
  /**
   * vitest, jest, mocha, node, ava, tsc, eslint or command.
   */
  tool: string;
  status: CheckStatus;
  passed: number;
  failed: number;
  skipped: number;
  /**
   * Tests that count: skipped ones do not, and it never falls below the baseline's.
   */
  total: number;
  /**
   * Files that a type checker or linter looked at, relative to the root; of a baseline alone.
   *
   * @maxItems 100000
   */
  checked_files?: string[];
  errors: number;
  warnings: number;
  /**
   * Share of the reward after normalising over the checks that exist.
   */
  weight: number;
  score: number;
  duration_ms: number;
  /**
   * null: killed by a signal or never started.
   */
  exit_code: number | null;
  /**
   * One sentence: what the score rests on.
   */
  detail: string;
  /**
   * The command line that ran, as one can type it.
   */
  command: string;
  /**
   * Head and tail of what it printed.
   */
  output: string;
}
/**
 * Fingerprints compared with the evaluation before this one.
 */
export interface DiagnosticDelta {
  /**
   * @maxItems 500
   */
  fixed: string[];
  /**
   * @maxItems 500
   */
  same: string[];
  /**
   * @maxItems 500
   */
  new: string[];
}
export interface Metrics {
  tests_passed: number;
  tests_failed: number;
  tests_total: number;
  type_errors: number;
  lint_errors: number;
  lint_warnings: number;
}
export interface TestCase {
  /**
   * `file > full name`, with ` #2`, ` #3` … after repeats of one name in one file.
   */
  id: string;
  /**
   * Full name: suite names and test name joined by ` > `.
   */
  name: string;
  /**
   * Relative to the repository's root.
   */
  file?: string;
  status: 'passed' | 'failed' | 'skipped';
  duration_ms?: number;
}
/**
 * Insights from recent attempts.
 */
export interface InsightsAnswer {
  /**
   * @maxItems 20
   */
  insights: ProposedInsight[];
}
export interface ProposedInsight {
  insight: string;
  /**
   * 0 to 1; values out of range are clamped.
   */
  importance: number;
  /**
   * Numbers of the attempts that show it.
   *
   * @maxItems 50
   */
  attempts: number[];
}
/**
 * Insights from recent attempts: `.aiwg/ralph/memory/insights.json`.
 */
export interface Insights {
  /**
   * Active insights by importance, then archived ones, newest first.
   *
   * @maxItems 500
   */
  insights: Insight[];
  /**
   * `seq` of the last observation that a successful synthesis read; 0 for none.
   */
  reflected_through: number;
  /**
   * `seq` of the last observation when a synthesis was last attempted.
   */
  tried_through: number;
  /**
   * A synthesis was started or failed, and has not succeeded since.
   */
  due: boolean;
  last?: LastSynthesis;
  /**
   * Checksum of the other fields; the last field in the file, removed when it is read.
   */
  sum?: string;
}
export interface Insight {
  id: string;
  text: string;
  importance: number;
  /**
   * Attempts that show it; empty for an unverified insight.
   *
   * @maxItems 20
   */
  evidence: AttemptRef[];
  /**
   * False for an insight from bullet lines, without evidence; never shown to an actor.
   */
  verified: boolean;
  created_at: string;
  lesson_id?: string;
  /**
   * Reason why it was archived; absent while it is active.
   */
  archived?: string;
}
export interface AttemptRef {
  loop_id: string;
  iteration: number;
}
export interface LastSynthesis {
  at: string;
  status: string;
  reason: string;
}
/**
 * One line of journal.jsonl: a step that finished, with what it gave. A step in the journal is never run again.
 */
export interface JournalRecord {
  /**
   * 0-based, without gaps.
   */
  seq: number;
  at: string;
  /**
   * For example `start`, `baseline`, `2:act`, `2:evaluate`, `2:reflect`, `finish`, `apply`.
   */
  step: string;
  /**
   * The step's result, by its own schema where it has one.
   */
  data: unknown;
  /**
   * A checksum of the other fields, the last one in the file; taken off where it is read.
   */
  sum?: string;
}
/**
 * A line of `.aiwg/ralph/memory/audit.jsonl`: one change of a lesson, or one refused proposal.
 */
export interface LessonAudit {
  at: string;
  action: LessonAction;
  /**
   * null for a refused proposal.
   */
  lessonId: string | null;
  text: string;
  /**
   * A sentence.
   */
  reason: string;
  /**
   * Checksum of the other fields; the last field in the file, removed when it is read.
   */
  sum?: string;
}
/**
 * A lesson that loops in this repository learned: a line of `.aiwg/ralph/memory/lessons.jsonl`, where the last line of an id counts.
 */
export interface Lesson {
  /**
   * Digest of the normalised text, type and subject: the same lesson has the same id in every store.
   */
  id: string;
  text: string;
  type: LessonType;
  subject: LessonSubject;
  status: LessonStatus;
  /**
   * Reason for the status, as a sentence.
   */
  status_reason?: string;
  source: LessonSource;
  /**
   * @maxItems 20
   */
  evidence: LessonEvidence[];
  confidence: number;
  importance: number;
  /**
   * Number of attempts that were shown it and improved: a failure was gone and the reward higher.
   */
  support: number;
  /**
   * Number of attempts that were shown it and failed in the same way again.
   */
  contradiction: number;
  /**
   * Pinned by the user: never decays and is never archived by a pass.
   */
  pinned: boolean;
  /**
   * Files that it is about, relative to the root.
   *
   * @maxItems 50
   */
  files: string[];
  /**
   * Fingerprints of the failures that it is about.
   *
   * @maxItems 50
   */
  fingerprints: string[];
  /**
   * Attempts that are counted in support or contradiction, as `loop-id#iteration`, newest last, so that none counts twice.
   *
   * @maxItems 20
   */
  counted?: string[];
  superseded_by?: string;
  created_at: string;
  updated_at: string;
  /**
   * Checksum of the other fields; the last field in the file, removed when it is read.
   */
  sum?: string;
}
export interface LessonSource {
  pass: 'reflection' | 'validation' | 'insight' | 'playbook' | 'micro' | 'user' | 'mcp' | 'import';
  loop_id?: string;
  /**
   * 0-based, as in reflections.
   */
  iteration?: number;
  model?: string;
  /**
   * Source of an imported lesson, so that all lessons of a source can be revoked.
   */
  origin?: string;
}
export interface LessonEvidence {
  quote: string;
  file?: string;
  loop_id?: string;
  iteration?: number;
}
/**
 * state.json of one loop: what `ralph list` and `ralph status` show. Derived from the journal.
 */
export interface LoopState {
  loop_id: string;
  task: string;
  status: 'running' | 'passed' | 'nothing_to_do' | 'exhausted' | 'stalled' | 'budget' | 'aborted' | 'error';
  actor: string;
  started_at: string;
  updated_at: string;
  /**
   * Attempts finished.
   */
  iteration: number;
  max_iterations: number;
  reward: number;
  baseline_reward: number;
  /**
   * Tree of the user's files when the loop began, in ralph's own git directory.
   */
  base_tree: string;
  best_tree?: string;
  applied?: 'none' | 'tree' | 'commit' | 'branch';
  branch?: string;
  verdict?: Verdict;
  /**
   * The resolved configuration the loop began with, for resume.
   */
  options: {
    [k: string]: unknown;
  };
  /**
   * A checksum of the other fields, the last one in the file; taken off where it is read.
   */
  sum?: string;
}
/**
 * Facts worth keeping from a session that has ended or paused.
 */
export interface MicroAnswer {
  /**
   * @maxItems 40
   */
  facts: MicroFact[];
}
export interface MicroFact {
  fact: string;
  subject: 'operator' | 'project' | 'agent';
  type: 'command' | 'environment' | 'convention' | 'constraint' | 'pitfall' | 'fix_pattern' | 'preference';
  /**
   * 0 to 1; values out of range are clamped.
   */
  confidence: number;
  /**
   * Copied verbatim from the session.
   */
  evidence: string;
  /**
   * The exact text of the known fact that this one replaces; otherwise empty.
   */
  supersedes?: string;
}
/**
 * Progress of micro-reflection: `.aiwg/ralph/memory/micro.json`.
 */
export interface MicroState {
  /**
   * Position up to which a loop's entries have been read; newest loop last.
   *
   * @maxItems 200
   */
  watermarks: Watermark[];
  /**
   * `seq` of the last observation that a digest read.
   */
  digested_through: number;
  /**
   * Day of the last digest (UTC).
   */
  digested_on?: string;
  /**
   * Checksum of the other fields; the last field in the file, removed when it is read.
   */
  sum?: string;
}
export interface Watermark {
  loop_id: string;
  position: number;
}
/**
 * One attempt, passed or failed, in long-term memory: a line of `.aiwg/ralph/memory/observations.jsonl`, where the last line of an id counts.
 */
export interface Observation {
  /**
   * Digest of loop and iteration.
   */
  id: string;
  /**
   * 1-based number among all attempts in this repository.
   */
  seq: number;
  loop_id: string;
  /**
   * 0-based, as in reflections.
   */
  iteration: number;
  at: string;
  task: string;
  /**
   * The actor's own statement; only a hint.
   */
  outcome: string;
  passed: boolean;
  reward: number;
  reward_change: number;
  /**
   * The attempt passed where the evaluation before it failed, or the reverse.
   */
  flipped: boolean;
  /**
   * Fingerprints of fixed failures.
   *
   * @maxItems 50
   */
  fixed: string[];
  /**
   * Fingerprints of remaining failures.
   *
   * @maxItems 50
   */
  same: string[];
  /**
   * Fingerprints of new failures.
   *
   * @maxItems 50
   */
  fresh: string[];
  /**
   * @maxItems 10
   */
  errors: ObservedError[];
  /**
   * Command lines of the checks.
   *
   * @maxItems 20
   */
  commands: ObservedCommand[];
  /**
   * Files that the attempt changed, relative to the root.
   *
   * @maxItems 50
   */
  files: string[];
  importance: number;
  /**
   * Reason why it was archived; absent while a synthesis reads it.
   */
  archived?: string;
  /**
   * Checksum of the other fields; the last field in the file, removed when it is read.
   */
  sum?: string;
}
export interface ObservedError {
  fingerprint: string;
  type: string;
  check: string;
  message: string;
  file?: string;
  rule?: string;
}
export interface ObservedCommand {
  check: string;
  command: string;
}
/**
 * A rewritten playbook.
 */
export interface PlaybookAnswer {
  narrative: string;
}
/**
 * Consolidated lessons and insights of this repository: `.aiwg/ralph/memory/playbook.json`, with earlier versions in `history/`.
 */
export interface Playbook {
  version: number;
  at: string;
  trigger: 'periodic' | 'event' | 'manual' | 'rollback';
  /**
   * `seq` of the last attempt when it was written.
   */
  consolidated_through: number;
  /**
   * Markdown; `[[lesson-…]]` is a lesson's slot.
   */
  narrative: string;
  /**
   * Every active lesson; rendered even where the narrative has no slot for it.
   *
   * @maxItems 400
   */
  slots: PlaybookSlot[];
  /**
   * Ids of the insights that it integrates.
   *
   * @maxItems 2000
   */
  integrated: string[];
  /**
   * Confidence changes of this version that have not been applied yet.
   *
   * @maxItems 400
   */
  decay: DecayChange[];
  /**
   * @maxItems 10
   */
  warnings: string[];
  /**
   * Checksum of the other fields; the last field in the file, removed when it is read.
   */
  sum?: string;
}
export interface PlaybookSlot {
  lesson_id: string;
  type: 'command' | 'environment' | 'convention' | 'constraint' | 'pitfall' | 'fix_pattern' | 'preference';
  text: string;
  confidence: number;
  pinned: boolean;
}
export interface DecayChange {
  id: string;
  confidence: number;
  forget?: string;
}
/**
 * prd.json: user stories for `ralph run --tasks`. What is not named here is left as it is.
 */
export interface Prd {
  /**
   * @maxItems 1000
   */
  userStories: UserStory[];
  [k: string]: unknown;
}
export interface UserStory {
  /**
   * Unique in the file; the title where it is missing.
   */
  id?: string | number;
  title: string;
  description?: string;
  /**
   * @maxItems 200
   */
  acceptanceCriteria?: string[];
  /**
   * The lowest is done first; stories without one come last.
   */
  priority?: number;
  /**
   * Set to true once it is verified.
   */
  passes?: boolean;
  notes?: string;
  [k: string]: unknown;
}
/**
 * One failed attempt, as episodic memory. Every record is also valid against AIWG's reflection-memory schema; this one adds the quality gate.
 */
export interface Reflection {
  loop_id: string;
  /**
   * 0-based: file 001.json holds iteration 0.
   */
  iteration: number;
  timestamp: string;
  task_description: string;
  reflector: ReflectorRecord;
  actor_output: {
    /**
     * @maxItems 2000
     */
    actions: Action[];
    rationale: string;
    strategy: string;
    /**
     * @maxItems 2000
     */
    files_modified: string[];
    total_changes: ChangeTotals;
    ruled_out?: RuledOutSummary;
  };
  evaluator_output: {
    passed: false;
    verification_type: VerificationType;
    /**
     * @maxItems 50
     */
    results: ToolResult[];
    /**
     * @maxItems 100
     */
    errors: Diagnostic[];
    reward_signal: number;
    metrics: Metrics;
  };
  self_reflection: SelfReflection;
  memory_metadata: {
    omega_capacity: number;
    current_memory_size: number;
    /**
     * @maxItems 10
     */
    reflections_in_context: number[];
    window_policy: WindowPolicy;
    total_reflections_generated: number;
  };
  context_injected: boolean;
  /**
   * @maxItems 10
   */
  previous_reflections_used: number[];
  /**
   * Ids of the lessons that the attempt was told of.
   *
   * @maxItems 50
   */
  previous_lessons_used?: string[];
  performance_delta: PerformanceDelta;
}
export interface ReflectorRecord {
  name: string;
  /**
   * The configured reflector's text was refused and the rules wrote this one.
   */
  fallback: boolean;
  /**
   * Why the refused text was refused.
   *
   * @maxItems 20
   */
  refused?: string[];
  /**
   * provider/model that was asked.
   */
  model?: string;
  usage?: Usage;
}
export interface Action {
  type: ActionType;
  description: string;
  /**
   * Relative to the repository's root.
   */
  file_path?: string;
  changes?: {
    additions?: number;
    deletions?: number;
    diff?: string;
  };
  command?: string;
  timestamp?: string;
}
export interface ChangeTotals {
  files_changed: number;
  lines_added: number;
  lines_deleted: number;
}
/**
 * Edits that were tried and did not help. Their signatures are in attempts/NNN/ruled-out.json in the loop's folder.
 */
export interface RuledOutSummary {
  /**
   * Edits tried in this attempt.
   */
  tried: number;
  /**
   * Signatures in ruled-out.json.
   */
  count?: number;
  /**
   * SHA-256 of ruled-out.json.
   */
  sha256?: string;
  /**
   * The edit that came nearest, and how near.
   */
  nearest?: string;
  /**
   * The signatures themselves, in records of earlier versions and in the context of an attempt.
   *
   * @maxItems 5000
   */
  edits?: string[];
}
export interface ToolResult {
  tool: string;
  status: 'pass' | 'fail' | 'error' | 'skip';
  exit_code?: number;
  stdout?: string;
  stderr?: string;
  duration_ms?: number;
}
export interface SelfReflection {
  /**
   * First person: what failed, why, what to do next.
   */
  reflection_text: string;
  credit_assignment: CreditAssignment;
  causal_reasoning: string;
  /**
   * @minItems 1
   * @maxItems 20
   */
  actionable_insights: string[];
  /**
   * @maxItems 20
   */
  lessons_learned: string[];
  confidence: number;
  /**
   * @maxItems 50
   */
  related_reflections: number[];
}
export interface CreditAssignment {
  /**
   * 0-based indices into actor_output.actions.
   *
   * @maxItems 2000
   */
  failing_action_indices: number[];
  root_cause: string;
  failure_category: FailureCategory;
}
/**
 * Against the attempt before, or the baseline for the first.
 */
export interface PerformanceDelta {
  reward_change: number;
  error_count_change: number;
  is_improvement: boolean;
}
/**
 * An edit of the search actor in a verified result: a line of `.aiwg/ralph/memory/repairs.jsonl`.
 */
export interface Repair {
  loop_id: string;
  /**
   * Operator that made the edit, such as `comparison`.
   */
  operator: string;
  /**
   * `file: before → after @hash`.
   */
  edit: string;
  /**
   * Relative to the repository's root.
   */
  file_path: string;
  /**
   * Test file whose failing tests the edit fixes.
   */
  test_file: string;
  recorded_at: string;
  /**
   * Checksum of the other fields; the last field in the file, removed when it is read.
   */
  sum?: string;
}
/**
 * What `ralph report --format json` prints: one loop, as far as it is stored.
 */
export interface Report {
  loop_id: string;
  task: string;
  /**
   * `interrupted`: it ended without saying how, as by a power cut.
   */
  status:
    | 'running'
    | 'interrupted'
    | 'passed'
    | 'nothing_to_do'
    | 'exhausted'
    | 'stalled'
    | 'budget'
    | 'aborted'
    | 'error';
  actor: string;
  /**
   * `provider/model`, or the agent.
   */
  model: string | null;
  started_at: string | null;
  updated_at: string | null;
  max_iterations: number | null;
  /**
   * The verdict is the one that was printed; else it was put together from what is stored.
   */
  final: boolean;
  verdict: Verdict;
  /**
   * @maxItems 100000
   */
  attempts: ReportAttempt[];
  /**
   * Everything that failed at any time, in the order in which it was first seen.
   *
   * @maxItems 100000
   */
  failures: ReportFailure[];
  /**
   * @maxItems 100000
   */
  lessons_told: ReportLesson[];
  /**
   * Ids of the lessons that the loop brought.
   *
   * @maxItems 100000
   */
  lessons_learned: string[];
  /**
   * @maxItems 100000
   */
  damaged: ReportDamage[];
}
export interface ReportAttempt {
  iteration: number;
  /**
   * Attempt whose tree it went on from; 0 is the base.
   */
  started_from: number;
  /**
   * Attempts whose reflections it was told of.
   *
   * @maxItems 1000
   */
  window: number[];
  /**
   * null: it was not judged.
   */
  reward: number | null;
  passed: boolean;
  /**
   * Better than everything before it.
   */
  best: boolean;
  /**
   * Failures, against the tree that it started from.
   */
  fixed: number;
  same: number;
  new: number;
  /**
   * The actor's last words.
   */
  message: string;
  category: string | null;
  root_cause: string | null;
  /**
   * Path of its patch against the base, relative to the repository's root.
   */
  patch: string | null;
  /**
   * Path, relative to the repository's root.
   */
  reflection: string | null;
  duration_ms: number | null;
}
export interface ReportFailure {
  check: string;
  name: string;
  file?: string;
  line?: number;
  /**
   * @maxItems 100000
   */
  fingerprints: string[];
  in_baseline: boolean;
  new: Iterations;
  same: Iterations;
  fixed: Iterations;
}
export interface ReportLesson {
  id: string;
  /**
   * null: it is no longer stored.
   */
  text: string | null;
  attempts: Iterations;
  support: Iterations;
  contradiction: Iterations;
}
export interface ReportDamage {
  path: string;
  problem: string;
}
/**
 * tasks/<name>-<hash>.json: which loop works on which task of a file, so that a run that was killed goes on.
 */
export interface TaskProgress {
  /**
   * Absolute path of the file of tasks.
   */
  file: string;
  tasks: {
    [k: string]: TaskNote;
  };
}
export interface TaskNote {
  loop_id: string;
  /**
   * Its result was marked in the file.
   */
  ticked: boolean;
}
/**
 * What `ralph run --tasks FILE --format json` prints: every task of the file with the verdict of its loop.
 */
export interface TaskRun {
  /**
   * As it was given.
   */
  file: string;
  format: 'checklist' | 'prd';
  /**
   * Every task is verified, now or before.
   */
  verified: boolean;
  tasks: TaskResult[];
  usage: Usage;
  duration_ms: number;
}
export interface TaskResult {
  /**
   * A story's id, or the words of an item of a checklist.
   */
  key: string;
  title: string;
  status: TaskStatus;
  /**
   * The file says that it is done.
   */
  ticked: boolean;
  loop_id: string | null;
  /**
   * One sentence.
   */
  reason: string;
  /**
   * null where no loop ended in this run.
   */
  verdict: Verdict | null;
}
/**
 * What an actor did in one attempt: typed actions, why, and what they cost.
 */
export interface Trajectory {
  actor: string;
  /**
   * @maxItems 2000
   */
  actions: Action[];
  rationale: string;
  strategy: string;
  outcome: ActorOutcome;
  /**
   * The actor's last words, bounded.
   */
  message: string;
  fatal?: FatalFailure;
  self_tests?: SelfTests;
  memory?: ToldMemory;
  usage: Usage;
  ruled_out: RuledOut;
  accepted?: AcceptedEdit;
  /**
   * Edits that would have done as well as the applied one, as far as the tests tell; best first.
   *
   * @maxItems 20
   */
  alternatives?: Alternative[];
  duration_ms: number;
}
/**
 * No further attempt could do better: the loop ends behind this one.
 */
export interface FatalFailure {
  message: string;
  hint?: string;
}
/**
 * Tests that the actor wrote for itself, and how many pass on what it left. Never part of the result.
 */
export interface SelfTests {
  file: string;
  written: number;
  passed: number;
}
/**
 * What of long-term memory the attempt was told; absent where there was nothing.
 */
export interface ToldMemory {
  /**
   * Ids.
   *
   * @maxItems 50
   */
  lessons: string[];
  /**
   * How many.
   */
  insights: number;
  playbook: boolean;
}
/**
 * Edits that were tried and did not help, so that no later attempt tries them again.
 */
export interface RuledOut {
  /**
   * Edits tried in this attempt.
   */
  tried: number;
  /**
   * Readable signatures, `file: before → after @context-hash ~failures-hash`, of this attempt and of the attempts in its window.
   *
   * @maxItems 5000
   */
  edits: string[];
  /**
   * The edit that came nearest, and how near.
   */
  nearest?: string;
}
/**
 * The edit that the search actor left in the tree.
 */
export interface AcceptedEdit {
  operator: string;
  /**
   * `file: before → after @hash`.
   */
  edit: string;
  file_path: string;
  test_file: string;
}
export interface Alternative {
  /**
   * `file: before → after @hash`.
   */
  description: string;
  /**
   * Unified diff against the tree without the applied edit, for `git apply`.
   */
  patch: string;
}
/**
 * Corrections of drafts of lessons. Drafts that are not mentioned are kept.
 */
export interface ValidationAnswer {
  /**
   * @maxItems 50
   */
  corrected?: CorrectedDraft[];
  /**
   * @maxItems 20
   */
  missed?: MissedLesson[];
  /**
   * @maxItems 50
   */
  conflicts?: LessonConflict[];
}
export interface CorrectedDraft {
  /**
   * Number of the draft.
   */
  draft: number;
  action: 'keep' | 'enrich' | 'remove';
  /**
   * The better wording for enrich; otherwise empty.
   */
  text?: string;
  reason?: string;
}
export interface MissedLesson {
  text: string;
  type: 'command' | 'environment' | 'convention' | 'constraint' | 'pitfall' | 'fix_pattern' | 'preference';
  subject: 'operator' | 'project' | 'agent';
  /**
   * Copied verbatim from the record.
   */
  quote: string;
  /**
   * 0 to 1; values out of range are clamped.
   */
  confidence?: number;
}
export interface LessonConflict {
  draft: number;
  /**
   * Id of the stored lesson.
   */
  existing: string;
  resolution: 'keep_new' | 'keep_existing' | 'merge';
  /**
   * The wording that replaces both for merge; otherwise empty.
   */
  merged?: string;
}
/** Settings that have a default in the schema. */
export type DefaultedSetting = 'agentTimeout' | 'agentSilence' | 'selfTests' | 'fallbackModels' | 'stream' | 'modelTimeout' | 'maxRetryDelay' | 'maxOutputTokens' | 'maxSteps' | 'prices' | 'maxIterations' | 'strategy' | 'retryFrom' | 'noRegressions' | 'requireChange' | 'windowPolicy' | 'windowTokens' | 'memory' | 'validateLessons' | 'memoryModel' | 'microReflection' | 'checkTimeout' | 'checks' | 'skip' | 'weights' | 'protect' | 'allow' | 'isolation' | 'sandbox' | 'sandboxEngine' | 'allowNetwork' | 'passEnv' | 'sandboxRead' | 'sandboxWrite' | 'carry';
