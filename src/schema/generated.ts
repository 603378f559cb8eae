/* Generated from schemas/*.json by `npm run generate`. Do not edit. */

/**
 * `unproven`: every check stayed green and something was changed, but no criterion was red before. `failed` is used only by `ralph evaluate`: a check fails.
 */
export type LoopStatus =
  | 'passed'
  | 'nothing_to_do'
  | 'unproven'
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
  | 'builtin_replaced'
  | 'replay_differs'
  | 'process_ended'
  | 'checked_less'
  | 'surroundings_read';
/**
 * Place of the verified result: `none` (not applied), the user's tree, a commit on the current branch, or the branch ralph/<loop-id>.
 */
export type Applied = 'none' | 'tree' | 'commit' | 'branch';
/**
 * Origin of the strongest criterion: checks that were red at the start, `--accept`, `--accept-tests`, a criterion of prd.json, a checklist or an issue, tests written from the task before any code, or `none` for an unproven result.
 */
export type ProofKind = 'repair' | 'accept' | 'accept_tests' | 'task_file' | 'written' | 'none';
export type CriterionSource = 'check' | 'accept' | 'accept_tests' | 'task_file' | 'written';
/**
 * `unmet` only if the change shows that it does not hold.
 */
export type JudgeOpinion = 'met' | 'unmet' | 'unclear';
/**
 * @maxItems 300
 */
export type Findings = JudgeFinding[];
export type CiTrigger = 'workflow_run' | 'label' | 'comment' | 'schedule' | 'dispatch' | 'manual';
/**
 * running: claimed, no result yet. published: a verified fix was pushed. unopened: a verified fix was pushed, but its pull request could not be opened; it is no try. unpushed: a verified fix could not be pushed; it is no try either. withheld: verified, but not pushed. unverified: the loop ended without a fix. failed: the job ended without a result.
 */
export type CiTryState =
  'running' | 'published' | 'unopened' | 'unpushed' | 'withheld' | 'unverified' | 'failed';
/**
 * Actor that edits: search (offline, no model), react, cot, acp or command. Default: command with --command, acp with --agent, react with --model, else search.
 */
export type ActorName = 'search' | 'react' | 'cot' | 'acp' | 'command';
/**
 * Maximum time for one attempt of an agent or a program (--command); it is then ended, and its edits are evaluated.
 */
export type Duration = string;
/**
 * Maximum time without a message from the agent.
 */
export type Duration1 = string;
/**
 * Fixes to try before a model or agent is called: off, quick (eslint --fix and compiler fixes) or search (the offline search). Default: quick, or off for the command actor.
 */
export type Fixers = 'off' | 'quick' | 'search';
/**
 * Maximum time for one attempt. Where only maxTime is set, half of it, from 60s to 5m.
 */
export type Duration2 = string;
/**
 * Model as provider/model: anthropic/…, openai/…, google/… or openai-compatible/…
 */
export type ModelName = string;
export type ModelName1 = string;
/**
 * Maximum pause within a reply; a whole reply may take five times as long.
 */
export type Duration3 = string;
/**
 * Maximum wait before a failed call is retried.
 */
export type Duration4 = string;
/**
 * Information about earlier attempts in the next prompt: none, last-attempt, reflexion or last-attempt+reflexion.
 */
export type Strategy = 'none' | 'last-attempt' | 'reflexion' | 'last-attempt+reflexion';
/**
 * Tree that the next attempt starts from: that of the best attempt, that of the last attempt, or base, the tree before the loop.
 */
export type RetryFrom = 'best' | 'last' | 'base';
/**
 * Model that writes the acceptance tests. Default: the actor's model or agent.
 */
export type ModelName2 = string;
/**
 * Model that reads a verified change and says for each criterion whether it is met; one that is not makes the result unproven.
 */
export type ModelName3 = string;
/**
 * Maximum time to measure how many mutants of the change the tests catch, and for changed blocks to be put back if it is longer than the time that these have; 0s measures nothing.
 */
export type DurationOrZero = string;
/**
 * Reflector: rules or llm. Default: llm with a model, else rules.
 */
export type ReflectorName = 'rules' | 'llm';
/**
 * Model of the llm reflector. Default: the actor's.
 */
export type ModelName4 = string;
/**
 * Number of reflections in the next prompt: 1 to 10, or auto. Default: by verification type.
 */
export type Omega = number | 'auto';
/**
 * Maximum time for the loop, such as 10m.
 */
export type Duration5 = string;
/**
 * Maximum time for one check.
 */
export type Duration6 = string;
/**
 * Place of the attempts: worktree (a copy of the tree) or in-place.
 */
export type Isolation = 'worktree' | 'in-place';
/**
 * Confine commands and checks: auto (if an engine works; without one only the offline search may run), strict (without an engine nothing runs) or off.
 */
export type SandboxMode = 'auto' | 'strict' | 'off';
/**
 * Sandbox engine: auto (on Linux preferably bubblewrap), bubblewrap or sandbox-runtime.
 */
export type SandboxEngine = 'auto' | 'bubblewrap' | 'sandbox-runtime';
/**
 * Confine the process of an --agent, with the network and its own folders: auto (agents that were seen to work so), on or off.
 */
export type AgentConfinement = 'auto' | 'on' | 'off';
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
 * `staged`: proposed, not confirmed yet by its own test of truth.
 */
export type LessonStatus = 'staged' | 'active' | 'superseded' | 'archived';
export type LessonKind =
  'edit_insufficient' | 'edit_works' | 'file_decides_failure' | 'command_fact' | 'preference' | 'advice';
/**
 * `waiting`: among the first loops, of which nothing is withheld, so that it is not part of the experiment; `told`: with memory, less one lesson at most; `untold`: without memory, except what is the user's.
 */
export type TrialArm = 'waiting' | 'told' | 'untold';
export type StoryCriterion = string | CheckedCriterion;
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
 * `conflict`: verified, but kept on a branch because it could not be applied.
 */
export type TaskStatus =
  | 'done_before'
  | 'verified'
  | 'unverified'
  | 'unproven'
  | 'conflict'
  | 'budget'
  | 'stopped'
  | 'error'
  | 'not_run';
/**
 * The actor's own assessment. Only a hint: the evaluator decides.
 */
export type ActorOutcome = 'edited' | 'claimed_done' | 'gave_up' | 'timed_out' | 'failed' | 'out_of_budget';

