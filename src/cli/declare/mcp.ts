import type { Command } from 'commander';

/** `ralph mcp`. */
export function declareMcp(program: Command): void {
  program
    .command('mcp')
    .summary("serve this repository's memory to other agents (Model Context Protocol, stdio)")
    .description(
      'Run a Model Context Protocol server on standard input and output: search reflections and lessons, read the playbook. It is read-only unless an option below is given.',
    )
    .option('--allow-writes', 'clients may propose lessons, which stay staged until a run confirms them')
    .option('--allow-evaluate', "clients may run the repository's checks")
    .action(async (options) => (await import('../commands/mcp.ts')).mcpCommand(options));
}
