/** Files that lie beside a package.json, where tools look for their settings and programs. */
import { posix } from 'node:path';

/** Endings of sources, of pages and pictures, and of tables. */
const ORDINARY = new Set(
  `js mjs cjs jsx ts mts cts tsx vue svelte astro css scss sass less styl html htm graphql gql proto wasm wat
  coffee py rb go rs java kt c h cc cpp hpp cs php pl pm lua ex erl hs ml swift dart scala clj r jl nim zig d sql
  md mdx markdown rst adoc txt tex pdf png jpg jpeg gif svg webp ico avif bmp woff woff2 ttf otf mp3 mp4 wav
  csv tsv jsonl map po pot hbs ejs pug mustache`.split(/\s+/),
);
const DOCUMENT =
  /^(?:licen[cs]e|copying|notice|patents|authors|contributors|maintainers|credits|readme|contributing|changelog|changes|history|news|security|support|thanks|todo)(?:[.-][\w.-]+)?$/;
/** A program that a tool loads as its settings. */
const SETTINGS_PROGRAM = /(?:^serverless|[.-](?:config|conf|rc|setup))\.[cm]?[jt]sx?$/;

/** True for a module that sets up a tool by its name, such as `rollup.config.js`. The path is in lower case. */
export function isSettingsProgram(path: string): boolean {
  return SETTINGS_PROGRAM.test(posix.basename(path));
}

/**
 * True for a file beside a package.json, or at the root, that is neither a source nor a document: a tool may find it there
 * by its name. The path is in lower case.
 */
export function isUnusualInPackage(path: string, packages: ReadonlySet<string>): boolean {
  const folder = posix.dirname(path);
  if (folder !== '.' && !packages.has(folder)) return false;
  const name = posix.basename(path);
  if (DOCUMENT.test(name) || name === 'package.json') return false;
  return isSettingsProgram(path) || !ORDINARY.has(posix.extname(name).slice(1));
}

const NPM_RUNS =
  /^(?:pre|post)?(?:install|uninstall|prepare|prepublish|prepublishOnly|publish|pack|version|shrinkwrap|dependencies)$/;
const RELEASE =
  /^(?:pre|post)?(?:build|compile|bundle|release|deploy|dist|package|generate|codegen)(?:[:._-]|$)/i;

/** True for a script of a package.json that a package manager runs by itself, or that makes what is published. */
export function runsOnItsOwn(script: string): boolean {
  return NPM_RUNS.test(script) || RELEASE.test(script);
}
