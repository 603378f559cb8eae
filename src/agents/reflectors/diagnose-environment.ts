import type { Diagnosis } from './diagnosis.ts';
import { blamedHunk, type Evidence } from './evidence.ts';
import { capital, clause, counted, describe, nameOf, oneLine, spot } from './phrases.ts';

/** Failures that say nothing about values yet: a check that cannot run, a missing module, a broken build. */
export function diagnoseEnvironment(evidence: Evidence): Diagnosis | undefined {
  return unrunnable(evidence) ?? missing(evidence) ?? unconfigured(evidence) ?? brokenBuild(evidence);
}

const SETTING =
  /\b(environment variable|env var|process\.env|\.env\b|config(uration)? (file )?(is )?(missing|invalid|not found)|ECONNREFUSED|ENOTFOUND|EADDRINUSE|command not found|Cannot find (type definition|tsconfig)|Unknown (compiler )?option|No inputs were found)/i;

function unrunnable({ broken, changed, failures }: Evidence): Diagnosis | undefined {
  const check = broken[0];
  if (check === undefined) return undefined;
  const detail = clause(check.detail, 300);
  const cause = failures[0] === undefined ? '' : ` It reports ${describe(failures[0])}.`;
  const edits =
    changed.length === 0 ? 'No edit was made' : `What I changed is ${spot({ file: changed[0]! })}`;
  return {
    category: 'configuration_error',
    rootCause: `The check "${check.name}" could not run: ${detail}.`,
    because: `A check that cannot run proves nothing and earns nothing.${cause} ${edits}, and until \`${oneLine(check.command, 120)}\` runs again nothing else can be told from it.`,
    next: `get \`${oneLine(check.command, 120)}\` to run again before anything else${changed.length === 0 ? '' : `, starting with what I changed in ${spot({ file: changed[0]! })}`}`,
    lesson: `\`${oneLine(check.command, 120)}\` must be able to run here; it stopped with: ${detail}.`,
    strength: 0.6,
  };
}

function missing({ failures, fresh, hunks }: Evidence): Diagnosis | undefined {
  const failure = failures.find(({ message }) => moduleIn(message) !== undefined);
  const name = failure && moduleIn(failure.message);
  if (failure === undefined || name === undefined) return undefined;
  const own = /^[./]/.test(name);
  const mine = hunks.find(({ added }) => added.some((line) => line.includes(name)));
  const source = mine === undefined ? '' : ` I wrote that import at ${spot(mine)}.`;
  return {
    category: own && fresh.includes(failure) ? 'integration_error' : 'configuration_error',
    rootCause: `The module "${oneLine(name, 100)}" cannot be found: ${describe(failure)}.`,
    because: `A file that cannot load takes every test in it along, so these failures say nothing about values.${source}`,
    next: own
      ? `correct the path "${oneLine(name, 100)}"${mine === undefined ? '' : ` at ${spot(mine)}`} or make that file`
      : `do without the package "${oneLine(name, 100)}"${mine === undefined ? '' : ` at ${spot(mine)}`}, or have it declared and installed`,
    lesson: own ? '' : `The package "${oneLine(name, 100)}" is not installed in this repository.`,
    strength: 0.85,
  };
}

function moduleIn(message: string): string | undefined {
  const pattern =
    /(?:Cannot find (?:module|package)|Failed to resolve import|Could not resolve|Can't resolve|Failed to load url) ["'`]?([^"'`\s]+)/;
  return pattern.exec(message)?.[1];
}

function unconfigured({ failures }: Evidence): Diagnosis | undefined {
  const failure = failures.find(({ message }) => SETTING.test(message));
  const setting = failure && SETTING.exec(failure.message)?.[0];
  if (failure === undefined || setting === undefined) return undefined;
  return {
    category: 'configuration_error',
    rootCause: `A setting is missing or wrong ("${oneLine(setting, 80)}"): ${describe(failure)}.`,
    because: `${capital(nameOf(failure))} stops at what surrounds the code, before the code itself is exercised.`,
    next: `trace where ${failure.file === undefined ? `\`${failure.check}\`` : spot({ file: failure.file, line: failure.line })} gets that setting, and give it a value that holds without it`,
    lesson: `${nameOf(failure)} needs a setting that is not there by itself: ${clause(failure.message)}.`,
    strength: 0.6,
  };
}

function brokenBuild(evidence: Evidence): Diagnosis | undefined {
  const { fresh, changed, hunks } = evidence;
  const broken = fresh.filter(({ type }) => type === 'syntax_error' || type === 'type_error');
  const first = broken[0];
  if (first === undefined || changed.length === 0) return undefined;
  const inside = hunks.find((hunk) => hunk.file === first.file && contains(hunk, first.line));
  const edit = inside ?? blamedHunk(evidence);
  const at = edit === undefined ? spot({ file: changed[0]! }) : spot(edit);
  return {
    category: 'integration_error',
    rootCause: `My edit at ${at} brought ${counted(broken.length, first.type === 'syntax_error' ? 'syntax error' : 'type error')}: ${describe(first)}.`,
    because:
      inside === undefined
        ? `The error is at ${spot({ file: first.file ?? changed[0]!, line: first.line })}, outside of what I edited: something there relies on what ${at} was before.`
        : `The error is inside of what I edited: the new lines at ${at} do not fit what surrounds them.`,
    next: `mend ${describe(first)} before anything else, keeping what ${at} promises to its callers`,
    lesson:
      inside === undefined && first.file !== undefined
        ? `${spot({ file: first.file })} relies on the types of ${spot({ file: edit?.file ?? changed[0]! })}: they change together.`
        : '',
    strength: 0.9,
  };
}

function contains({ start, end }: { start: number; end: number }, line: number | undefined): boolean {
  return line !== undefined && line >= start && line <= end;
}
