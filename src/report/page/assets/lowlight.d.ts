/** The part of lowlight's API (https://github.com/wooorm/lowlight) that is used here. */
export interface CodeText {
  readonly type: 'text';
  readonly value: string;
}
export interface CodeElement {
  readonly type: 'element';
  readonly properties: { readonly className?: unknown };
  readonly children: readonly CodeNode[];
}
export interface CodeRoot {
  readonly type: 'root';
  readonly children: readonly CodeNode[];
}
export type CodeNode = CodeText | CodeElement | CodeRoot;
export interface Lowlight {
  highlight(language: string, text: string): CodeRoot;
}
export declare const common: Readonly<Record<string, unknown>>;
export declare function createLowlight(grammars: Readonly<Record<string, unknown>>): Lowlight;
