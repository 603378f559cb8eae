import type { Command } from 'commander';

/** `ralph trust`. */
export function declareTrust(program: Command): void {
  program
    .command('trust')
    .summary("trust this repository's configuration, once for what it wants now")
    .description(
      "Trust this repository's configuration file, if it is a program, names a base URL, a command, an agent or a package that provides a model, or widens the sandbox. Stored for your user, outside the repository; a change of these asks again.",
    )
    .action(async () => (await import('../commands/trust.ts')).trustCommand());
}