export interface EverySchema {
  'acceptance-answer.schema.json': AcceptanceAnswer;
  'analysis.schema.json': Analysis;
  'ci-fix.schema.json': CiFix;
  'ci-ledger.schema.json': CiLedger;
  'ci-plan.schema.json': CiPlan;
  'config.schema.json': Config;
  'decay-answer.schema.json': DecayAnswer;
  'diagnostic.schema.json': Diagnostic;
  'evaluation.schema.json': Evaluation;
  'gate-session.schema.json': GateSession;
  'insights-answer.schema.json': InsightsAnswer;
  'insights.schema.json': Insights;
  'journal-record.schema.json': JournalRecord;
  'judge-answer.schema.json': JudgeAnswer;
  'lesson-audit.schema.json': LessonAudit;
  'lesson.schema.json': Lesson;
  'loop-state.schema.json': LoopState;
  'memory-trial.schema.json': MemoryTrial;
  'micro-answer.schema.json': MicroAnswer;
  'micro-state.schema.json': MicroState;
  'observation.schema.json': Observation;
  'playbook-answer.schema.json': PlaybookAnswer;
  'playbook.schema.json': Playbook;
  'prd.schema.json': Prd;
  'propose-answer.schema.json': ProposeAnswer;
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
 * Tests that a model or agent writes for a task before any code is written.
 */
export interface AcceptanceAnswer {
  /**
   * @maxItems 50
   */
  criteria: AcceptanceCriterion[];
  /**
   * @maxItems 50
   */
  files: AcceptanceFile[];
}
export interface AcceptanceCriterion {
  /**
   * One sentence: what must hold.
   */
  text: string;
  /**
   * Names of the tests in `files` that demand it, without the names of their groups.
   *
   * @maxItems 200
   */
  tests: string[];
  /**
   * Ids of failing tests of the repository that demand all of it already.
   *
   * @maxItems 200
   */
  covered_by: string[];
}
export interface AcceptanceFile {
  /**
   * Path from the repository's root.
   */
  path: string;
  /**
   * The complete test file.
   */
  content: string;
}
/**
 * Output of `ralph analyze --format json`: figures on the learning of the loops of a repository.
 */
export interface Analysis {
  /**
   * The requested loop; null for all.
   */
  loop_id: string | null;
  /**
   * Loops, the oldest first.
   *
   * @maxItems 100000
   */
  loops: AnalysisLoop[];
  attempts: number;
  success: AnalysisShare;
  /**
   * Mean over the loops with two or more rewards.
   */
  rate: number | null;
  /**
   * @maxItems 100000
   */
  curve: AnalysisCurvePoint[];
  /**
   * Number of all breakthroughs, including those not listed.
   */
  breakthrough_count: number;
  /**
   * Attempts that passed, or were better than all before them by 0.1 or more; the largest gain first, at most 20.
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
  experiment: AnalysisExperiment;
  /**
   * Files that could not be read.
   *
   * @maxItems 100000
   */
  left_out: AnalysisLeftOut[];
}
export interface AnalysisLoop {
  loop_id: string;
  task: string;
  /**
   * null if only the reflections of the loop are stored.
   */
  status: string | null;
  /**
   * Whether the loop ran with long-term memory; null if unknown.
   */
  memory: boolean | null;
  /**
   * null if the result is unknown.
   */
  passed: boolean | null;
  attempts: number;
  /**
   * Rewards, the baseline first if it is known.
   *
   * @maxItems 100000
   */
  rewards: number[];
  /**
   * (last − first) ÷ n over the rewards; 0 with fewer than two rewards.
   */
  rate: number;
  attempts_to_success: number | null;
  /**
   * Wall-clock time from start to end.
   */
  ms_to_success: number | null;
  /**
   * Number of edits that a search actor tried.
   */
  tried: number | null;
}
/**
 * Over the loops with a known result, without those that had nothing to do.
 */
export interface AnalysisShare {
  part: number;
  n: number;
  share: number | null;
  low: number | null;
  high: number | null;
  /**
   * True for fewer than 10 values, too few for a conclusion.
   */
  too_few: boolean;
}
export interface AnalysisCurvePoint {
  /**
   * Attempt, 1-based; 0 is the baseline.
   */
  attempt: number;
  loops: number;
  /**
   * Number of loops with this attempt.
   */
  running: number;
  /**
   * Mean reward of the attempt itself, over the loops that made it.
   */
  own_reward: number | null;
  /**
   * Mean over all loops of the best reward so far; a finished loop keeps its best reward.
   */
  reward: number;
}
export interface AnalysisBreakthrough {
  loop_id: string;
  attempt: number;
  /**
   * Gain over the best reward before it.
   */
  gain: number;
  passed: boolean;
}
/**
 * Failures by fingerprint, each attempt compared with the evaluation before it.
 */
export interface AnalysisErrors {
  /**
   * Number of attempts with a stored evaluation.
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
   * Number of reflections with a confidence and a following attempt.
   */
  n: number;
  too_few: boolean;
  /**
   * Pearson correlation of confidence and improvement (0 or 1); null if one of them is constant.
   */
  correlation: number | null;
  /**
   * Bound of the 95 % bootstrap interval over reflections.
   */
  low: number | null;
  high: number | null;
  /**
   * @maxItems 20
   */
  bins: AnalysisBin[];
}
/**
 * Reflections with a confidence in this range (`to` is exclusive, except 1), and how many were followed by an improvement.
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
   * True for fewer than 10 values, too few for a conclusion.
   */
  too_few: boolean;
}
export interface AnalysisLessons {
  lessons: number;
  /**
   * Number of attempts with lessons in the prompt.
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
 * Lessons that were used in another loop than that in which they were learned.
 */
export interface AnalysisShare1 {
  part: number;
  n: number;
  share: number | null;
  low: number | null;
  high: number | null;
  /**
   * True for fewer than 10 values, too few for a conclusion.
   */
  too_few: boolean;
}
/**
 * Share of supporting effects among all counted effects.
 */
export interface AnalysisShare2 {
  part: number;
  n: number;
  share: number | null;
  low: number | null;
  high: number | null;
  /**
   * True for fewer than 10 values, too few for a conclusion.
   */
  too_few: boolean;
}
export interface AnalysisLesson {
  id: string;
  text: string;
  status: string;
  /**
   * Number of attempts with this lesson in the prompt.
   */
  told: number;
  /**
   * Number of loops, without the loop in which it was learned.
   */
  loops: number;
  support: number;
  contradiction: number;
}
/**
 * All loops with long-term memory compared with all without. Observational, not an experiment.
 */
export interface AnalysisComparison {
  with: AnalysisArm;
  without: AnalysisArm;
  success_difference: number | null;
  /**
   * Bound of the 95 % interval by Newcombe's method 10.
   */
  low: number | null;
  high: number | null;
  /**
   * True if one side has fewer than 10 loops.
   */
  too_few: boolean;
}
export interface AnalysisArm {
  success: AnalysisShare3;
  attempts: AnalysisFigure;
  tried: AnalysisFigure1;
}
/**
 * A share with its 95 % Wilson score interval; null for an empty set.
 */
export interface AnalysisShare3 {
  part: number;
  n: number;
  share: number | null;
  low: number | null;
  high: number | null;
  /**
   * True for fewer than 10 values, too few for a conclusion.
   */
  too_few: boolean;
}
/**
 * Attempts until success, over the loops that passed.
 */
export interface AnalysisFigure {
  n: number;
  mean: number | null;
  /**
   * Bound of the 95 % bootstrap interval.
   */
  low: number | null;
  high: number | null;
}
/**
 * Edits tried until success.
 */
export interface AnalysisFigure1 {
  n: number;
  mean: number | null;
  /**
   * Bound of the 95 % bootstrap interval.
   */
  low: number | null;
  high: number | null;
}
/**
 * Loops whose baseline has a failure of an earlier loop, compared with the others.
 */
export interface AnalysisComparison1 {
  with: AnalysisArm;
  without: AnalysisArm;
  success_difference: number | null;
  /**
   * Bound of the 95 % interval by Newcombe's method 10.
   */
  low: number | null;
  high: number | null;
  /**
   * True if one side has fewer than 10 loops.
   */
  too_few: boolean;
}
/**
 * Loops from which memory was withheld at random, compared with the others. All loops, also of other clones.
 */
export interface AnalysisExperiment {
  memory: AnalysisEffect;
  /**
   * Lessons that were withheld at least once, the most often withheld first.
   *
   * @maxItems 10000
   */
  lessons: AnalysisTrialLesson[];
}
/**
 * Loops with memory compared with loops without.
 */
export interface AnalysisEffect {
  told: AnalysisShare4;
  untold: AnalysisShare5;
  success: AnalysisDifference;
  attempts: AnalysisDifference1;
  tried: AnalysisDifference2;
  /**
   * True if the interval of a figure lies wholly on the side in favour of telling.
   */
  helps: boolean;
}
/**
 * A share with its 95 % Wilson score interval; null for an empty set.
 */
export interface AnalysisShare4 {
  part: number;
  n: number;
  share: number | null;
  low: number | null;
  high: number | null;
  /**
   * True for fewer than 10 values, too few for a conclusion.
   */
  too_few: boolean;
}
/**
 * A share with its 95 % Wilson score interval; null for an empty set.
 */
export interface AnalysisShare5 {
  part: number;
  n: number;
  share: number | null;
  low: number | null;
  high: number | null;
  /**
   * True for fewer than 10 values, too few for a conclusion.
   */
  too_few: boolean;
}
/**
 * Difference of the shares (Newcombe's method 10); above 0 in favour of telling.
 */
export interface AnalysisDifference {
  value: number | null;
  low: number | null;
  high: number | null;
}
/**
 * Difference of the mean attempts of loops that passed (bootstrap); below 0 in favour of telling.
 */
export interface AnalysisDifference1 {
  value: number | null;
  low: number | null;
  high: number | null;
}
/**
 * Ratio of the geometric means of edits tried in loops that passed (bootstrap); below 1 in favour of telling.
 */
export interface AnalysisDifference2 {
  value: number | null;
  low: number | null;
  high: number | null;
}
export interface AnalysisTrialLesson {
  id: string;
  /**
   * null for a lesson that is not stored.
   */
  text: string | null;
  status: string | null;
  effect: AnalysisEffect1;
}
/**
 * What being told changes, by the randomised loops that have ended.
 */
export interface AnalysisEffect1 {
  told: AnalysisShare4;
  untold: AnalysisShare5;
  success: AnalysisDifference;
  attempts: AnalysisDifference1;
  tried: AnalysisDifference2;
  /**
   * True if the interval of a figure lies wholly on the side in favour of telling.
   */
  helps: boolean;
}
export interface AnalysisLeftOut {
  path: string;
  problem: string;
}
/**
 * Result that `ralph ci fix` passes to `ralph ci publish`: `fix.json` in its output folder. Code of the repository ran in the same job, so `publish` trusts no field without a check.
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
 * Output of `--format json`: the result of a loop, or of one `ralph evaluate`.
 */
export interface Verdict {
  /**
   * null for `ralph evaluate`, which runs no loop.
   */
  loop_id: string | null;
  status: LoopStatus;
  /**
   * A criterion was red on the base and is green now, everything else stayed green, every baseline test ran and passed, and the repository's own test command confirmed it.
   */
  verified: boolean;
  /**
   * One sentence: the reason for the status.
   */
  reason: string;
  /**
   * Reward of the best attempt; of the tree for `ralph evaluate`.
   */
  reward: number;
  baseline_reward: number;
  /**
   * 1-based; null if no attempt was better than the baseline.
   */
  best_iteration: number | null;
  /**
   * Number of attempts that the checks judged.
   */
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
   * Branch with the result; absent if there is none.
   */
  branch?: string;
  duration_ms: number;
  proof?: Proof;
}
export interface AttemptSummary {
  iteration: number;
  /**
   * null for an attempt that was stopped before the checks had judged it.
   */
  reward: number | null;
  passed: boolean;
  files_changed: number;
  lines_added: number;
  lines_deleted: number;
  duration_ms: number;
  /**
   * Why the actor ended before it said that it was done, such as a refusal, a reply that was cut off or a failed server. Absent if it did not.
   */
  ended_early?: string;
  /**
   * With --samples: the attempts that were made at the same time from the same tree, in their order. Absent without.
   */
  samples?: SampleSummary[];
  tampering: Tampering[];
}
export interface SampleSummary {
  number: number;
  /**
   * The best one, which stands for the attempt.
   */
  chosen: boolean;
  /**
   * The actor's own assessment.
   */
  outcome: string;
  /**
   * null if it was not evaluated.
   */
  reward: number | null;
  passed: boolean;
  /**
   * Why the actor ended before it said that it was done. Absent if it did not.
   */
  ended_early?: string;
}
export interface Tampering {
  kind: TamperingKind;
  /**
   * Relative to the repository's root; empty if no single file is concerned.
   */
  file: string;
  /**
   * One sentence: the attempted change and the reaction to it.
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
   * null if the price of some tokens is unknown.
   */
  cost_usd: number | null;
}
/**
 * What shows that the task is done. Absent where nothing was delivered or kept.
 */
export interface Proof {
  kind: ProofKind;
  /**
   * @maxItems 200
   */
  criteria: Criterion[];
  /**
   * Requirements of the task that no test covers, each as one sentence.
   *
   * @maxItems 50
   */
  uncovered: string[];
  strength?: ProofStrength;
  judge?: JudgeOpinions;
}
export interface Criterion {
  /**
   * `C1`, `C2`, …
   */
  id: string;
  /**
   * One sentence: what must hold.
   */
  text: string;
  source: CriterionSource;
  /**
   * Command line of the criterion, if it is one.
   */
  command?: string;
  red_before: boolean;
  green_after: boolean;
  /**
   * Tests that show it, as `file: name`.
   *
   * @maxItems 200
   */
  tests: string[];
  /**
   * Red at the start, but green when the untouched tree was checked again: the change is not the reason.
   */
  flaky?: true;
  /**
   * The reason why the actor holds the criterion's tests for wrong.
   */
  disputed?: string;
}
/**
 * How many of the small changes tried on the changed lines the tests notice.
 */
export interface ProofStrength {
  /**
   * Mutants that were run to an end.
   */
  tried: number;
  caught: number;
  /**
   * @maxItems 200
   */
  survivors: SurvivingMutant[];
  /**
   * Changed lines with code that no test runs.
   *
   * @maxItems 500
   */
  unexecuted: SourceLine[];
  /**
   * Test files that were written for mutants that no test caught; their tests pass on the result, and the figures include them.
   *
   * @maxItems 20
   */
  added?: string[];
  /**
   * Changed blocks that no check notices if they are taken back, without new declarations, imports, and what repeats a needed change.
   *
   * @maxItems 200
   */
  unneeded: ChangedLines[];
  unshown?: UnshownBlocks;
  /**
   * False if the time ended before every mutant was tried.
   */
  complete: boolean;
  /**
   * Why nothing could be measured; absent if something was.
   */
  reason?: string;
  duration_ms: number;
}
export interface SurvivingMutant {
  file: string;
  line: number;
  before: string;
  after: string;
}
export interface SourceLine {
  file: string;
  line: number;
}
export interface ChangedLines {
  file: string;
  /**
   * First line in the result.
   */
  line: number;
  lines: number;
  /**
   * The whole file, which is new or gone.
   */
  whole?: 'added' | 'deleted';
  /**
   * Code that the change takes out there, if the rest of the block is needed.
   */
  removed?: string;
  /**
   * Code that the change adds there, if the rest of the block is needed.
   */
  added?: string;
  /**
   * The code of `added` is a question, and every check passes if this is always its answer.
   */
  always?: boolean;
}
/**
 * Changed blocks of which nobody knows whether a check needs them. Absent if each was tried.
 */
export interface UnshownBlocks {
  blocks: number;
  /**
   * Number of all changed blocks, and parts of blocks, that a check must need.
   */
  of: number;
  /**
   * Why, as a part of a sentence.
   */
  reason: string;
  /**
   * Flag that gives the trials more time; absent if the time did not end.
   */
  flag?: string;
}
/**
 * What the model of `--judge` says about the change. It can make a result unproven, never verified.
 */
export interface JudgeOpinions {
  model: string;
  findings: Findings;
}
export interface JudgeFinding {
  /**
   * Id of the criterion, such as C1; `TASK` for the task as a whole.
   */
  criterion: string;
  opinion: JudgeOpinion;
  /**
   * Path of the changed file that shows it; empty if none does.
   */
  file: string;
  /**
   * Line in that file after the change, 1-based; 0 if there is none.
   */
  line: number;
  /**
   * One sentence.
   */
  reason: string;
}
/**
 * Tries of the CI jobs so far: `ledger.json` on the memory branch. Only `ralph ci plan` and `ralph ci publish` write it, in jobs that run no code of the repository.
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
  /**
   * The one comment of ralph on each pull request.
   *
   * @maxItems 1000
   */
  comments?: CiComment[];
}
export interface CiTry {
  id: string;
  /**
   * The failing branch.
   */
  branch: string;
  /**
   * Failing commit of the branch.
   */
  head: string;
  trigger: CiTrigger;
  state: CiTryState;
  started_at: string;
  ended_at?: string;
  /**
   * Maximum cost of the try; counts towards the budgets until the try has ended.
   */
  reserved_usd: number;
  /**
   * Actual cost of the try: of each run of its fix job at most the reserved cost.
   */
  cost_usd?: number;
  /**
   * Number of the pull request that requested the try.
   */
  pull?: number;
  /**
   * True if a label requested the try: removing the label then cancels it.
   */
  labelled?: boolean;
  loop_id?: string;
  reason?: string;
  /**
   * Maximum number of tries at the commit when this one was claimed.
   */
  max_tries?: number;
  /**
   * Task from a comment or a workflow dispatch; the next try gets it as well.
   */
  task?: string;
  /**
   * Failed CI jobs that asked for the try, each with its first failed step.
   *
   * @maxItems 10
   */
  failed_jobs?: string[];
}
/**
 * Last push for a failing branch, so that commits of other people are not overwritten.
 */
