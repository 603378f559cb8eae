#!/bin/sh
# Programs that repair the code but damage the repository: careless.sh WAY run … --command COMMAND
way=$1
for last do :; done
sh -c "$last" >/dev/null 2>&1
case $way in
  claims) git checkout --quiet -- . ;;
  stages) git add --all ;;
  commits) git commit --quiet --all --message done ;;
  unix) sed -i 's/\r$//' src/add.js ;;
  litters) echo left > .ralph-tmp ;;
  touches) touch package.json ;;
  modes) chmod 600 src/add.js ;;
  refuses) echo 'ralph: it did not work.' >&2; exit 1 ;;
esac
echo '{"verified":true,"applied":"tree"}'
