/**
 * Files that a tool finds by their name and runs, or by which it decides what it installs or runs. All names are lower
 * case. A file that is not listed is judged by its place: see package-files.ts.
 */
import { posix } from 'node:path';
import { matcherOf } from '../../workspace/globs.ts';
import { LOCK_FILES } from '../../workspace/protect/protected-paths.ts';

interface Kind {
  /** The end of the sentence "changes FILE, which …". */
  readonly does: string;
  /** True if no flag permits a change: the file runs with rights that the checks do not have. */
  readonly isNever?: boolean;
  /** Globs of names of files and of folders, with everything in them. */
  readonly names?: readonly string[];
  /** Globs of names of files alone, because an ordinary folder may be called so too. */
  readonly files?: readonly string[];
}

/** Pipelines, deployments, editors, shells, hooks and agents. */
const RUN_ELSEWHERE: Kind = {
  does: 'other programs run by themselves',
  isNever: true,
  names: listed(`
    .gitea .forgejo .woodpecker .drone .circleci .buildkite .semaphore .tekton .teamcity .builds .cirrus*
    .travis.y*ml .drone.y*ml .drone.star .drone.jsonnet .woodpecker.y*ml buildspec*.y*ml appspec.y*ml
    amplify.yml cloudbuild*.y*ml cloudbuild*.json jenkinsfile* azure-pipelines*.y*ml .azure-pipelines
    .gitlab-ci*.y*ml .build.yml appveyor.y*ml .appveyor.y*ml bitrise.y*ml codefresh.y*ml wercker.y*ml
    .screwdriver.y*ml screwdriver.y*ml codemagic.y*ml buddy.y*ml atlantis.y*ml vercel.json vercel.ts
    vercel.js vercel.mjs netlify.toml wrangler.toml wrangler.json* fly.toml fly.*.toml render.y*ml
    firebase.json procfile* app.json now.json static.json heroku.yml railway.json railway.toml nixpacks.toml
    circle.yml codeship-*.yml zuul.y*ml .zuul.d zuul.d semaphore.yml mergify.yml bors.toml pkgx.y*ml
    .prow.y*ml .harness .argo .pipelines owners_aliases binding.gyp node_modules release.config.*
    .releaserc* .gitpod.y*ml .codesandbox .replit .aider* .windsurf .clinerules .roo .kiro .continue .junie
    .amazonq .trae .claude .mcp.json .cursor .cursorrules .gemini .codex .opencode opencode.json* .vscode
    .idea .zed .devcontainer .devcontainer.json *.code-workspace .envrc .fleet .mise* mise.toml mise.*.toml
    .config flake.nix shell.nix default.nix devenv.nix devenv.y*ml *.sublime-project .exrc .vimrc .nvimrc
    .nvim.lua .dir-locals*.el .gdbinit .lldbinit .autoenv* .env.zsh pre-commit prepare-commit-msg commit-msg
    post-commit post-checkout post-merge post-rewrite pre-rebase pre-push pre-receive post-receive *.node
    .pre-commit-config.y*ml .pre-commit-hooks.y*ml .overcommit.yml .lintstagedrc* .huskyrc* .lefthook*
    lefthook*.y*ml lefthook*.toml lefthook*.json* dangerfile* .npmrc .yarnrc .yarnrc.yml .yarn .pnp.*
    .pnpmfile.* bunfig.toml .tool-versions renovate.json* .renovaterc*`),
  files: listed(`
    applypatch-msg pre-applypatch post-applypatch post-update fsmonitor-watchman owners`),
};

const INSTRUCTIONS: Kind = {
  does: 'instructs coding agents',
  files: listed(`
    agent.md agents.md agents.*.md qwen.md claude.md claude.*.md gemini.md codex.md warp.md crush.md skill.md replit.md
    copilot-instructions.md *.instructions.md *.prompt.md *.chatmode.md *.mdc .windsurfrules crush.json
    mcp.json`),
};

