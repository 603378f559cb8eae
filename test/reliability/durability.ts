import { tryCrashes } from './durability/crash.ts';
import { tryCrowds } from './durability/crowd.ts';
import { tryDamage } from './durability/damage.ts';
import { tryDamagedResume } from './durability/damaged-resume.ts';
import { tryRefusals } from './durability/disk.ts';
import { tryFullDisk } from './durability/full-disk.ts';
import { tryStateCrashes } from './durability/state-crash.ts';
import type { Suite } from './suite.ts';

/** Kills, full disks, damaged files and concurrent processes: no acknowledged write is lost, no user's file damaged. */
export const durabilitySuite: Suite = {
  name: 'durability',
  async run(options) {
    return [
      ...(await tryCrashes(options)),
      await tryStateCrashes(options),
      ...(await tryRefusals(options)),
      ...(await tryFullDisk(options)),
      ...(await tryDamage(options)),
      await tryDamagedResume(options),
      ...(await tryCrowds(options)),
    ];
  },
};
