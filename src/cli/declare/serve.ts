import type { Command } from 'commander';

/** `ralph serve`, `ralph serve token`. */
export function declareServe(program: Command): void {
  const serve = program
    .command('serve')
    .summary('show running loops, reports and memory in a browser')
    .description(
      'Serve a read-only page over .aiwg/ralph/: loops with their steps as they happen, reports, reflections, lessons, spending; with a fleet (DATABASE_URL, or ralph fleet up) also its jobs and workers.',
    )
    .option('--port <n>', 'port; 0 for any free one (default: 7357)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1, this machine only)')
    .action(async (options) => (await import('../commands/serve.ts')).serveCommand(options));
  serve
    .command('token')
    .description(
      'Print a token for a server that needs one: RALPH_SERVE_SECRET, the same for both, signs it. Without --host, none is needed.',
    )
    .option('--role <role>', 'reader for every page, metrics for /metrics only', 'reader')
    .option('--expires <days>', 'days until it expires', '30d')
    .action(async (options) => (await import('../commands/serve.ts')).tokenCommand(options));
}
