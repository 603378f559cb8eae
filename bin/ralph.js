#!/usr/bin/env node
// Plain syntax that old versions parse too, so that the refusal below can be read there.
var parts = process.versions.node.split('.').map(Number);
var supported = (parts[0] === 22 && parts[1] >= 18) || parts[0] >= 24;

if (supported) {
  // In the folder for temporary files, which somebody may have in their repository: nothing is written there.
  if (!isInRepository(process.getBuiltinModule('os').tmpdir())) {
    process.getBuiltinModule('module').enableCompileCache();
  }
  import('../dist/cli/main.js').then(function (cli) {
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

function isInRepository(folder) {
  var path = process.getBuiltinModule('path');
  if (process.getBuiltinModule('fs').existsSync(path.join(folder, '.git'))) return true;
  return path.dirname(folder) !== folder && isInRepository(path.dirname(folder));
}
