import type { Command } from 'commander';
import { addOutput, addSettings } from '../options.ts';
import { ACTOR_KEYS, CHECK_KEYS } from './setting-keys.ts';

/** `ralph doctor`. */
export function declareDoctor(program: Command): void {
  const doctor = program
    .command('doctor')
    .description(
      'Show the detected setup and what is missing, and compare the checks in the workspace with those in the tree. With --agent NAME, also start that agent with a one-line task in an empty repository.',
    )
    .option('--quick', 'run neither the checks nor the agent');
  addSettings(doctor, [...CHECK_KEYS, ...ACTOR_KEYS]);
  addOutput(doctor).action(async (options) => (await import('../commands/doctor.ts')).doctorCommand(options));
}
