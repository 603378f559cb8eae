#!/usr/bin/env node
// Plain syntax that old versions of Node parse too, so that they reach the branch below.
var parts = process.versions.node.split('.').map(Number);

// Every process of the machine can read the command line of this one, and the actor must not know what is held out.
if (/(^|\0)--holdout/.test(process.argv.join('\0'))) process.title = 'ralph';

if ((parts[0] === 22 && parts[1] >= 18) || parts[0] >= 24) {
  enableOwnCompileCache();
  var load = process.getBuiltinModule('module').createRequire(import.meta.url);
  load('../dist/cli/main.cjs')
    .main(process.argv.slice(2))
    .then(function () {
      // A provider's package may have left a timer or a server that would keep the process alive.
      setTimeout(process.exit, 1000).unref();
    });
} else {
  Promise.all([import('fs'), import('child_process'), import('url')]).then(function (modules) {
    startWithPackagedNode(modules[0], modules[1], modules[2]);
  });
}

/**
 * Keeps compiled code in the user's cache folder, if nobody else can write there: code in the cache is executed. Not in
 * a repository, in which it would be a new file.
 */
function enableOwnCompileCache() {
  // Then Node uses the folder that the user has chosen.
  if (process.env.NODE_COMPILE_CACHE) return;
  var fs = process.getBuiltinModule('fs');
  var path = process.getBuiltinModule('path');
  try {
    var home = process.getBuiltinModule('os').homedir();
    var caches = process.env.XDG_CACHE_HOME || path.join(home, '.cache');
    var folder = path.join(caches, 'ralph', 'compiled');
    if (!path.isAbsolute(folder) || isInRepository(folder)) return;
    // One by one: the recursive call never ends in a place such as /proc, which says ENOENT to every new folder.
    [caches, path.dirname(folder), folder].forEach(function (each) {
      if (!fs.existsSync(each)) fs.mkdirSync(each, 448 /* 0700 */);
    });
    for (var each = folder; each !== path.dirname(caches); each = path.dirname(each)) {
      var stats = fs.lstatSync(each);
      if (!stats.isDirectory() || stats.uid !== process.getuid() || (stats.mode & 18) /* 0022 */ !== 0)
        return;
    }
    process.getBuiltinModule('module').enableCompileCache(folder);
  } catch {
    // Without a cache ralph starts some 50 ms later.
  }
}

/** Runs this file again with the Node of the `node` package, where one is installed beside ralph or above it. */
function startWithPackagedNode(fs, childProcess, url) {
  var own = url.fileURLToPath(import.meta.url);
  var folders = [
    new URL('../node_modules/.bin/node', import.meta.url),
    new URL('../../.bin/node', import.meta.url),
  ];
  var node = folders.map(url.fileURLToPath).find(function (path) {
    return fs.existsSync(path) && isNewEnough(fs, childProcess, path);
  });
  if (node === undefined) return refuse();
  // The Node of the repository's scripts, most likely: its version need not be asked for.
  var startedBy = { RALPH_STARTED_BY: process.versions.node + ' ' + process.execPath };
  var child = childProcess.spawn(node, [own].concat(process.argv.slice(2)), {
    stdio: 'inherit',
    env: Object.assign({}, process.env, startedBy),
  });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(function (signal) {
    // A terminal sends Ctrl-C to both processes: only signals that reached this one alone are passed on.
    process.on(signal, function () {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  });
  child.on('error', refuse);
  child.on('exit', function (code, signal) {
    if (signal === null) process.exitCode = code;
    else process.exitCode = 128 + { SIGINT: 2, SIGTERM: 15, SIGHUP: 1, SIGKILL: 9 }[signal] || 1;
  });
}

function isNewEnough(fs, childProcess, path) {
  var version = packagedVersion(fs, path) || askedVersion(childProcess, path);
  return (
    version !== null && (Number(version[1]) >= 24 || (Number(version[1]) === 22 && Number(version[2]) >= 18))
  );
}

/** As the package of the program names it, which costs no start of the program; null where that is not known. */
function packagedVersion(fs, path) {
  try {
    var program = fs.realpathSync(path);
    var manifest = JSON.parse(fs.readFileSync(program.replace(/bin.node$/, 'package.json'), 'utf8'));
    return manifest.name === 'node' ? /^(\d+)\.(\d+)/.exec(manifest.version) : null;
  } catch {
    return null;
  }
}

function askedVersion(childProcess, path) {
  var asked = childProcess.spawnSync(path, ['--version'], { encoding: 'utf8' });
  return /^v(\d+)\.(\d+)/.exec(asked.stdout || '');
}

function refuse() {
  process.exitCode = 2;
  console.error('ralph needs Node.js 22.18 or newer (but not 23); this is ' + process.versions.node + '.');
  console.error('Install one from https://nodejs.org, or with your version manager: nvm install 24');
}

function isInRepository(folder) {
  var path = process.getBuiltinModule('path');
  if (process.getBuiltinModule('fs').existsSync(path.join(folder, '.git'))) return true;
  return path.dirname(folder) !== folder && isInRepository(path.dirname(folder));
}
