/**
 * Loaded before ralph: writes to $SESSION_METER, when the process ends, what it took and what its children took, git
 * and others apart. A child's CPU time is what /proc says of ended children when its end is told, in ticks of 10 ms.
 */
'use strict';
const { appendFileSync, readFileSync } = process.getBuiltinModule('node:fs');
const { ChildProcess } = process.getBuiltinModule('node:child_process');

const TICK_MS = 10;
const file = process.env.SESSION_METER;
const took = { processes: 0, gitCount: 0, gitMs: 0, gitCpuMs: 0, otherMs: 0, otherCpuMs: 0 };
let counted = 0;

const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  const result = spawn.call(this, options);
  const started = performance.now();
  const kind = options.file === 'git' ? 'git' : 'other';
  took.processes += 1;
  if (kind === 'git') took.gitCount += 1;
  this.once('exit', () => {
    const cpu = endedChildrenMs();
    took[`${kind}Ms`] += performance.now() - started;
    took[`${kind}CpuMs`] += cpu - counted;
    counted = cpu;
  });
  return result;
};

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  appendFileSync(file, `${JSON.stringify({ ...took, cpuMs: (userCPUTime + systemCPUTime) / 1000 })}\n`);
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