export interface CiBranch {
  branch: string;
  /**
   * Last pushed commit.
   */
  tip: string;
  /**
   * Commit that the fix repairs.
   */
  head: string;
  /**
   * Number of the pull request with the fix.
   */
  pull?: number;
}
export interface CiComment {
  pull: number;
  /**
   * Id of the comment on GitHub.
   */
  comment: number;
}
/**
 * Decision of `ralph ci plan`, for `ralph ci fix`: `plan.json` in its output folder.
 */
export interface CiPlan {
  version: 1;
  run: boolean;
  /**
   * `run`, or the name of the rule against a try.
   */
  reason: string;
  /**
   * The reason as a sentence.
   */
  text: string;
  try_id?: string;
  /**
   * Number of this try for the commit, 1-based.
   */
  try?: number;
  branch?: string;
  head?: string;
  pull?: number;
  /**
   * Task from a comment or a workflow dispatch.
   */
  task?: string;
  max_cost_usd?: number;
  /**
   * Loops of earlier tries for this commit that ended without a fix, oldest first.
   *
   * @maxItems 20
   */
  earlier_loops?: string[];
  /**
   * Failed CI jobs that asked for the try, each with its first failed step.
   *
   * @maxItems 10
   */
  failed_jobs?: string[];
  /**
   * Ends of the logs of the failed jobs. Anybody who may push can put text into it.
   */
  log?: string;
}
/**
 * Configuration in ralph.config.{json,js,mjs,ts} or package.json#ralph. Flags override RALPH_* variables, which override the file. Keywords of each setting: `default`, `group` (heading in help and reference), `flag`, and `separator` (between list items on the command line).
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
   * Limits of one attempt of the offline search.
   */
  search?: {
    /**
     * Maximum number of edits tried in one attempt.
     */
    maxCandidates?: number;
    maxTime?: Duration2;
    /**
     * Confidence from which an edit is applied; below it plausible edits are only listed.
     */
    minConfidence?: number;
  };
  model?: ModelName;
  /**
   * Address of the model's API, such as http://127.0.0.1:11434/v1.
   */
  baseUrl?: string;
  /**
   * Model to call if the previous one fails; repeatable.
   *
   * @maxItems 10
   */
  fallbackModels?: ModelName1[];
  /**
   * Stream replies; some servers do not support it.
   */
  stream?: boolean;
  modelTimeout?: Duration3;
  maxRetryDelay?: Duration4;
  /**
   * Maximum number of tokens in one reply.
   */
  maxOutputTokens?: number;
  /**
   * Effort that models spend on reasoning; their own default if not set.
   */
  reasoning?: 'low' | 'medium' | 'high';
  /**
   * Randomness of replies; the models' own default if not set.
   */
  temperature?: number;
  /**
   * Further options of the AI SDK's providers, by provider, such as openai.serviceTier.
   */
  providerOptions?: {
    [k: string]: {
      [k: string]: unknown;
    };
  };
  /**
   * Maximum number of model calls in one attempt.
   */
  maxSteps?: number;
  /**
   * Prices in USD per million tokens, by provider/model; they override the built-in table.
   */
  prices?: {
    [k: string]: Price;
  };
  /**
   * Record requests and replies of the model in this file, without secrets.
   */
  record?: string;
  /**
   * Replay the model's replies from this file, without requests or cost.
   */
  replay?: string;
  /**
   * Maximum number of attempts.
   */
  maxIterations?: number;
  /**
   * Ask the model once for small edits first, and try them in the offline search.
   */
  propose?: boolean;
  /**
   * Number of actors that make each attempt at the same time; the best result stands for the attempt.
   */
  samples?: number;
  strategy?: Strategy;
  retryFrom?: RetryFrom;
  /**
   * Accept a result with failures of the baseline if it fixes something and breaks nothing.
   */
  noRegressions?: boolean;
  /**
   * Apply a result that stays green but that no criterion proves.
   */
  applyUnproven?: boolean;
  /**
   * Command that must fail now and pass afterwards, as a criterion of the task; repeatable.
   *
   * @maxItems 20
   */
  accept?: string[];
  /**
   * Your own new tests, which must fail now and pass afterwards; repeatable.
   *
   * @maxItems 100
   */
  acceptTests?: string[];
  /**
   * Let the model or agent write tests for the task before any code is written.
   */
  acceptanceTests?: boolean;
  acceptanceModel?: ModelName2;
  judge?: ModelName3;
  /**
   * Deliver the acceptance tests with the change.
   */
  keepTests?: boolean;
  proofTime?: DurationOrZero;
  /**
   * Share of the mutants of the change that tests must catch, such as 0.8.
   */
  minProof?: number;
  reflector?: ReflectorName;
  reflectorModel?: ModelName4;
  omega?: Omega;
  /**
   * Choice of reflections for the prompt: fifo (newest, in order), recency (newest first) or relevance_weighted (those closest to the current failures first).
   */
  windowPolicy?: 'fifo' | 'recency' | 'relevance_weighted';
  /**
   * Maximum number of tokens for the reflections in a prompt.
   */
  windowTokens?: number;
  /**
   * Run a failing test of each failed attempt once more, to say in the reflection whether it runs the changed lines, and which values it computes.
   */
  traceFailures?: boolean;
  /**
   * Share lessons between loops, and let the offline search learn from the repository's code and history. Reflections within a loop are not affected.
   */
  memory?: boolean;
  /**
   * Run one loop in n without memory, and each lesson in one loop in n, drawn at random, to measure what memory changes; 0 or 1: never.
   */
  withholdOneIn?: number;
  /**
   * Seed of these draws, so that they can be repeated. Default: random.
   */
  withholdSeed?: string;
  /**
   * Archive a lesson that was withheld from this many loops and did not measurably help the others; 0: never.
   */
  restAfter?: number;
  /**
   * Check the lessons of a reflection against the attempt and the stored lessons before storing them.
   */
  validateLessons?: boolean;
  /**
   * Use the reflector's model, not only rules, to validate, digest and consolidate memory.
   */
  memoryModel?: boolean;
  /**
   * Search a finished loop for facts worth storing.
   */
  microReflection?: boolean;
  insights?: InsightConfig;
  maxTime?: Duration5;
  /**
   * Maximum cost of model calls, in USD.
   */
  maxCost?: number;
  /**
   * Maximum number of input and output tokens of model calls.
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
   * Skip a check; repeatable.
   *
   * @maxItems 20
   */
  skip?: string[];
  /**
   * Packages of a workspace to check: own (where you stand), dependents (own and those that need it), all, or names and folders; repeatable.
   *
   * @maxItems 100
   */
  packages?: string[];
  /**
   * Weights of the checks in the reward, such as tests=0.5,types=0.3,lint=0.2; normalised over the existing checks.
   */
  weights?: {
    [k: string]: number;
  };
  /**
   * Command with checks that the actor never sees, run once before a result is accepted. A failure is reported without details.
   */
  holdout?: string;
  /**
   * Additional files that attempts may not change; they are restored before the checks run; repeatable.
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
  sandboxAgent?: AgentConfinement;
  /**
   * Allow network access to confined commands and checks.
   */
  allowNetwork?: boolean;
  /**
   * Additional environment variable for confined commands and checks; repeatable.
   *
   * @maxItems 200
   */
  passEnv?: string[];
  /**
   * Additional path that confined commands and checks may read; ~ is the home folder; repeatable.
   *
   * @maxItems 200
   */
  sandboxRead?: string[];
  /**
   * Additional path that confined commands and checks may write; ~ is the home folder; repeatable.
   *
   * @maxItems 200
   */
  sandboxWrite?: string[];
  /**
   * Limits of each confined command or check: memory, disk (all that it writes) and file in GiB, and processes, such as memory=4,processes=500; 0 is no limit. Default: three quarters of the machine's memory, disk=20,file=8,processes=4096.
   */
  limits?: {
    [k: string]: number;
  };
  /**
   * Globs of git-ignored files that checks need in the workspace.
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
   * Price of input read from the provider's cache. Default: the price of input.
   */
  cachedInput?: number;
  /**
   * Price of input written to the provider's cache. Default: the price of input.
   */
  cacheWrite?: number;
}
/**
 * Synthesis of insights from several attempts.
 */
