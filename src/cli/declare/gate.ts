import { Option, type Command } from 'commander';
import { addOutput, addSettings } from '../options.ts';
import { CHECK_KEYS, SANDBOX_KEYS } from './setting-keys.ts';

/** Settings of a session of the gate. */
const GATE_KEYS = [...CHECK_KEYS, 'accept', 'acceptTests', 'protect', 'allow', ...SANDBOX_KEYS];

/** `ralph gate start|ahead|check|status|stop`. */
export function declareGate(program: Command): void {
  const gate = program
    .command('gate')
    .summary("judge another agent's work when it wants to stop")
    .description(
      "Judge another agent's work when it wants to stop: start stores the files of now, check compares with them. Called from the agent's hooks (ralph init --hooks) or by hand.",
    );
  const start = gate
    .command('start')
    .description('Store the files of now, and the results of the checks on them, as the start of a session.')
    .option(
      '--again',
      'forget every session of this repository first, so that all compare with the files of now',
    );
  addHook(addSettings(start, GATE_KEYS));
  addOutput(start).action(async (options) =>
    (await import('../commands/gate-start.ts')).gateStartCommand(options),
  );
  addHookName(
    gate
      .command('ahead')
      .description(
        'Judge the files of now before the agent wants to stop, so that check has the answer at once if they stay the same. Called from a hook after each edit; it then goes on in the background, and gives way to other uses of ralph.',
      ),
  )
    .addOption(new Option('--session <id>', "the agent's id of its session").hideHelp())
    .action(async (options) => (await import('../commands/gate-ahead.ts')).gateAheadCommand(options));
  const check = gate
    .command('check')
    .description(
      'Judge the files of now against the start: exit 0 if the agent may stop, 1 if not; any other code says that nothing was judged. Without a start, they are compared with the last commit.',
    );
  addHook(addSettings(check, GATE_KEYS));
  addOutput(check).action(async (options) =>
    (await import('../commands/gate-check.ts')).gateCheckCommand(options),
  );
  addOutput(gate.command('status').description('List the sessions that the gate watches.')).action(
    async (options) => (await import('../commands/gate-status.ts')).gateStatusCommand(options),
  );
  addOutput(gate.command('stop').description('Forget the sessions of this repository.')).action(
    async (options) => (await import('../commands/gate-stop.ts')).gateStopCommand(options),
  );
}

function addHook(command: Command): Command {
  return addHookName(
    command.option('--all-green', 'checks that are red at the start must be green in the end as well'),
  );
}

function addHookName(command: Command): Command {
  return command.addOption(
    new Option(
      '--hook <agent>',
      'answer as a hook of this agent: read its payload, print its format',
    ).choices(['claude', 'codex', 'gemini', 'opencode', 'cursor', 'git']),
  );
}
