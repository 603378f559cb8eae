// Apart from TypeScript: the types of highlight.js would bring the browser's globals into the whole program.
export { common, createLowlight } from 'lowlight';
