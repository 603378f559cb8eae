/* Generated from schemas/*.json by `npm run generate`. Do not edit. */

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
 * What commands and checks are confined by. auto: bubblewrap where it works; strict: or nothing runs; off: your own rights.
 */
export type SandboxMode = 'auto' | 'strict' | 'off';
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
 * The actor's own view. Only a hint: the evaluator decides.
 */
export type ActorOutcome = 'edited' | 'claimed_done' | 'gave_up' | 'timed_out' | 'failed' | 'out_of_budget';
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
/**
 * Where the verified result went: nowhere, into the user's tree, onto the current branch, or onto ralph/<loop-id>.
 */
export type Applied = 'none' | 'tree' | 'commit' | 'branch';

export interface EverySchema {
  'config.schema.json': Config;
  'diagnostic.schema.json': Diagnostic;
  'evaluation.schema.json': Evaluation;
  'journal-record.schema.json': JournalRecord;
  'lesson.schema.json': Lesson;
  'loop-state.schema.json': LoopState;
  'reflection.schema.json': Reflection;
  'repair.schema.json': Repair;
  'trajectory.schema.json': Trajectory;
  'verdict.schema.json': Verdict;
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
   * fifo: the newest, oldest first. recency: the newest, newest first.
   */
  windowPolicy?: 'fifo' | 'recency';
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
    ruled_out?: RuledOut;
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
export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens: number;
  /**
   * null: tokens were taken whose price is not known.
   */
  cost_usd: number | null;
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
 * Edits that were tried and did not help; carried by the reflection so that no later attempt pays for them again.
 */
export interface RuledOut {
  /**
   * Edits tried in this attempt.
   */
  tried: number;
  /**
   * Readable signatures, `file: before → after @context-hash ~failures-hash`, of this attempt and of those it was told of.
   *
   * @maxItems 5000
   */
  edits: string[];
  /**
   * The edit that came nearest, and how near.
   */
  nearest?: string;
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
