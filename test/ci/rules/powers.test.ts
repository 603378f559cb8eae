import { expect, test } from 'vitest';
import { powersOf } from '../../../src/ci/rules/powers.ts';

test.each([
  ['network', "if (a > 9) fetch('http://x.example/' + a);", 'options.fetch(url); function prefetch() {}'],
  ['network', 'const send = fetch; send(url);', '// fetch it later\nconst all = { fetch: true };'],
  ['network', 'globalThis.fetch(url);', "const kind = 'fetch';"],
  ['network', "import { get } from 'node:https';", "import { get } from './https.js';"],
  ['network', "await import('dns/promises');", "const scheme = 'https://';"],
  ['network', 'new WebSocket(url);', 'new Socket(url);'],
  ['programs', "const { execSync } = require('child_process');", 'pattern.exec(text);'],
  ['programs', "import { Worker } from 'node:worker_threads';", 'new WorkerPool();'],
  [
    'files',
    "import fs from 'node:fs';\nfs.writeFileSync(a, b);",
    "import fs from 'node:fs';\nfs.readFileSync(a);",
  ],
  ['files', "import { rm } from 'fs/promises';\nawait rm(a);", 'stream.write(a);'],
  ['code', "eval('1')", 'evaluate(1)'],
  ['code', "(0, eval)('1')", 'this.eval = 1;'],
  ['code', "new Function('return 1')", 'f instanceof Function'],
  ['code', "''.constructor.constructor('return 1')()", 'new this.constructor(1)'],
  ['code', "setTimeout('run()', 1)", 'setTimeout(run, 1)'],
  ['names', "process.getBuiltinModule('ht' + 'tp')", "import('./a.js')"],
  ['names', "import('ht' + 'tp')", "require('./a')"],
  ['names', "globalThis['fe' + 'tch'](url)", 'globalThis.Map'],
  ['names', 'all(globalThis)', "const type = 'message/global'; const local = { global: 1 };"],
  ['names', 'const all = globalThis;', "typeof globalThis === 'undefined'"],
  ['names', "process['bind' + 'ing']('x')", 'process.nextTick(f)'],
])('tells %s by %j, and not by %j', (power, attack, control) => {
  expect([...powersOf(attack)]).toContain(power);
  expect([...powersOf(control)]).not.toContain(power);
});
