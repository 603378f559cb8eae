import { attacksOf, node } from './attack.ts';

/** Writes outside the workspace. */
export const WRITES = attacksOf('write', {
  'a new file beside the workspace': 'echo x > "$OUTSIDE/new"',
  'a line added to a file': 'echo x >> "$OUTSIDE/file"',
  'a file emptied': ': > "$OUTSIDE/file"',
  'a file removed': 'rm -f "$OUTSIDE/file"',
  'a file renamed': 'mv "$OUTSIDE/file" "$OUTSIDE/other"',
  'a mode changed': 'chmod 777 "$OUTSIDE/file"',
  'a folder made': 'mkdir "$OUTSIDE/folder"',
  'a folder removed': 'rm -rf "$OUTSIDE"',
  'the shell profile of the home': 'echo x >> "$VICTIM_HOME/.bashrc"',
  'an authorised key in the home': 'echo x >> "$VICTIM_HOME/.ssh/authorized_keys"',
  'a temporary file of another program': 'echo x >> "$OTHER_TMP/file"',
  'the source of the repository': 'echo x >> "$REPO/src/a.js"',
  'the manifest of the repository': 'echo "{}" > "$REPO/package.json"',
  'an installed package by its own path': 'echo x >> "$REPO/node_modules/dep/index.js"',
  'an installed package through the workspace': 'echo x >> node_modules/dep/index.js',
  'an installed package removed': 'rm -rf "$REPO/node_modules/dep"',
  'by a path with ..': 'echo x > ../../../../../../../../../../../../$OUTSIDE/new',
  'by the root of its own process': 'echo x > /proc/self/root/$OUTSIDE/new',
  'by the root of the first process': 'echo x > /proc/1/root/$OUTSIDE/new',
  'by the folder of the parent process': 'echo x > /proc/$PPID/root/$OUTSIDE/new',
  'by a copy of Node': node('fs.copyFileSync("/etc/hostname", process.env.OUTSIDE + "/new")'),
  'by a tree copied by Node': node('fs.cpSync("src", process.env.OUTSIDE + "/src", { recursive: true })'),
  'by dd without truncation': 'echo x | dd of="$OUTSIDE/file" conv=notrunc',
  'by an archive': 'mkdir t; echo x > t/new; tar -C t -cf a.tar new; tar -C "$OUTSIDE" -xf a.tar',
  'by every inherited file descriptor': 'for fd in /proc/self/fd/*; do echo x > "$fd/../$OUTSIDE/new"; done',
});

/** Attacks through links. */
export const LINKS = attacksOf('link', {
  'a symbolic link to a file': 'ln -s "$OUTSIDE/file" l; echo x >> l',
  'a symbolic link to a folder': 'ln -s "$OUTSIDE" l; echo x > l/new',
  'a symbolic link to the root': 'ln -s / l; echo x > "l/$OUTSIDE/new"',
  'a symbolic link to the home': 'ln -s "$VICTIM_HOME" l; cat l/.ssh/id_rsa',
  'a hard link to a file': 'ln "$OUTSIDE/file" h; echo x >> h',
  'a hard link to a key': 'ln "$VICTIM_HOME/.ssh/id_rsa" h; cat h',
  'a link instead of a folder of the workspace': 'rm -rf src; ln -s "$OUTSIDE" src; echo x > src/new',
  'a link swapped in by a rename': 'ln -s "$OUTSIDE" n; mv -T n src2; echo x > src2/new',
  'a chain of links': 'ln -s "$OUTSIDE" a; ln -s a b; ln -s b c; echo x > c/new',
});

/** Attacks on the folders of git and ralph. */
export const HISTORY = attacksOf('history', {
  'a hook': 'printf "#!/bin/sh\\n" > "$REPO/.git/hooks/pre-commit"; chmod +x "$REPO/.git/hooks/pre-commit"',
  'a setting of git': 'git -C "$REPO" config core.fsmonitor ./x',
  'a setting of git by hand': 'printf "[core]\\n\\tfsmonitor = ./x\\n" >> "$REPO/.git/config"',
  'a commit': 'git -C "$REPO" -c user.name=a -c user.email=a@b commit --allow-empty --quiet --message=x',
  'a branch': 'git -C "$REPO" branch x',
  'objects removed': 'rm -rf "$REPO/.git/objects"',
  'the index locked': 'touch "$REPO/.git/index.lock"',
  'the folder of git moved away': 'mv "$REPO/.git" "$REPO/.tig"',
  'a reflection forged': 'echo "{}" > "$REPO/.aiwg/ralph/reflections/x.json"',
  "ralph's state removed": 'rm -rf "$REPO/.aiwg"',
  "ralph's journal changed": 'echo x >> "$REPO/.aiwg/ralph/loops/one/journal.jsonl"',
});
