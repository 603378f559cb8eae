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
 * Who edits. Default: command, acp or react where a command, an agent or a model is given, else search.
 */
export type ActorName = 'search' | 'react' | 'cot' | 'acp' | 'command';
/**
 * For example 500ms, 30s, 10m, 2h.
 */
export type Duration = string;
/**
 * Model of the react and cot actors, as provider/model.
 */
export type ModelName = string;
export type ModelName1 = string;
/**
 * What runs before a model or agent is asked: nothing, the linter's and compiler's own fixes, or the whole offline search.
 */
export type Fixers = 'off' | 'quick' | 'search';
/**
 * Who reflects. Default: llm where a model is given, else rules.
 */
export type ReflectorName = 'rules' | 'llm';
/**
 * Model of the llm reflector; default: the actor's.
 */
export type ModelName2 = string;
/**
 * What of earlier attempts the next one is told.
 */
export type Strategy = 'none' | 'last-attempt' | 'reflexion' | 'last-attempt+reflexion';
/**
 * Reflections in the window. Unset: by verification type.
 */
export type Omega = number | 'auto';
export type RetryFrom = 'best' | 'last' | 'base';
export type Isolation = 'worktree' | 'in-place';
/**
 * What commands and checks are confined by. auto: by an engine where one works, and only the repository's own code, as the offline actor changes it, runs without; strict: or nothing runs; off: your own rights.
 */
export type SandboxMode = 'auto' | 'strict' | 'off';
/**
 * What confines. auto: bubblewrap on Linux, and sandbox-runtime, where it is installed beside ralph, if that does not work.
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
 * Staged: proposed, not yet confirmed by a run that was told of it and passed or improved.
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
 * ralph.config.{json,js,mjs,ts} or package.json#ralph. Flags win over RALPH_* variables, those over this file.
 */
