#!/usr/bin/env node
// Plain syntax that old versions parse too, so that the refusal below can be read there.
var parts = process.versions.node.split('.').map(Number);
var supported = (parts[0] === 22 && parts[1] >= 18) || parts[0] >= 24;

if (!supported) {
  console.error(
    'ralph needs Node.js 22.18 or newer (not 23); this is ' + process.versions.node + '.\n' +
      'Install a newer Node.js, or put the one that came with ralph first on PATH:\n' +
      '  export PATH="' + require_dir() + '/node_modules/.bin:$PATH"'
  );
  process.exitCode = 2;
} else {
  import('../dist/cli/main.js').then(function (cli) {
    return cli.main(process.argv.slice(2));
  });
}

function require_dir() {
  return decodeURIComponent(new URL('..', import.meta.url).pathname).replace(/\/$/, '');
}
