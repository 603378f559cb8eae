/**
 * Folders that a framework or a host reads as a whole, and files that it finds by their place: it runs a new file there
 * though nothing names it. They are meant where the package depends on the program, or has its settings.
 */
import { posix } from 'node:path';
import { matcherOf } from '../../workspace/globs.ts';

/** Names of packages; globs of settings beside the package.json; globs of places from there. One program a line. */
const PROGRAMS = `
  next | next.config.* | {,src/}{middleware,proxy,instrumentation*}.* {,src/}{pages,app}/**
  nuxt nuxt3 nuxt-nightly | nuxt.config.* | {,app/,src/}{server,middleware,plugins,modules,pages,layouts,layers}/** server/**
  nitropack nitro | nitro.config.* | {,src/,server/}{routes,api,middleware,plugins,tasks}/**
  @sveltejs/kit | svelte.config.* | src/{routes,params}/** src/{hooks,service-worker,instrumentation}*
  @remix-run/dev @remix-run/node @react-router/dev | remix.config.* react-router.config.* | app/routes/** app/{root,entry,routes}*
  astro | astro.config.* | src/{pages,actions,content}/** src/{middleware,content.config,live.config}*
  gatsby | gatsby-config.* | gatsby-* src/{pages,api,templates}/** plugins/**
  @solidjs/start @tanstack/react-start @tanstack/solid-start @builder.io/qwik-city @qwik.dev/router @tanstack/router-plugin | | {,src/,app/}{routes,middleware,plugin,entry}*/** {,src/,app/}{middleware,plugin,entry,router}*
  vike vite-plugin-ssr | | **/+* {,src/}pages/** {,src/}renderer/**
  expo-router | | {,src/}app/**
  umi @umijs/max ice | .umirc.* | {,src/}{pages,layouts,models,plugins,app,access,plugin}*/** {,src/}{app,plugin,access}.*
  @docusaurus/core | docusaurus.config.* | src/{pages,theme}/** {docs,blog}/**/*.mdx
  vitepress vuepress | | **/.vitepress/** **/.vuepress/**
  @11ty/eleventy | eleventy.config.* .eleventy.* | {,src/}{_data,_includes}/** **/*.11ty.* **/*.11tydata.*
  hexo | | {scripts,themes,source}/**
  @storybook/* storybook | .storybook | **/*.stories.*
  vercel @vercel/* | vercel.* .vercel .vercelignore | {,src/}{api,middleware,proxy}/** {,src/}{middleware,proxy}.*
  netlify-cli @netlify/* | netlify.* .netlify | netlify/** {,src/}functions/** {,src/}edge-functions/**
  wrangler @cloudflare/* | wrangler.* | functions/** {,public/,dist/,static/}_worker* {,public/,dist/,static/}_routes.json
  firebase-admin firebase-functions firebase-tools | firebase.json .firebaserc | functions/**
  @azure/functions | host.json | **/function.json src/functions/**
  supabase @supabase/* | supabase | supabase/**
  @aws-amplify/* | amplify amplify.yml | amplify/**
  @architect/* | app.arc .arc | {,src/}{http,events,scheduled,queues,ws,plugins,macros,shared,views}/**
  @redwoodjs/* | redwood.toml | api/src/{functions,services,directives,subscriptions,jobs}/** web/src/{Routes,entry}*
  @strapi/strapi strapi | | {config,database}/** src/{api,extensions,plugins,policies,middlewares,admin}/** src/index.*
  sails | .sailsrc | {api,config,tasks}/**
  egg midway @midwayjs/core | | {app,config}/** src/{controller,service,middleware,schedule,filter,job,configuration}*/** {app,agent}.*
  moleculer moleculer-runner | moleculer.config.* | {,src/}services/**
  @fastify/autoload fastify-cli | | {,src/}{plugins,routes,services,autohooks}/** **/autohooks.*
  @adonisjs/core | .adonisrc.json adonisrc.ts | {start,providers,commands,database,config,contracts}/**
  @keystone-6/core | | {migrations,schema,keystone}*/**
  payload | | {,src/}{app,migrations}/**
  meteor @meteorjs/* meteor-node-stubs | .meteor | {client,server,packages,lib,imports/startup}/**
  ember-source ember-cli | | app/{initializers,instance-initializers}/** {lib,blueprints,server}/**
  wxt | wxt.config.* | {,src/}entrypoints/**
  plasmo | | {,src/}{background,contents,popup,options,tabs,sandbox}*/** {,src/}{background,content,popup,options,newtab}.*
  knex sequelize sequelize-cli typeorm umzug db-migrate node-pg-migrate migrate-mongo postgrator prisma @prisma/* drizzle-orm drizzle-kit kysely kysely-ctl @mikro-orm/* objection bookshelf | knexfile.* .sequelizerc .migrations | **/{migrations,migrate,seeds,seeders,drizzle}/** **/seed.*
  graphile-worker bree | | {,src/}{tasks,jobs}/**
  @oclif/core @oclif/command oclif | .oclifrc* | src/{commands,hooks}/**
  @sapphire/framework discord-akairo commandkit | | src/{commands,listeners,events,preconditions,interaction-handlers,routes,scheduled-tasks}/**
  hygen plop @turbo/gen yeoman-generator nx @nrwl/* @nx/* | .hygen* plopfile.* nx.json turbo.json | {,.}_templates/** generators/** turbo/** tools/**
  | ProjectSettings | {Assets,Packages}/**
  | project.godot | addons/** **/*.{gd,tscn,tres}
  | gemfile gemfile.lock config.ru | {config,lib/tasks,db,app}/**/*.rb
  | manage.py | **/{migrations,management,templatetags}/**/*.py **/{apps,settings,urls,admin,signals,tasks}.py
  | artisan | {app,routes,config,database,bootstrap}/**/*.php
  | mix.exs | {lib,config,priv}/**/*.{ex,exs}
  | go.mod | **/*.go
  | cargo.toml | {src/bin,examples,benches}/**/*.rs
  | pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts build.sbt | **/src/main/**
  | package.swift | {Sources,Plugins}/**/*.swift
  | wp-config.php wp-config-sample.php wp-content | wp-content/{plugins,mu-plugins,themes}/**
`;

