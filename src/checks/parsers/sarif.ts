import type { Diagnostic } from '../../schema/generated.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { createDiagnostic } from '../results/diagnostics.ts';
import type { ParseOrigin } from './lines.ts';

interface SarifLog {
  readonly version?: string;
  readonly runs?: readonly SarifRun[];
}

interface SarifRun {
  readonly tool?: { readonly driver?: { readonly rules?: readonly SarifRule[] } };
  readonly originalUriBaseIds?: Readonly<Record<string, { readonly uri?: string }>>;
  readonly results?: readonly SarifResult[];
}

interface SarifRule {
  readonly id: string;
  readonly defaultConfiguration?: { readonly level?: string };
}

interface SarifResult {
  readonly ruleId?: string;
  readonly rule?: { readonly id?: string };
  readonly level?: string;
  readonly kind?: string;
  readonly message?: { readonly text?: string; readonly markdown?: string };
  readonly suppressions?: readonly unknown[];
  readonly locations?: readonly {
    readonly physicalLocation?: {
      readonly artifactLocation?: { readonly uri?: string; readonly uriBaseId?: string };
      readonly region?: { readonly startLine?: number; readonly startColumn?: number };
    };
  }[];
}

/**
 * Failures in a SARIF 2.1.0 log (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), without suppressed ones; undefined for
 * any other text.
 */
export function parseSarif(
  text: string,
  origin: ParseOrigin & { readonly type: Diagnostic['type'] },
): Diagnostic[] | undefined {
  let log: SarifLog | null;
  try {
    log = parseBoundedJson(text) as SarifLog | null;
  } catch {
    return undefined;
  }
  if (!Array.isArray(log?.runs)) return undefined;
  return log.runs.flatMap((run: SarifRun) =>
    (run.results ?? []).filter(isFailure).map((result) => toDiagnostic(result, run, origin)),
  );
}

function isFailure({ kind = 'fail', suppressions = [] }: SarifResult): boolean {
  return suppressions.length === 0 && (kind === 'fail' || kind === 'open' || kind === 'review');
}

function toDiagnostic(
  result: SarifResult,
  run: SarifRun,
  { check, paths, type }: ParseOrigin & { readonly type: Diagnostic['type'] },
): Diagnostic {
  const rule = result.ruleId ?? result.rule?.id;
  const place = result.locations?.[0]?.physicalLocation;
  const { uri, uriBaseId } = place?.artifactLocation ?? {};
  const base = run.originalUriBaseIds?.[uriBaseId ?? '']?.uri ?? '';
  return createDiagnostic(
    {
      type,
      check,
      message: result.message?.text ?? result.message?.markdown ?? 'No message.',
      severity: severityOf(result.level ?? defaultLevel(run, rule)),
      rule,
      file: uri === undefined ? undefined : paths.relative(decode(base + uri)),
      line: place?.region?.startLine,
      column: place?.region?.startColumn,
    },
    paths,
  );
}

function defaultLevel(run: SarifRun, id: string | undefined): string {
  const rule = run.tool?.driver?.rules?.find((candidate) => candidate.id === id);
  return rule?.defaultConfiguration?.level ?? 'warning';
}

function severityOf(level: string): Diagnostic['severity'] {
  if (level === 'error' || level === 'warning') return level;
  return 'info';
}

function decode(uri: string): string {
  try {
    return uri.startsWith('file://') ? uri : decodeURI(uri);
  } catch {
    return uri;
  }
}
