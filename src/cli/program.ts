import { Command } from 'commander';
import { declareAbort } from './declare/abort.ts';
import { declareAnalyze } from './declare/analyze.ts';
import { declareApply } from './declare/apply.ts';
import { declareBench } from './declare/bench.ts';
import { declareCi } from './declare/ci.ts';
import { declareClean } from './declare/clean.ts';
import { declareCompletion } from './declare/completion.ts';
import { declareConfig } from './declare/config.ts';
import { declareDoctor } from './declare/doctor.ts';
import { declareEvaluate } from './declare/evaluate.ts';
import { declareGate } from './declare/gate.ts';
import { declareFleet } from './declare/fleet.ts';
import { declareInit } from './declare/init.ts';
import { declareInsights } from './declare/insights.ts';
import { declareLessons } from './declare/lessons.ts';
import { declareList } from './declare/list.ts';
import { declareLogs } from './declare/logs.ts';
import { declareMcp } from './declare/mcp.ts';
import { declareMemory } from './declare/memory.ts';
import { declarePlaybook } from './declare/playbook.ts';
import { declareQueue } from './declare/queue.ts';
import { declareReflections } from './declare/reflections.ts';
import { declareReport } from './declare/report.ts';
import { declareResume } from './declare/resume.ts';
import { declareRun } from './declare/run.ts';
import { declareServe } from './declare/serve.ts';
import { declareStatus } from './declare/status.ts';
import { declareSubmit } from './declare/submit.ts';
import { declareTrust } from './declare/trust.ts';
import { declareUndo } from './declare/undo.ts';
import { declareWorker } from './declare/worker.ts';
import { configureHelp } from './help.ts';
import { version } from '../platform/version.ts';

/** Adds a command with its arguments, flags and help; its action imports `commands/<name>.ts` when the command runs. */
type Declare = (program: Command, argv: readonly string[]) => void;

/** Commands by heading of `ralph --help`, in the order in which they are shown. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Declare>>>> = {
  'Set up': {
    init: declareInit,
    doctor: declareDoctor,
    config: declareConfig,
    trust: declareTrust,
    completion: declareCompletion,
  },
  Run: {
    run: declareRun,
    evaluate: declareEvaluate,
    gate: declareGate,
    resume: declareResume,
    ci: declareCi,
  },
  Loops: {
    list: declareList,
    status: declareStatus,
    logs: declareLogs,
    report: declareReport,
    serve: declareServe,
    abort: declareAbort,
    apply: declareApply,
    undo: declareUndo,
    clean: declareClean,
  },
  Memory: {
    reflections: declareReflections,
    lessons: declareLessons,
    insights: declareInsights,
    playbook: declarePlaybook,
    memory: declareMemory,
    analyze: declareAnalyze,
    mcp: declareMcp,
  },
  Fleet: {
    submit: declareSubmit,
    worker: declareWorker,
    queue: declareQueue,
    fleet: declareFleet,
  },
  Measure: {
    bench: declareBench,
  },
};

/**
 * The program with all commands; if `argv` begins with a command's name, with that command alone, which starts faster.
 * Parsing errors are thrown as CommanderError.
 */
export function createProgram(argv: readonly string[]): Command {
  const program = new Command('ralph');
  program
    .description('The coding-agent loop that stops at green, not at "done".')
    .version(version(), '-V, --version')
    .showSuggestionAfterError()
    .exitOverride();
  const rows = Object.entries(COMMANDS).flatMap(([group, commands]) =>
    Object.entries(commands).map(([name, declare]) => ({ group, name, declare })),
  );
  const named = rows.filter(({ name }) => name === argv[0]);
  for (const { group, declare } of named.length > 0 ? named : rows) {
    program.commandsGroup(group);
    declare(program, argv);
  }
  configureHelp(program);
  for (const command of [...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
    command.exitOverride().copyInheritedSettings(program);
  return program;
}
