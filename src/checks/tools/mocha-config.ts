import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { RunnerCall } from './test-check.ts';

/** Mocha's own reader of configuration files, beside its entry file: of Mocha 6 to 11, and of 12. */
const READERS = ['../lib/cli/config.js', '../lib/cli/config.cjs'];
const SPEC = /\bspec\b/;

/**
 * Options by which a run of single files reads the configuration without its `spec`: Mocha would add those files to the
 * ones that are asked for. Empty where the configuration names no files.
 */
export function withoutConfiguredFiles({ plan, request, cwd, entry, reportDir }: RunnerCall): string[] {
  const own = plan.config === undefined ? undefined : resolve(request.root, plan.config);
  const reader = READERS.map((path) => join(dirname(entry), path)).find(existsSync);
  if (own !== undefined && reader !== undefined && SPEC.test(textOf(own))) {
    const file = join(reportDir, 'mocharc.cjs');
    writeFileSync(file, withoutSpec(`require(${JSON.stringify(reader)}).loadConfig(${JSON.stringify(own)})`));
    return [`--config=${file}`];
  }
  const manifest = join(cwd, 'package.json');
  if (own !== undefined || !/"mocha"\s*:\s*\{[^}]*"spec"/.test(textOf(manifest))) return [];
  const file = join(reportDir, 'mocharc.cjs');
  writeFileSync(file, withoutSpec(`require(${JSON.stringify(manifest)}).mocha`));
  return ['--no-package', `--config=${file}`];
}

/** A module that exports the object of an expression without its key `spec`. */
function withoutSpec(expression: string): string {
  return `const { spec, ...others } = ${expression};\nmodule.exports = others;\n`;
}