/** Programs of other languages that decide how their tests run. */
const JUDGES: Kind = {
  does: 'decides how the checks run',
  files: listed(`
    conftest.py sitecustomize.py usercustomize.py pytest.ini pytest.toml tox.ini noxfile.py setup.cfg
    phpunit.xml* phpunit.dist.xml spec_helper.rb rails_helper.rb test_helper.rb test_helper.exs
    test_helper.bash codeception.y*ml behat.y*ml mypy.ini pyrightconfig.json pylintrc ruff.toml
    phpstan*.neon* psalm.xml* clippy.toml nextest.toml busted testem.js testem.json wdio.conf.*
    protractor.conf.* nightwatch.conf.* nightwatch.json stryker.conf.* cypress.json codecept.conf.*
    *.runsettings *.xctestplan`),
};

const DECIDING: Kind = {
  does: 'decides what is installed or what tests compare with',
  files: [
    ...LOCK_FILES,
    ...listed(`
    *.lock *.lockfile go.sum go.work.sum packages.lock.json package.resolved gems.locked cartfile.resolved
    mix.lock pubspec.lock deno.json deno.jsonc *.snap *.snapshot`),
  ],
};

/** Manifests of packages, by language. */
const INSTALLING: Kind = {
  does: 'decides what is installed or built',
  files: listed(`
    package.json5 package.y*ml bower.json component.json jsr.json import_map.json lerna.json rush.json
    workspace.json project.json angular.json setup.py pyproject.toml pipfile *requirements*.txt
    *requirements*.in constraints*.txt environment.y*ml meta.y*ml poetry.toml uv.toml pdm.toml pixi.toml
    hatch.toml hatch_build.py manifest.in *.pth buildout.cfg easy_install.py ez_setup.py gemfile gemfile.*
    *.gemfile gems.rb *.gemspec appraisals extconf.rb mkrf_conf.rb brewfile podfile *.podspec *.podspec.json
    cartfile cartfile.private package.swift package@*.swift *.pbxproj *.xcconfig *.xcscheme project.yml
    composer.json box.json cargo.toml build.rs rust-toolchain rust-toolchain.toml cross.toml go.mod go.work
    pom.xml ivy.xml ivysettings.xml *.gradle *.gradle.kts *.gradle.dcl gradlew gradlew.bat gradle.properties
    gradle-wrapper.* libs.versions.toml mvnw mvnw.cmd build.sbt *.sbt build.sc build.mill project.clj
    deps.edn bb.edn build.boot shadow-cljs.edn mix.exs rebar.config rebar.config.script *.app.src *.cabal
    cabal.project* stack.yaml setup.hs setup.lhs *.opam dune dune-project dune-workspace cpanfile
    makefile.pl build.pl dist.ini *.rockspec project.toml manifest.toml *.nimble config.nims *.nims dub.json
    dub.sdl shard.yml spago.yaml spago.dhall packages.dhall elm.json description gleam.toml pubspec.y*ml
    build.zig build.zig.zon *.csproj *.fsproj *.vbproj *.vcxproj *.proj *.props *.targets *.sln *.slnx
    *.nuspec nuget.config global.json packages.config paket.dependencies vcpkg*.json conanfile.*
    foundry.toml remappings.txt anchor.toml move.toml scarb.toml`),
};

/** Makefiles and what takes their place: a person or a job runs them without reading them. */
const BUILDING: Kind = {
  does: 'is run when the project is built, packed or installed',
  files: listed(`
    makefile!(*.@(md|mdx|[cm][jt]s|[jt]s|[jt]sx)) gnumakefile bsdmakefile *.mk *.mak .justfile justfile *.just taskfile*.y*ml
    rakefile* *.rake jakefile* cakefile gulpfile* gruntfile* brunch-config.* ember-cli-build.js
    gatsby-node.* fabfile.py dodo.py tasks.py wscript sconstruct sconscript magefile.go build.xml build.cake
    build.fsx build.ps1 build.sh install.sh install.ps1 configure configure.ac configure.in configure.win
    aclocal.m4 autogen.sh bootstrap.sh meson.build meson_options.txt meson.options cmakelists.txt
    cmakepresets.json cmakeuserpresets.json *.cmake xmake.lua premake*.lua build.bazel workspace.bazel
    module.bazel *.bzl *.bazelrc pants.toml earthfile dagger.json robofile.php guardfile capfile fastfile
    appfile config.ru snapcraft.yaml pkgbuild *.spec *.ebuild *.pkr.hcl electron-builder.* goreleaser.y*ml
    release-please-config.json nfpm.y*ml mkdocs.y*ml book.toml _config.y*ml antora*.y*ml
    readthedocs.y*ml build.gn *.gyp *.gypi build buck workspace`),
  names: ['**/{doc,docs}/**/conf.py', 'debian/{rules,*inst,*rm,*.install}', '**/config/initializers/**/*.rb'],
};

