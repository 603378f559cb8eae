import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import { node } from './attack.ts';
import type { Testbed } from './testbed.ts';

const serve = (where: string, ask: string): string =>
  node(
    `const s = net.createServer((c) => c.end("ok")).listen(${where}, () => net.connect(${ask}).on("data", () => process.exit(0)))`,
  );

/** Ordinary commands of tools and tests. Each exits with 0 if it works. */
const HONEST: Readonly<Record<string, string>> = {
  'write in the workspace': 'echo x > a && mkdir -p b/c && mv a b/c && rm -r b',
  'read a dependency through its link': 'cat node_modules/dep/index.js',
  'keep a cache beside the dependencies': 'mkdir -p node_modules/.cache && echo x > node_modules/.cache/x',
  'use temporary files':
    'f=$(mktemp) && echo x > "$f" && rm "$f" && echo x > /var/tmp/x && echo x > /dev/shm/x',
  'use the home folder within one command': 'echo x > ~/.toolrc && test -s ~/.toolrc',
  'run Node': 'node --version',
  'run npm': 'npm --version',
  'use git on a repository of its own':
    'mkdir g && cd g && git init -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && cd .. && rm -rf g',
  'listen and connect on the loopback': serve('0, "127.0.0.1"', 's.address().port, "127.0.0.1"'),
  'listen and connect by name': serve('0', 's.address().port, "localhost"'),
  'listen and connect over IPv6': serve('0, "::1"', 's.address().port, "::1"'),
  'listen on a socket in a temporary folder': serve('"/tmp/own.sock"', '"/tmp/own.sock"'),
  'listen on a socket in the workspace': `${serve('"own.sock"', '"own.sock"')}; code=$?; rm -f own.sock; exit $code`,
  'talk to a child over a channel': node(
    'const c = child_process.fork("src/a.js", { execArgv: ["-e", "process.send(1)"] }); c.on("message", () => process.exit(0))',
  ),
  'use threads': node(
    'new worker_threads.Worker("", { eval: true }).on("exit", (code) => process.exit(code))',
  ),
  'see its own processes': 'ps > /dev/null || ls /proc/self > /dev/null',
  'use devices': 'head -c 8 /dev/urandom > /dev/null && echo x > /dev/null && test -c /dev/tty',
  'return its exit code': '(exit 7); test $? = 7',
  'read standard input': 'cat > /dev/null',
};

/** Runs the ordinary commands in the sandbox and returns the failed ones with their messages. */
export async function tryHonest(
  testbed: Testbed,
  sandbox: Sandbox | undefined,
): Promise<{ tried: number; failed: string[] }> {
  const failed: string[] = [];
  for (const [name, shell] of Object.entries(HONEST)) {
    const { exitCode, stderr } = await runProcess({
      shell,
      cwd: testbed.workspace,
      env: childEnvironment(),
      input: 'x',
      timeoutMs: 20_000,
      sandbox,
    });
    if (exitCode !== 0) failed.push(`${name}: exit code ${exitCode}, ${stderr.trim().slice(0, 200)}`);
  }
  return { tried: Object.keys(HONEST).length, failed };
}
