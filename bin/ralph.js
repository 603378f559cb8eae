#!/usr/bin/env node
// Plain syntax that old versions parse too, so that the refusal below can be read there.
var parts = process.versions.node.split('.').map(Number);
var supported = (parts[0] === 22 && parts[1] >= 18) || parts[0] >= 24;

if (supported) {
  import('node:module')
    .then(function (module) {
      module.enableCompileCache();
      return import('../dist/cli/main.js');
    })
    .then(function (cli) {
      return cli.main(process.argv.slice(2));
    });
} else {
  process.exitCode = 2;
  import('fs').then(function (fs) {
    var folder = decodeURIComponent(new URL('../node_modules/.bin', import.meta.url).pathname);
    console.error('ralph needs Node.js 22.18 or newer (but not 23); this is ' + process.versions.node + '.');
    console.error(
      fs.existsSync(folder + '/node')
        ? 'A newer one came with ralph; put it first on PATH:\n  export PATH="' + folder + ':$PATH"'
        : 'Install one from https://nodejs.org, or with your version manager: nvm install 24',
    );
  });
}
