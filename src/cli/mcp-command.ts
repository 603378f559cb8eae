import type { Command } from 'commander';

/** `ralph mcp`. */
export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .summary("serve this repository's memory to other agents (Model Context Protocol, stdio)")
    .description(
      'Model Context Protocol server on standard input and output: search reflections and lessons, read the playbook. It reads; what else it may do is switched on here.',
    )
    .option('--allow-writes', 'lessons may be proposed (they stay staged until a run confirms them)')
    .option('--allow-evaluate', "the repository's checks may be run")
    .action(async (options) => (await import('./commands/mcp.ts')).mcpCommand(options));
}