export interface InsightConfig {
  /**
   * Number of newest attempts that one synthesis reads.
   */
  recent?: number;
  /**
   * Maximum number of active insights.
   */
  capacity?: number;
  /**
   * Number of attempts between two syntheses; 0: only ralph insights reflect.
   */
  reflectEvery?: number;
  /**
   * Attempts below this importance are archived after a synthesis has read them.
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
 * One failure that a check reported, with its location and a fingerprint that does not depend on line numbers.
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
   * Name of the check.
   */
  check: string;
  /**
   * Identifies the failure, independent of line numbers, durations and absolute paths.
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
   * Id of the failing test, as in `tests[].id`.
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
 * Evaluation of one tree: every check, the reward with its receipt, and the failures.
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
   * All reported tests, in the runner's order.
   *
   * @maxItems 200000
   */
  tests: TestCase[];
  /**
   * Ids of tests that ran in the baseline but not now.
   *
   * @maxItems 500
   */
  missing_tests: string[];
  /**
   * Reasons to refuse a result although its checks pass; for a baseline, side effects of its checks.
   *
   * @maxItems 500
   */
  tampering?: Tampering[];
  /**
   * For a baseline: new files that its checks wrote. Absent if there is none.
   *
   * @maxItems 5000
   */
  written_files?: string[];
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
   * Number of tests, without skipped ones and at least that of the baseline.
   */
  total: number;
  /**
   * Number of tests that did not run, since the change cannot affect them; their results are those of the tree before. 0 for a check without tests that did not run again. Absent if all ran.
   */
  reused?: number;
  /**
   * The check did not run to its end, or not all that it printed was read: a failure that it does not report may still be there. Absent otherwise.
   */
  unfinished?: true;
  /**
   * Files that a type checker or linter examined, relative to the root; only for a baseline.
   *
   * @maxItems 100000
   */
  checked_files?: string[];
  errors: number;
  warnings: number;
  /**
   * Weight in the reward, 0..1, normalised over the existing checks.
   */
  weight: number;
  score: number;
  duration_ms: number;
  /**
   * null if it was killed by a signal or never started.
   */
  exit_code: number | null;
  /**
   * One sentence: the basis of the score.
   */
  detail: string;
  /**
   * The executed command line, quoted for a shell.
   */
  command: string;
  /**
   * Beginning and end of its output.
   */
  output: string;
}
/**
 * Fingerprints compared with those of the previous evaluation.
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
  /**
   * The attempt changed comments, prose or layout alone, and no code. Absent if false.
   */
  code_as_it_was?: boolean;
  /**
   * Failures that are gone although the attempt changed no code. Absent if there is none.
   *
   * @maxItems 500
   */
  passing?: string[];
  /**
   * Failures that are absent, but whose test or check did not report again.
   *
   * @maxItems 500
   */
  unseen?: string[];
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
  /**
   * It failed at first, and passed twice when it ran again.
   */
  flaky?: true;
  duration_ms?: number;
}
/**
 * A session of another agent that `ralph gate` watches, in the user's folder for state: gate/<repository>/<session>/session.json.
 */
