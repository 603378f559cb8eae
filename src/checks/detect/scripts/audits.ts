/** Commands that ask a registry about known weaknesses of dependencies: they need the network and judge no change. */
const AUDIT =
  /^\s*(npx\s+(--?\S+\s+)*)?(npm(@\S+)?|pnpm|yarn|bun)\s+(npm\s+)?audit\b|^\s*(npx\s+(--?\S+\s+)*)?(aud|audit-ci|better-npm-audit|snyk)(@\S+)?\b/;

/**
 * How npm runs the test script without a `posttest` script that only audits dependencies; undefined where there is none, or
 * where another package manager would run it.
 */
export function withoutAudit(
  testCommand: string,
  scripts: Readonly<Record<string, string>>,
): string | undefined {
  const { pretest, posttest } = scripts;
  if (testCommand !== 'npm test' || posttest === undefined) return undefined;
  const commands = posttest.split(/&&|;/).map(withoutQuotes);
  if (!commands.every((command) => AUDIT.test(command))) return undefined;
  return [...(pretest === undefined ? [] : ['npm run pretest']), 'npm test --ignore-scripts'].join(' && ');
}

/** Spaces in quotes belong to a range of versions: npm@">= 10.2". */
function withoutQuotes(command: string): string {
  return command.replaceAll(/(['"])(.*?)\1/g, (_, _quote, text: string) => text.replaceAll(' ', ''));
}
