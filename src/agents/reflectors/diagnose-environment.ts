import { plural } from '../../platform/text/plural.ts';
import type { Diagnosis } from './diagnosis.ts';
import { blamedHunk, type Evidence } from './evidence.ts';
import { capitalise, clause, describeFailure, failureName, oneLine, renderPlace } from './phrases.ts';

/** Rules for failures before any value is computed: a check that cannot run, a missing module, a wrong setting, a broken build. */
export function diagnoseEnvironment(evidence: Evidence): Diagnosis | undefined {
  return unrunnable(evidence) ?? missing(evidence) ?? unconfigured(evidence) ?? brokenBuild(evidence);
}

const SETTING =
  /\b(environment variable|env var|process\.env|\.env\b|config(uration)? (file )?(is )?(missing|invalid|not found)|ECONNREFUSED|ENOTFOUND|EADDRINUSE|command not found|Cannot find (type definition|tsconfig)|Unknown (compiler )?option|No inputs were found)/i;

function unrunnable({ broken, changed, failures }: Evidence): Diagnosis | undefined {
  const check = broken[0];
  if (check === undefined) return undefined;
  const detail = clause(check.detail, 300);
  const cause = failures[0] === undefined ? '' : ` It reports ${describeFailure(failures[0])}.`;
  const edits = changed.length === 0 ? 'No edit was made' : `I changed ${renderPlace({ file: changed[0]! })}`;
  return {
    category: 'configuration_error',
    rootCause: `The check "${check.name}" could not run: ${detail}.`,
    because: `A check that cannot run proves nothing and earns no reward.${cause} ${edits}, and until \`${oneLine(check.command, 120)}\` runs again, it gives no other information.`,
    next: `get \`${oneLine(check.command, 120)}\` to run again before anything else${changed.length === 0 ? '' : `, starting with my change in ${renderPlace({ file: changed[0]! })}`}`,
    lesson: `\`${oneLine(check.command, 120)}\` must be able to run in this repository; it failed with: ${detail}.`,
    strength: 0.6,
  };
}

function missing({ failures, fresh, hunks }: Evidence): Diagnosis | undefined {
  const failure = failures.find(({ message }) => moduleIn(message) !== undefined);
  const name = failure && moduleIn(failure.message);
  if (failure === undefined || name === undefined) return undefined;
  const own = /^[./]/.test(name);
  const mine = hunks.find(({ added }) => added.some((line) => line.includes(name)));
  const source = mine === undefined ? '' : ` I wrote that import at ${renderPlace(mine)}.`;
  return {
    category: own && fresh.includes(failure) ? 'integration_error' : 'configuration_error',
    rootCause: `The module "${oneLine(name, 100)}" cannot be found: ${describeFailure(failure)}.`,
    because: `If a file cannot be loaded, every test that imports it fails, so these failures say nothing about values.${source}`,
    next: own
      ? `correct the path "${oneLine(name, 100)}"${mine === undefined ? '' : ` at ${renderPlace(mine)}`} or create that file`
      : `avoid the package "${oneLine(name, 100)}"${mine === undefined ? '' : ` at ${renderPlace(mine)}`}, or declare and install it`,
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
    rootCause: `A setting is missing or wrong ("${oneLine(setting, 80)}"): ${describeFailure(failure)}.`,
    because: `${capitalise(failureName(failure))} fails in the environment of the code, before the code itself runs.`,
    next: `find where ${failure.file === undefined ? `\`${failure.check}\`` : renderPlace({ file: failure.file, line: failure.line })} reads that setting, and give it a value that works without the setting`,
    lesson: `${failureName(failure)} needs a setting that is not set by default: ${clause(failure.message)}.`,
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
  const at = edit === undefined ? renderPlace({ file: changed[0]! }) : renderPlace(edit);
  return {
    category: 'integration_error',
    rootCause: `My edit at ${at} caused ${plural(broken.length, first.type === 'syntax_error' ? 'syntax error' : 'type error')}: ${describeFailure(first)}.`,
    because:
      inside === undefined
        ? `The error is at ${renderPlace({ file: first.file ?? changed[0]!, line: first.line })}, outside my edit: code there relies on the previous state of ${at}.`
        : `The error is inside my edit: the new lines at ${at} do not fit the surrounding code.`,
    next: `fix ${describeFailure(first)} before anything else, without breaking the callers of ${at}`,
    lesson:
      inside === undefined && first.file !== undefined
        ? `${renderPlace({ file: first.file })} relies on the types of ${renderPlace({ file: edit?.file ?? changed[0]! })}: change them together.`
        : '',
    strength: 0.9,
  };
}

function contains({ start, end }: { start: number; end: number }, line: number | undefined): boolean {
  return line !== undefined && line >= start && line <= end;
}
