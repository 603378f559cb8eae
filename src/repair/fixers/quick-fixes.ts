import type ts from 'typescript';
import { addsSuppression } from './suppressions.ts';
import type { FixedTexts, QuickFix, TypeProblem } from './type-project.ts';

/** A language service and the current texts of its files. */
export interface ServiceTexts {
  readonly api: typeof ts;
  readonly service: ts.LanguageService;
  textOf(path: string): string;
}

/** Quick fixes of TypeScript 6 or older for one error, as `TypeProject.quickFixesFor` returns them. */
export function serviceFixes(
  held: ServiceTexts,
  { path, start, length, code }: TypeProblem,
  mayChange: (path: string) => boolean,
): QuickFix[] {
  const fixes = held.service.getCodeFixesAtPosition(
    path,
    start,
    start + length,
    [code],
    held.api.getDefaultFormatCodeSettings(),
    { includeCompletionsForModuleExports: true },
  );
  return fixes
    .filter(
      ({ fixName, changes }) => rank(fixName) >= 0 && changes.every(({ isNewFile }) => isNewFile !== true),
    )
    .sort((a, b) => rank(a.fixName) - rank(b.fixName))
    .filter(({ changes }) => changes.every(({ fileName }) => mayChange(fileName)))
    .map((fix) => ({ description: fix.description, texts: textsAfter(held, fix.changes) }))
    .filter(({ texts }) => [...texts].every(([file, text]) => !addsSuppression(held.textOf(file), text)));
}

/** The kinds of fixes that are applied, most certain first. */
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

function textsAfter(held: ServiceTexts, changes: readonly ts.FileTextChanges[]): FixedTexts {
  return new Map(
    changes.map(({ fileName, textChanges }) => {
      const ordered = [...textChanges].sort((a, b) => b.span.start - a.span.start);
      const text = ordered.reduce(
        (result, { span, newText }) =>
          result.slice(0, span.start) + newText + result.slice(span.start + span.length),
        held.textOf(fileName),
      );
      return [fileName, text];
    }),
  );
}
