/**
 * Loaded before ralph with `--require`. When the process ends, it writes the CPU time of the process, and the times of its
 * children, git and others separately, to $SESSION_METER. The CPU time of a child is the increase of the CPU time of all
 * ended children in /proc/self/stat (proc(5)) at its exit, in ticks of 10 ms.
 */
'use strict';
const { appendFileSync, readFileSync } = process.getBuiltinModule('node:fs');
const { ChildProcess } = process.getBuiltinModule('node:child_process');

const TICK_MS = 10;
const file = process.env.SESSION_METER;
const totals = { processes: 0, gitCount: 0, gitMs: 0, gitCpuMs: 0, otherMs: 0, otherCpuMs: 0 };
let counted = 0;

const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  const result = spawn.call(this, options);
  const started = performance.now();
  const kind = options.file === 'git' ? 'git' : 'other';
  totals.processes += 1;
  if (kind === 'git') totals.gitCount += 1;
  this.once('exit', () => {
    const cpu = endedChildrenMs();
    totals[`${kind}Ms`] += performance.now() - started;
    totals[`${kind}CpuMs`] += cpu - counted;
    counted = cpu;
  });
  return result;
};

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  appendFileSync(file, `${JSON.stringify({ ...totals, cpuMs: (userCPUTime + systemCPUTime) / 1000 })}\n`);
});

function endedChildrenMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  } catch {
    return 0;
  }
}