interface Program {
  readonly isPackage: (name: string) => boolean;
  readonly isSettings: (name: string) => boolean;
  readonly isPlace: (path: string) => boolean;
}

const KNOWN: readonly Program[] = PROGRAMS.trim()
  .split('\n')
  .map((line) => {
    const [packages, settings, places] = line.toLowerCase().split('|').map(matcherOfCell);
    return { isPackage: packages!, isSettings: settings!, isPlace: places! };
  });

function matcherOfCell(cell: string): (path: string) => boolean {
  // With a slash, so that a glob means the whole name or path and no part of it.
  const globs = cell.split(/\s+/).filter(Boolean);
  return matcherOf(globs.map((glob) => `/${glob}`));
}

/** A folder of the tree in which a program works. All names are in lower case. */
export interface PackageFolder {
  /** Relative to the root; `.` is the root. */
  readonly folder: string;
  /** Packages that it depends on. */
  readonly dependencies: readonly string[];
  /** Names of the files and folders in it. */
  readonly names: readonly string[];
}

/** True if a program of one of the folders finds a file by its place. The path is in lower case. */
export function isFoundByPlace(path: string, folders: readonly PackageFolder[]): boolean {
  return folders.some(({ folder, dependencies, names }) => {
    const inside = folder === '.' ? path : posix.relative(folder, path);
    if (inside.startsWith('../')) return false;
    return KNOWN.some(
      (it) => it.isPlace(inside) && (dependencies.some(it.isPackage) || names.some(it.isSettings)),
    );
  });
}
