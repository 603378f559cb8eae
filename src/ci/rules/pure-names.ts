/** Global names that compute, and reach nothing outside of the process. */
export const PURE_GLOBALS = new Set(
  `AbortController AbortSignal AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array
  Blob Boolean Buffer ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy CustomEvent DataView Date
  DecompressionStream DisposableStack DOMException Error EvalError Event EventTarget File FinalizationRegistry Float16Array
  Float32Array Float64Array FormData Headers Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number
  Object Promise Proxy RangeError ReadableStream ReferenceError Reflect RegExp Request Response Set SharedArrayBuffer String
  SuppressedError Symbol SyntaxError TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream TypeError
  URIError URL URLPattern URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
  WritableStream __dirname __filename arguments atob btoa cancelAnimationFrame clearImmediate clearInterval clearTimeout
  console crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape exports isFinite isNaN module parseFloat
  parseInt performance process queueMicrotask requestAnimationFrame require setImmediate setInterval setTimeout
  structuredClone undefined unescape globalThis global React`.split(/\s+/),
);
/** Modules of Node.js that compute. */
export const PURE_MODULES = new Set(
  `assert assert/strict buffer constants crypto events os path path/posix path/win32 perf_hooks punycode querystring stream
  stream/consumers stream/promises stream/web string_decoder timers timers/promises url util util/types zlib`.split(
    /\s+/,
  ),
);
/** Members of `process` that tell of the process and change nothing. */
const PURE_PROCESS = new Set(
  `arch argv cwd emitWarning hrtime memoryUsage nextTick platform release uptime version versions`.split(' '),
);
export const PURE_MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = {
  process: PURE_PROCESS,
  module: new Set(['exports', 'id', 'filename']),
  require: new Set(['resolve', 'main']),
};
export const PURE_META = new Set(['url', 'dirname', 'filename', 'main', 'resolve']);