export interface GateSession {
  /**
   * Id of the session as the agent names it.
   */
  session: string;
  /**
   * Loop id of its reflections and snapshots.
   */
  loop_id: string;
  /**
   * The agent's name, or "by hand".
   */
  agent: string;
  started_at: string;
  /**
   * Folder whose package is judged, relative to the repository's root.
   */
  cwd: string;
  /**
   * The files at the session's start.
   */
  base_tree: string;
  /**
   * Absolute path of the repository.
   */
  root?: string;
  /**
   * The commit that was checked out at the start.
   */
  head?: string;
  /**
   * Calls of the gate in the settings of agents at the start, and what switches hooks off there.
   */
  hooks?: string[];
  /**
   * Start of an earlier session of the same agent, which this one replaced.
   */
  forgotten_at?: string;
  /**
   * Settings that were given on the command line of the start.
   */
  config: {
    [k: string]: unknown;
  };
  /**
   * Settings in the environment of the start, such as RALPH_ALLOW.
   */
  variables?: {
    [k: string]: string;
  };
  /**
   * Variables of the start that change what checks do, such as NODE_OPTIONS; none that holds a secret.
   */
  environment?: {
    [k: string]: string;
  };
  /**
   * Whether checks that were red at the start must be green as well.
   */
  all_green: boolean;
  /**
   * Stamp of the installed packages at the start; with another one, the package manager has run since.
   */
  installed?: string;
  /**
   * Files that git ignores and that the checks of the start missed: they are copied for the checks.
   *
   * @maxItems 100
   */
  needed?: {
    /**
     * Relative to the repository's root.
     */
    file: string;
    /**
     * SHA-256 of the content at the start; absent if the file was written since.
     */
    hash?: string;
  }[];
  /**
   * Number of judged trees.
   */
  checks: number;
  /**
   * How often in a row the agent was told to go on.
   */
  blocks: number;
  last?: GateAnswer;
  watched?: GateSurroundings;
}
/**
 * The last judgement, which answers for the same tree again.
 */