const DEPLOYING: Kind = {
  does: 'is run when the project is deployed or started',
  files: listed(`
    dockerfile!(*.@(md|mdx|[cm][jt]s|[jt]s|[jt]sx)) *.dockerfile containerfile!(*.@(md|mdx|[cm][jt]s|[jt]s|[jt]sx)) docker-compose*.y*ml
    compose.y*ml compose.*.y*ml podman-compose*.y*ml docker-bake* docker-stack*.y*ml docker-entrypoint*
    entrypoint.sh vagrantfile *.tf *.tf.json *.tfvars *.tofu terragrunt.hcl *.hcl pulumi*.y*ml
    serverless*.y*ml serverless.json samconfig.* template.y*ml cdk.json
    cdk.context.json sst.config.* skaffold*.y*ml tiltfile devspace.y*ml okteto.y*ml garden.y*ml chart.y*ml
    values*.y*ml kustomization.y*ml helmfile.y*ml playbook*.y*ml app.y*ml dispatch.y*ml cron.y*ml crontab
    *.crontab ecosystem.config.* nodemon.json supervisord.conf *.service *.socket *.timer *.nomad caddyfile
    nginx*.conf web.config .htaccess httpd.conf _worker.js _headers _redirects staticwebapp.config.json
    apprunner.y*ml zeabur.* koyeb.y*ml space.y*ml smithery.y*ml cloud-init* cloud.cfg user-data codecov.y*ml
    sonar-project.properties *.mobileconfig knexfile.* ormconfig.*`),
  names: ['**/{k8s,kubernetes,helm,charts,ansible,manifests}/**/*.{yml,yaml}'],
};

/** Programs without a text to review, and what a file manager runs or loads. */
const STARTED: Kind = {
  does: 'a system runs when it is opened, or by the name of another program',
  files: listed(`
    *.exe *.com *.scr *.msi *.bat *.cmd *.vbs *.vbe *.jse *.wsf *.wsh *.hta *.ps1 *.psm1 *.psd1 *.dll *.so
    *.so.* *.dylib *.jar *.class *.pyc *.pyd *.pyz *.whl *.gem *.egg *.lnk *.url *.scf *.desktop *.command
    *.webloc *.*-ms *.reg *.chm *.appimage *.deb *.rpm *.apk *.dmg *.pkg autorun.inf desktop.ini
    *.workflow *.terminal *.swp`),
};

/** A folder with a `HEAD` is a repository for git, whose settings there name programs. */
const REPOSITORY: Kind = { does: 'makes its folder a repository for git', files: ['head'] };

/** The globs of a text, which stand between blanks. */
function listed(globs: string): readonly string[] {
  return globs.trim().split(/\s+/);
}

const KINDS = [
  ...[RUN_ELSEWHERE, INSTRUCTIONS, JUDGES, DECIDING, INSTALLING, BUILDING, DEPLOYING, STARTED, REPOSITORY],
].map((kind) => ({
  ...kind,
  isNever: kind.isNever ?? false,
  has: matcherOf(kind.names ?? []),
  isFile: matcherOf(kind.files ?? []),
}));

/** The listed kind of a file with this path; undefined for a path that no list names. */
export function selfRun(path: string): Pick<(typeof KINDS)[number], 'does' | 'isNever'> | undefined {
  return KINDS.find(({ has, isFile }) => has(path) || isFile(posix.basename(path)));
}