export interface Config {
  $schema?: string;
  actor?: ActorName;
  /**
   * Shell command of the command actor.
   */
  command?: string;
  /**
   * Agent of the acp actor: a known name such as opencode, or a command line that speaks the Agent Client Protocol.
   */
  agent?: string;
  agentTimeout?: Duration;
  agentSilence?: Duration;
  model?: ModelName;
  /**
   * Asked in this order where the model before cannot answer.
   *
   * @maxItems 10
   */
  fallbackModels?: ModelName1[];
  /**
   * Where the model's API is, up to and with its version, such as http://127.0.0.1:11434/v1.
   */
  baseUrl?: string;
  /**
   * Ask for replies as a stream; default true.
   */
  stream?: boolean;
  modelTimeout?: Duration;
  maxRetryDelay?: Duration;
  /**
   * Tokens of one reply at most.
   */
  maxOutputTokens?: number;
  /**
   * Model calls of one attempt at most.
   */
  maxSteps?: number;
  /**
   * USD for a million tokens by provider/model; wins over the shipped table.
   */
  prices?: {
    [k: string]: Price;
  };
  fixers?: Fixers;
  /**
   * Let the model write tests of the task before the first attempt where nothing fails.
   */
  selfTests?: boolean;
  /**
   * File that the model's traffic is written to.
   */
  record?: string;
  /**
   * File that the model's replies are read from, instead of asking it.
   */
  replay?: string;
  reflector?: ReflectorName;
  reflectorModel?: ModelName2;
  strategy?: Strategy;
  maxIterations?: number;
  omega?: Omega;
  /**
   * Lessons of earlier loops are recalled, told, and learned; default true. Reflections within a loop are not part of it.
   */
  memory?: boolean;
  /**
   * Check the lessons of a reflection against what really happened, and against what is stored, before they are kept; default false.
   */
  validateLessons?: boolean;
  /**
   * Look once more at a loop that has ended for facts worth keeping; default true.
   */
  microReflection?: boolean;
  insights?: InsightConfig;
  /**
   * The model that reflects also checks, digests and consolidates memory; rules do it otherwise. Default false.
   */
  memoryModel?: boolean;
  /**
   * fifo: the newest, oldest first. recency: the newest, newest first. relevance_weighted: those that share most with what fails now, these first.
   */
  windowPolicy?: 'fifo' | 'recency' | 'relevance_weighted';
  /**
   * Token budget of the window.
   */
  windowTokens?: number;
  retryFrom?: RetryFrom;
  noRegressions?: boolean;
  requireChange?: boolean;
  /**
   * Name to command line. tests, types and lint replace what was detected; other names add a check.
   */
  checks?: {
    [k: string]: string;
  };
  /**
   * @maxItems 20
   */
  skip?: string[];
  /**
   * Shares of the reward, normalised over the checks that exist.
   */
  weights?: {
    [k: string]: number;
  };
  /**
   * @maxItems 200
   */
  protect?: string[];
  /**
   * @maxItems 200
   */
  allow?: string[];
  /**
   * Globs of ignored files that checks need.
   *
   * @maxItems 200
   */
  carry?: string[];
  maxTime?: Duration;
  /**
   * USD that the loop's model calls may cost.
   */
  maxCost?: number;
  /**
   * Tokens, in and out, that the loop's model calls may take.
   */
  maxTokens?: number;
  checkTimeout?: Duration;
  isolation?: Isolation;
  sandbox?: SandboxMode;
  sandboxEngine?: SandboxEngine;
  /**
   * Confined commands and checks reach the network; without it, a loopback of their own.
   */
  allowNetwork?: boolean;
  /**
   * Names of variables that confined commands and checks get beside the ordinary ones.
   *
   * @maxItems 200
   */
  passEnv?: string[];
  /**
   * Paths, ~ for the home, that confined commands and checks may read where they would find them empty.
   *
   * @maxItems 200
   */
  sandboxRead?: string[];
  /**
   * Paths, ~ for the home, that confined commands and checks may write beside the workspace.
   *
   * @maxItems 200
   */
  sandboxWrite?: string[];
  /**
   * Command line of checks that the actor never sees: run once on a result that would be accepted; only that it failed is told.
   */
  holdout?: string;
  /**
   * Where workspaces are kept; default: the system's temporary directory.
   */
  workspaceDir?: string;
  search?: {
    /**
     * Edits tried in one attempt.
     */
    maxCandidates?: number;
    maxTime?: Duration;
  };
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
 * What several attempts show together.
 */
export interface InsightConfig {
  /**
   * Newest attempts that a synthesis looks at; default 20.
   */
  recent?: number;
  /**
   * Insights that stay active; default 10.
   */
  capacity?: number;
  /**
   * Attempts between two syntheses; default 15, 0: only by ralph insights reflect.
   */
  reflectEvery?: number;
  /**
   * Attempts of less importance are archived once a synthesis has seen them; default 0.5.
   */
  threshold?: number;
}
/**
 * What a model says about lessons that nothing has reinforced for a while.
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
 * What a model makes of recent attempts.
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
   * 0 to 1; what is beyond is cut.
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
 * What was synthesised from recent attempts: `.aiwg/ralph/memory/insights.json`.
 */
export interface Insights {
  /**
   * Active ones by importance, then archived ones, newest first.
   *
   * @maxItems 500
   */
  insights: Insight[];
  /**
   * `seq` of the last observation that a successful synthesis saw; 0: none.
   */
  reflected_through: number;
  /**
   * `seq` of the last observation when a synthesis was last tried.
   */
  tried_through: number;
  /**
   * A synthesis was due and has not come to an end.
   */
  due: boolean;
  last?: LastSynthesis;
  /**
   * A checksum of the other fields, the last one in the file; taken off where it is read.
   */
  sum?: string;
}
export interface Insight {
  id: string;
  text: string;
  importance: number;
  /**
   * Real attempts; empty where it is not verified.
   *
   * @maxItems 20
   */
  evidence: AttemptRef[];
  /**
   * False: read from bullet lines, with no attempt to show for it; never told to an actor.
   */
  verified: boolean;
  created_at: string;
  lesson_id?: string;
  /**
   * Why it left; absent while it is active.
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
 * A line of `.aiwg/ralph/memory/audit.jsonl`: one thing that was done with a lesson, or with a proposal that became none.
 */
export interface LessonAudit {
  at: string;
  action: LessonAction;
  /**
   * null: of a proposal that was refused.
   */
  lessonId: string | null;
  text: string;
  /**
   * A sentence.
   */
  reason: string;
  /**
   * A checksum of the other fields, the last one in the file; taken off where it is read.
   */
  sum?: string;
}
/**
 * What loops in this repository learned: a line of `.aiwg/ralph/memory/lessons.jsonl`; of several with one id the last counts.
 */
export interface Lesson {
  /**
   * Of the normalised text, type and subject: the same lesson has the same id in every store.
   */
  id: string;
  text: string;
  type: LessonType;
  subject: LessonSubject;
  status: LessonStatus;
  /**
   * Why it has this status, as a sentence.
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
   * Attempts that were told of it and of which the evaluator saw: failure gone and reward up.
   */
  support: number;
  /**
   * Attempts that were told of it and failed in the same way again.
   */
  contradiction: number;
  /**
   * By the user: never decays, is never archived by a pass.
   */
  pinned: boolean;
  /**
   * That it is about, relative to the root.
   *
   * @maxItems 50
   */
  files: string[];
  /**
   * Of the failures that it is about.
   *
   * @maxItems 50
   */
  fingerprints: string[];
  /**
   * Attempts whose effect is in support or contradiction, as `loop-id#iteration`, newest last: none counts twice.
   *
   * @maxItems 20
   */
  counted?: string[];
  superseded_by?: string;
  created_at: string;
  updated_at: string;
  /**
   * A checksum of the other fields, the last one in the file; taken off where it is read.
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
   * Of an import: where it came from, so that all of one source can be revoked.
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
 * What a model finds worth keeping of a session that went quiet.
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
   * 0 to 1; what is beyond is cut.
   */
  confidence: number;
  /**
   * Copied from the session, to the letter.
   */
  evidence: string;
  /**
   * The exact text of the known fact that this one replaces; else empty.
   */
  supersedes?: string;
}
/**
 * How far micro-reflection has looked: `.aiwg/ralph/memory/micro.json`.
 */
export interface MicroState {
  /**
   * Entries of a loop up to this position have been looked at; newest loop last.
   *
   * @maxItems 200
   */
  watermarks: Watermark[];
  /**
   * `seq` of the last observation that a digest saw.
   */
  digested_through: number;
  /**
   * Day of the last digest, UTC.
   */
  digested_on?: string;
  /**
   * A checksum of the other fields, the last one in the file; taken off where it is read.
   */
  sum?: string;
}
export interface Watermark {
  loop_id: string;
  position: number;
}
/**
 * One attempt, passed or failed, as long-term memory keeps it: a line of `.aiwg/ralph/memory/observations.jsonl`; of several with one id the last counts.
 */
export interface Observation {
  /**
   * Of loop and iteration.
   */
  id: string;
  /**
   * 1-based, over all attempts in this repository.
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
   * The actor's own view; a hint.
   */
  outcome: string;
  passed: boolean;
  reward: number;
  reward_change: number;
  /**
   * Passed where what it started from failed, or the other way round.
   */
  flipped: boolean;
  /**
   * Fingerprints of failures that went away.
   *
   * @maxItems 50
   */
  fixed: string[];
  /**
   * Of failures that stayed.
   *
   * @maxItems 50
   */
  same: string[];
  /**
   * Of failures that were not there before.
   *
   * @maxItems 50
   */
  fresh: string[];
  /**
   * @maxItems 10
   */
  errors: ObservedError[];
  /**
   * Of the checks, as one can type them.
   *
   * @maxItems 20
   */
  commands: ObservedCommand[];
  /**
   * That the attempt changed, relative to the root.
   *
   * @maxItems 50
   */
  files: string[];
  importance: number;
  /**
   * Why it is no longer looked at; absent while it is.
   */
  archived?: string;
  /**
   * A checksum of the other fields, the last one in the file; taken off where it is read.
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
 * A playbook as a model rewrites it.
 */
export interface PlaybookAnswer {
  narrative: string;
}
/**
 * What this repository taught, consolidated: `.aiwg/ralph/memory/playbook.json`, and each earlier version in `history/`.
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
   * Markdown; `[[lesson-…]]` stands for a lesson's slot.
   */
  narrative: string;
  /**
   * Every active lesson: rendered whether the narrative names it or not.
   *
   * @maxItems 400
   */
  slots: PlaybookSlot[];
  /**
   * Ids of the insights that went into it.
   *
   * @maxItems 2000
   */
  integrated: string[];
  /**
   * Changes of confidence that belong to this version and are not yet carried out.
   *
   * @maxItems 400
   */
  decay: DecayChange[];
  /**
   * @maxItems 10
   */
  warnings: string[];
  /**
   * A checksum of the other fields, the last one in the file; taken off where it is read.
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
 * An edit of the search actor in a result that was verified: a line of `.aiwg/ralph/repairs.jsonl`.
 */
export interface Repair {
  loop_id: string;
  /**
   * What made the edit, such as `comparison`.
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
   * Whose failing tests it was found for.
   */
  test_file: string;
  recorded_at: string;
  /**
   * A checksum of the other fields, the last one in the file; taken off where it is read.
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
 * What a model says about drafts of lessons. Drafts that it does not name are kept.
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
   * The better wording, for enrich; else empty.
   */
  text?: string;
  reason?: string;
}
export interface MissedLesson {
  text: string;
  type: 'command' | 'environment' | 'convention' | 'constraint' | 'pitfall' | 'fix_pattern' | 'preference';
  subject: 'operator' | 'project' | 'agent';
  /**
   * Copied from the record, to the letter.
   */
  quote: string;
  /**
   * 0 to 1; what is beyond is cut.
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
   * The one wording that replaces both, for merge; else empty.
   */
  merged?: string;
}