export interface GateAnswer {
  at: string;
  tree: string;
  /**
   * Stamp of ignored files and installed packages that the checks read.
   */
  surroundings: string;
  /**
   * Stamp of sizes and times of all files and of git's own files, taken before the tree was read: while it is the same, the tree is the same.
   */
  files?: string;
  /**
   * Stamp of the installed packages and of the versions of Node and ralph.
   */
  programs?: string;
  /**
   * Stamp of the settings that the check was called with: an answer to other ones is none to this.
   */
  asked?: string;
  /**
   * The commit that was checked out.
   */
  head?: string;
  /**
   * The branch that was checked out; empty if none was.
   */
  branch?: string;
  /**
   * What the tree was compared with, if that was not the base of the session: HEAD had commits that are not the agent's.
   */
  base?: string;
  passed: boolean;
  /**
   * What the agent is told if it did not pass; else one sentence.
   */
  text: string;
  /**
   * The next step that the agent was told.
   */
  next?: string;
  /**
   * Whether that step was to take back a change that is not allowed.
   */
  undo?: boolean;
  /**
   * Path of the stored reflection.
   */
  reflection?: string;
  /**
   * Sentences for the user on what the judgement cannot rest on.
   */
  notes?: string[];
}
/**
 * What the checks read beside the tree.
 */
export interface GateSurroundings {
  folders: string[];
  carry: string[];
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
 * One line of journal.jsonl: a finished step with its result. A step in the journal is never run again.
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
   * Result of the step, by the schema of the step if it has one.
   */
  data: unknown;
  /**
   * Checksum of the other fields; the last field of the line, and removed on reading.
   */
  sum?: string;
}
/**
 * Opinion of a judge model on a verified change.
 */
