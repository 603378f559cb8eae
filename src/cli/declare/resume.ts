import type { Command } from 'commander';
import { addOutput, addSettings } from '../options.ts';
import { RESUME_KEYS } from './setting-keys.ts';

/** `ralph resume [loop-id]`. */
export function declareResume(program: Command): void {
  const resume = program
    .command('resume [loop-id]')
    .description('Continue a loop after its last finished step; by default the newest loop.')
    .option('--review', 'open the acceptance tests in $VISUAL or $EDITOR if they are not written yet');
  addSettings(resume, RESUME_KEYS);
  addOutput(resume).action(async (id: string | undefined, options) =>
    (await import('../commands/resume.ts')).resumeCommand(id, options),
  );
}
