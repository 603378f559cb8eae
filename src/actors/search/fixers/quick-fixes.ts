import type ts from 'typescript';
import { addsSuppression } from './suppressions.ts';
import type { TypeService } from './type-service.ts';

/** Texts that a fix gives files, by path. */
export type FixedTexts = ReadonlyMap<string, string>;

export interface QuickFix {
  readonly description: string;
  readonly texts: FixedTexts;
}

/**
 * TypeScript's own fixes for one error that mend code, the most certain kind first. Fixes that silence the
 * checker, guess `any`, make files or touch files that may not be changed are left out.
 */
export function quickFixesFor(
  project: TypeService,
  error: ts.Diagnostic,
  mayChange: (path: string) => boolean,
): QuickFix[] {
  if (error.file === undefined || error.start === undefined) return [];
  const end = error.start + (error.length ?? 0);
  const fixes = project.service.getCodeFixesAtPosition(
    error.file.fileName,
    error.start,
    end,
    [error.code],
    project.api.getDefaultFormatCodeSettings(),
    { includeCompletionsForModuleExports: true },
  );
  return fixes
    .filter(
      ({ fixName, changes }) => rank(fixName) >= 0 && changes.every(({ isNewFile }) => isNewFile !== true),
    )
    .sort((a, b) => rank(a.fixName) - rank(b.fixName))
    .filter(({ changes }) => changes.every(({ fileName }) => mayChange(fileName)))
    .map((fix) => ({ description: fix.description, texts: textsAfter(project, fix.changes) }))
    .filter(({ texts }) => [...texts].every(([path, text]) => !addsSuppression(project.textOf(path), text)));
}

/** The kinds of fixes that are taken, the most certain first. */
const ALLOWED = [
  'import',
  'spelling',
  'forgottenThisPropertyAccess',
  'addMissingNewOperator',
  'fixMissingCallParentheses',
  'removeAccidentalCallParentheses',
  'addMissingAwait',
  'fixAwaitInSyncFunction',
  'addMissingAsync',
  'fixReturnTypeInAsyncFunction',
  'returnValueCorrect',
  'fixPropertyAssignment',
  'fixExpectedComma',
  'fixConvertConstToLet',
  'addMissingConst',
  'useDefaultImport',
  'fixImportNonExportedMember',
  'convertToTypeOnlyImport',
  'convertToTypeOnlyExport',
  'splitTypeOnlyImport',
  'fixOverrideModifier',
  'extendsInterfaceBecomesImplements',
  'constructorForDerivedNeedSuperCall',
  'classSuperMustPrecedeThisAccess',
  'fixClassIncorrectlyImplementsInterface',
  'fixClassDoesntImplementInheritedAbstractMember',
  'fixMissingProperties',
  'fixMissingMember',
  'addMissingMember',
  'fixMissingAttributes',
  'addVoidToPromise',
  'addMissingConstraint',
  'fixNaNEquality',
  'useBigintLiteral',
  'inferFromUsage',
  'fixMissingTypeAnnotationOnExports',
  'fixNoPropertyAccessFromIndexSignature',
  'fixImplicitThis',
  'unusedIdentifier',
  'fixUnreachableCode',
  'fixUnusedLabel',
  'removeUnnecessaryAwait',
];

function rank(name: string): number {
  return ALLOWED.indexOf(name);
}

function textsAfter(project: TypeService, changes: readonly ts.FileTextChanges[]): FixedTexts {
  return new Map(
    changes.map(({ fileName, textChanges }) => {
      const ordered = [...textChanges].sort((a, b) => b.span.start - a.span.start);
      const text = ordered.reduce(
        (result, { span, newText }) =>
          result.slice(0, span.start) + newText + result.slice(span.start + span.length),
        project.textOf(fileName),
      );
      return [fileName, text];
    }),
  );
}