export interface JudgeAnswer {
  findings: Findings;
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
  claim?: LessonClaim;
  confidence: number;
  importance: number;
  /**
   * Number of attempts or detections that its own test of truth confirmed it by.
   */
  support: number;
  /**
   * Number of attempts that refuted it by its own test of truth.
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
 * What the lesson states, in a form that an attempt can confirm or refute. A lesson without a claim is advice.
 */
export interface LessonClaim {
  kind: LessonKind;
  /**
   * The only file that the edit changed.
   */
  file?: string;
  /**
   * Lines that the edit removed.
   */
  before?: string;
  /**
   * Lines that the edit added.
   */
  after?: string;
  place?: ClaimedPlace;
  /**
   * Failures that the edit fixed or left.
   *
   * @maxItems 20
   */
  failures?: ClaimedFailure[];
  /**
   * Name of the check.
   */
  check?: string;
  /**
   * Command line of the check.
   */
  command?: string;
}
/**
 * Where the edit stands among the lines of its file before it: equal lines are told apart by it.
 */
export interface ClaimedPlace {
  /**
   * The less indented lines around it, such as the head of its function, outermost first.
   *
   * @maxItems 5
   */
  within: string[];
  /**
   * Nearest line with text before it.
   */
  above: string;
  /**
   * Nearest line with text after it.
   */
  below: string;
  /**
   * Which of the places with the same lines it is, 1-based.
   */
  nth: number;
  /**
   * Number of these places.
   */
  of: number;
  /**
   * The edit would fit another place of the file too.
   */
  repeated: boolean;
}
export interface ClaimedFailure {
  fingerprint: string;
  name: string;
  test_id?: string;
}
/**
 * state.json of one loop, for `ralph list` and `ralph status`. Derived from the journal.
 */
export interface LoopState {
  loop_id: string;
  task: string;
  status:
    | 'running'
    | 'passed'
    | 'nothing_to_do'
    | 'unproven'
    | 'exhausted'
    | 'stalled'
    | 'budget'
    | 'aborted'
    | 'error';
  actor: string;
  started_at: string;
  updated_at: string;
  /**
   * Number of finished attempts.
   */
  iteration: number;
  max_iterations: number;
  reward: number;
  baseline_reward: number;
  /**
   * Git tree of the user's files at the start of the loop, in ralph's own git directory.
   */
  base_tree: string;
  best_tree?: string;
  /**
   * Files of the best tree that are not delivered: tests that were written for the task, with --no-keep-tests.
   *
   * @maxItems 100
   */
  left_out?: string[];
  applied?: 'none' | 'tree' | 'commit' | 'branch';
  branch?: string;
  verdict?: Verdict;
  /**
   * Resolved configuration at the start of the loop, for resume.
   */
  options: {
    [k: string]: unknown;
  };
  /**
   * Checksum of the other fields; the last field in the file, and removed on reading.
   */
  sum?: string;
}
/**
 * The part of one loop in the experiment that withholds memory: a line of `.aiwg/ralph/memory/trials.jsonl`, where the last line of a loop counts.
 */
export interface MemoryTrial {
  loop_id: string;
  /**
   * When the draw was made.
   */
  at: string;
  /**
   * `withholdOneIn` at the draw: the loop was without memory with the probability 1 ÷ n, and so was each lesson.
   */
  one_in: number;
  arm: TrialArm;
  /**
   * Ids of the lessons among which one place was drawn.
   *
   * @maxItems 1000
   */
  lessons: string[];
  /**
   * Id of the lesson that the loop was not told; null for none.
   */
  withheld: string | null;
  /**
   * Whether an attempt of the loop passed; null until the loop has ended by itself.
   */
  passed: boolean | null;
  /**
   * Attempts until one passed; null where none did.
   */
  attempts: number | null;
  /**
   * Edits that the search tried until an attempt passed; null where none did, and for other actors.
   */
  tried: number | null;
  /**
   * Checksum of the other fields; the last field in the file, removed when it is read.
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
 * prd.json: user stories for `ralph run --tasks`. Other properties are kept unchanged.
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
   * Unique in the file. Default: the title.
   */
  id?: string | number;
  title: string;
  description?: string;
  /**
   * @maxItems 200
   */
  acceptanceCriteria?: StoryCriterion[];
  /**
   * Stories with a lower number come first, those without a number last.
   */
  priority?: number;
  /**
   * Set to true when the story is verified.
   */
  passes?: boolean;
  notes?: string;
  [k: string]: unknown;
}
export interface CheckedCriterion {
  text: string;
  /**
   * Command that fails now and passes when the criterion is met.
   */
  command?: string;
  /**
   * Test file of the repository that fails now, relative to its root.
   */
  test?: string;
  [k: string]: unknown;
}
/**
 * Candidate edits of a model, most promising first.
 */
export interface ProposeAnswer {
  /**
   * @maxItems 20
   */
  edits: ProposedEdit[];
}
export interface ProposedEdit {
  /**
   * Path as shown.
   */
  file: string;
  /**
   * Text that occurs exactly once in the file; never empty.
   */
  before: string;
  /**
   * Text in its place.
   */
  after: string;
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
  /**
   * It was imported by the user from elsewhere: what it says was not looked up in this repository.
   */
  imported?: true;
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
 * `reward_change` and `error_count_change` compare with the attempt before, or with the baseline for the first; `is_improvement` with the tree that the attempt started from.
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
 * Output of `ralph report --format json`: one loop, as far as its files are readable.
 */
export interface Report {
  loop_id: string;
  task: string;
  /**
   * `interrupted`: the loop ended without a verdict, as after a power cut.
   */
  status:
    | 'running'
    | 'interrupted'
    | 'passed'
    | 'nothing_to_do'
    | 'unproven'
    | 'exhausted'
    | 'stalled'
    | 'budget'
    | 'aborted'
    | 'error';
  actor: string;
  /**
   * Model as `provider/model`, or the agent.
   */
  model: string | null;
  started_at: string | null;
  updated_at: string | null;
  max_iterations: number | null;
  /**
   * True: the verdict is the one that was printed. False: it was reconstructed from the stored files.
   */
  final: boolean;
  verdict: Verdict;
  /**
   * @maxItems 100000
   */
  attempts: ReportAttempt[];
  /**
   * All failures of the baseline and the attempts, in the order of their first occurrence.
   *
   * @maxItems 100000
   */
  failures: ReportFailure[];
  /**
   * @maxItems 100000
   */
  lessons_told: ReportLesson[];
  /**
   * Ids of the lessons that were learned in the loop.
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
   * Attempt whose tree it started from; 0 is the base.
   */
  started_from: number;
  /**
   * Attempts whose reflections were in its prompt.
   *
   * @maxItems 1000
   */
  window: number[];
  /**
   * null if it was not evaluated.
   */
  reward: number | null;
  passed: boolean;
  /**
   * Better than the baseline and all earlier attempts.
   */
  best: boolean;
  /**
   * Number of failures fixed, compared with the tree that it started from.
   */
  fixed: number;
  same: number;
  new: number;
  /**
   * Failures that are gone although the attempt changed no code.
   */
  passing?: number;
  /**
   * Failures that are absent, but whose test or check did not report again.
   */
  unseen?: number;
  /**
   * The actor's last message.
   */
  message: string;
  category: string | null;
  root_cause: string | null;
  /**
   * Path of the patch against the base, relative to the repository's root.
   */
  patch: string | null;
  /**
   * Path of the reflection, relative to the repository's root.
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
  passing?: Iterations;
  unseen?: Iterations;
}
export interface ReportLesson {
  id: string;
  /**
   * null if the lesson is no longer stored.
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
 * tasks/<name>-<hash>.json: the loop of each task of a file, so that a killed run can be continued.
 */
export interface TaskProgress {
  /**
   * Absolute path of the task file.
   */
  file: string;
  tasks: {
    [k: string]: TaskNote;
  };
}
export interface TaskNote {
  loop_id: string;
  /**
   * True if the task is marked as done in the file.
   */
  ticked: boolean;
}
/**
 * Output of `ralph run --tasks FILE --format json`: every task of the file with the verdict of its loop.
 */
export interface TaskRun {
  /**
   * Path as given on the command line.
   */
  file: string;
  format: 'checklist' | 'prd';
  /**
   * True if every task is verified, in this run or before.
   */
  verified: boolean;
  tasks: TaskResult[];
  usage: Usage;
  duration_ms: number;
}
export interface TaskResult {
  /**
   * Id of a user story, or text of a checklist item.
   */
  key: string;
  title: string;
  status: TaskStatus;
  /**
   * True if the task is marked as done in the file.
   */
  ticked: boolean;
  loop_id: string | null;
  /**
   * One sentence: the reason for the status.
   */
  reason: string;
  /**
   * null if no loop of this task ended in this run.
   */
  verdict: Verdict | null;
}
/**
 * Work of an actor in one attempt: typed actions with their reasons, outcome and usage.
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
   * The actor's last message, truncated.
   */
  message: string;
  fatal?: FatalFailure;
  self_tests?: SelfTests;
  memory?: ToldMemory;
  usage: Usage;
  ruled_out: RuledOut;
  accepted?: AcceptedEdit;
  /**
   * Edits that pass the same tests as the applied one, or plausible edits of which none was applied; best first.
   *
   * @maxItems 20
   */
  alternatives?: Alternative[];
  /**
   * With --samples: the attempts that were made at the same time from the same tree, in their order.
   *
   * @maxItems 16
   */
  samples?: Sample[];
  /**
   * How sure a search is that its best edit behaves as intended; below the threshold no edit is applied.
   */
  confidence?: number;
  duration_ms: number;
}
/**
 * Set if no further attempt can succeed: the loop ends after this one.
 */
export interface FatalFailure {
  message: string;
  hint?: string;
  /**
   * The loop ends only if the attempt before ended with such a failure too: another request may be answered, as after a refusal.
   */
  if_repeated?: true;
}
/**
 * In trajectories of earlier versions: tests that the actor wrote for itself, and how many of them passed at the end.
 */
export interface SelfTests {
  file: string;
  written: number;
  passed: number;
}
/**
 * Long-term memory in the prompt of the attempt; absent if there was none.
 */
export interface ToldMemory {
  /**
   * Ids of the lessons.
   *
   * @maxItems 50
   */
  lessons: string[];
  /**
   * Number of insights.
   */
  insights: number;
  playbook: boolean;
  withheld?: WithheldMemory;
}
/**
 * Memory that was withheld from the loop at random, to measure what it changes; absent if there was none.
 */
export interface WithheldMemory {
  /**
   * True for all memory but pinned lessons and the user's own.
   */
  all: boolean;
  /**
   * Id of the withheld lesson.
   */
  lesson?: string;
}
/**
 * Edits that were tried and did not help, so that no later attempt tries them again.
 */
export interface RuledOut {
  /**
   * Number of edits tried in this attempt.
   */
  tried: number;
  /**
   * Readable signatures, `file: before → after @context-hash ~failures-hash`, of this attempt and of the attempts in its window.
   *
   * @maxItems 5000
   */
  edits: string[];
  /**
   * The best of these edits and its effect.
   */
  nearest?: string;
}
/**
 * The edit that the search actor applied.
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
export interface Sample {
  number: number;
  /**
   * The best one, which stands for the attempt.
   */
  chosen: boolean;
  /**
   * The actor's own assessment.
   */
  outcome: string;
  /**
   * Why the actor ended before it said that it was done, such as a rejected key. Absent if it did not.
   */
  ended_early?: string;
  /**
   * 0..1; null if it was not evaluated.
   */
  reward: number | null;
  /**
   * Every check passed.
   */
  passed: boolean;
  /**
   * Changed files.
   *
   * @maxItems 50
   */
  files: string[];
  /**
   * Names of its failures.
   *
   * @maxItems 20
   */
  failures: string[];
  /**
   * Unified diff, cut off at the limit.
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
export type DefaultedSetting = 'agentTimeout' | 'agentSilence' | 'fallbackModels' | 'stream' | 'modelTimeout' | 'maxRetryDelay' | 'maxOutputTokens' | 'providerOptions' | 'maxSteps' | 'prices' | 'maxIterations' | 'propose' | 'samples' | 'strategy' | 'retryFrom' | 'noRegressions' | 'applyUnproven' | 'accept' | 'acceptTests' | 'acceptanceTests' | 'keepTests' | 'proofTime' | 'windowPolicy' | 'windowTokens' | 'traceFailures' | 'memory' | 'withholdOneIn' | 'restAfter' | 'validateLessons' | 'memoryModel' | 'microReflection' | 'checkTimeout' | 'checks' | 'skip' | 'packages' | 'weights' | 'protect' | 'allow' | 'isolation' | 'sandbox' | 'sandboxEngine' | 'sandboxAgent' | 'allowNetwork' | 'passEnv' | 'sandboxRead' | 'sandboxWrite' | 'limits' | 'carry';
