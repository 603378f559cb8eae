import { plural } from '../../platform/text/plural.ts';
import type { Evaluation } from '../../schema/generated.ts';
import type { ScoredReport } from './reward.ts';

/** From this number of errors on, a type check or linter on the untouched tree is set aside. */
const MANY_ERRORS = 100;

/**
 * The reports of the untouched tree, where a type check or linter that could not run, or has 100 errors or more, is
 * skipped beside the failures that are to be repaired: it then counts only against new errors. `always`: also where every
 * other check passes. Where no other check passes or fails, the reports stay as they are.
 */
export function setAsideBroken(reports: readonly ScoredReport[], always: boolean): ScoredReport[] {
  const others = reports.filter((report) => !isBroken(report));
  const matters = others.some(({ status }) => status === 'fail' || (always && status === 'pass'));
  return reports.map((report) => (matters && isBroken(report) ? setAside(report, reasonOf(report)) : report));
}

/**
 * The reports of the untouched tree, where a check of `correcting`, whose script corrects what it finds, is skipped if it
 * fails beside a check that passes or fails: the repository's own script does not fail for it.
 */
export function setAsideCorrected(
  reports: readonly ScoredReport[],
  correcting: ReadonlySet<string>,
): ScoredReport[] {
  const isCorrected = ({ name, status }: ScoredReport): boolean => status === 'fail' && correcting.has(name);
  const judged = reports.filter(({ status }) => status === 'pass' || status === 'fail');
  if (judged.every(isCorrected)) return [...reports];
  return reports.map((report) => {
    if (!isCorrected(report)) return report;
    const found = `${plural(report.errors, 'error')} before any change.`;
    const reason = `its script corrects files by itself; ${found}`;
    return setAside(report, `${report.name} is set aside, only new errors count: ${reason}`);
  });
}

/**
 * The reports of a later tree: a check that the baseline set aside stays skipped, unless it passes, reports an error that
 * the baseline does not have, or cannot run any more.
 */
export function keepSetAside(reports: readonly ScoredReport[], baseline: Evaluation): ScoredReport[] {
  return reports.map((report) => {
    const then = baseline.checks.find(({ name }) => name === report.name);
    if (then?.status !== 'skip' || !isQuality(report) || report.status === 'pass') return report;
    if (report.status === 'error') return then.errors === 0 ? setAside(report, then.detail) : report;
    if (newErrors(report, then.errors, baseline) === 0) return setAside(report, then.detail);
    const count = plural(newErrors(report, then.errors, baseline), 'new error');
    return { ...report, detail: `${count}; the ${then.errors} before any change do not count.` };
  });
}

function isQuality({ kind }: ScoredReport): boolean {
  return kind === 'types' || kind === 'lint';
}

function isBroken(report: ScoredReport): boolean {
  const isMany = report.status === 'fail' && report.errors >= MANY_ERRORS;
  return isQuality(report) && (report.status === 'error' || isMany);
}

function reasonOf({ name, status, errors, detail }: ScoredReport): string {
  const reason = status === 'error' ? detail : `${plural(errors, 'error')} before any change.`;
  return `${name} is set aside, only new errors count: ${reason}`;
}

/** Its errors are no failures to repair. */
function setAside(report: ScoredReport, detail: string): ScoredReport {
  const diagnostics = report.diagnostics.map((it) => ({ ...it, severity: 'info' as const }));
  const errors = report.status === 'error' ? 0 : report.errors;
  return { ...report, status: 'skip', score: 0, errors, detail, diagnostics };
}

/** Errors by fingerprint that the baseline does not have; by number where not every error of the baseline is stored. */
function newErrors(report: ScoredReport, errorsThen: number, baseline: Evaluation): number {
  const more = Math.max(0, report.errors - errorsThen);
  const before = baseline.diagnostics.filter(({ check }) => check === report.name);
  if (before.length < errorsThen) return more;
  const left = Map.groupBy(before, ({ fingerprint }) => fingerprint);
  const isNew = ({ fingerprint, severity }: ScoredReport['diagnostics'][number]): boolean =>
    severity === 'error' && left.get(fingerprint)?.pop() === undefined;
  return Math.max(more, report.diagnostics.filter(isNew).length);
}
