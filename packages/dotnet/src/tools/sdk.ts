import { dirname } from 'node:path';
import { type Action, type ActionContext, type ActionResult, changed } from '../actions/action.js';
import { globalJsonValue } from '../actions/checks.js';
import { query, queryResult, runCli } from '../actions/cli-action.js';
import { commandFailed } from '../actions/command-failed.js';
import type { DotnetTool } from '../actions/dotnet-tool.js';
import { missingParameter } from '../actions/invalid-parameter.js';
import { lockTargetFor } from '../locks/lock-target.js';
import type { CommandRun } from '../process/command-run.js';
import { describeFramework, frameworkCatalog } from '../project-files/frameworks.js';
import { configureGlobalJson, TEST_RUNNERS } from '../project-files/global-json.js';
import { GLOBAL_LOCKS } from './global-locks.js';
import { DESTRUCTIVE } from './shared/annotations.js';
import { installTemplatePack, parseTemplatePackage } from './shared/template-packs.js';
import { listTemplates, searchTemplates, templateInfo } from './shared/templates.js';

const templatePacks: Action['lock'] = { operation: 'template packs', targets: () => [GLOBAL_LOCKS.templates] };

/** The exit code of `dotnet new uninstall` for a pack that is not installed (SDK 10). */
const PACK_NOT_FOUND = 103;

const actions: Record<string, Action> = {
  Version: {
    isReadOnly: true,
    execute: async ({ services, cwd }) => {
      const run = await services.sdk.version(cwd);
      if (run.terminatedBy !== 'exited' || run.exitCode !== 0) throw commandFailed(run, { label: 'Version' });
      return queryResult(run, { version: run.stdout.trim().split(/\r?\n/)[0] });
    },
  },
  Info: {
    isReadOnly: true,
    execute: query({
      label: 'Info',
      commandArgs: () => ['--info'],
      data: ({ stdout }) => parseInfo(stdout),
    }),
  },
  ListSdks: {
    isReadOnly: true,
    execute: async ({ services }) => {
      const { run, sdks } = await services.sdk.sdks();
      if (run.terminatedBy !== 'exited' || run.exitCode !== 0) throw commandFailed(run, { label: 'ListSdks' });
      return queryResult(run, { sdks });
    },
  },
  ListRuntimes: {
    isReadOnly: true,
    execute: async ({ services }) => {
      const { run, runtimes } = await services.sdk.runtimes();
      if (run.terminatedBy !== 'exited' || run.exitCode !== 0) throw commandFailed(run, { label: 'ListRuntimes' });
      return queryResult(run, { runtimes });
    },
  },
  ListTemplates: {
    optional: ['filter', 'maxResults', 'forceReload'],
    isReadOnly: true,
    lists: 'templates',
    execute: listTemplates,
  },
  SearchTemplates: {
    required: ['searchTerm'],
    optional: ['forceReload'],
    isReadOnly: true,
    lists: 'templates',
    execute: searchTemplates,
  },
  TemplateInfo: { required: ['templateShortName'], optional: ['forceReload'], isReadOnly: true, execute: templateInfo },
  ClearTemplateCache: {
    isReadOnly: false,
    execute: async ({ services }) => {
      services.sdk.reset();
      return changed('Cache cleared; templates, SDKs and runtimes are read again on next use');
    },
  },
  ListTemplatePacks: {
    isReadOnly: true,
    lists: 'templatePacks',
    execute: query({
      label: 'Template packs',
      commandArgs: () => ['new', 'uninstall'],
      data({ stdout }) {
        const packs = [...stdout.matchAll(/^ {3}(\S.*)\r?\n(?: {6}Version: (\S+))?/gm)];
        const isPack = (id: string) => !id.endsWith(':') && id !== '(No Items)';
        return {
          templatePacks: packs
            .filter(([, id]) => isPack(id!))
            .map(([, id, version]) => ({ id: id!, ...(version && { version }) })),
        };
      },
    }),
  },
  InstallTemplatePack: {
    required: ['templatePackage'],
    optional: ['templateVersion', 'nugetSource', 'interactive', 'force'],
    check: ({ templatePackage, templateVersion }) => void parseTemplatePackage(templatePackage!, templateVersion),
    lock: templatePacks,
    execute: installTemplatePack,
  },
  UninstallTemplatePack: {
    optional: ['templatePackage'],
    lock: templatePacks,
    confirm: {
      question: ({ templatePackage }) =>
        templatePackage ? `Uninstall the template pack ${templatePackage}?` : undefined,
    },
    execute: async (call) => {
      const { templatePackage } = call.args;
      if (templatePackage === undefined) return actions.ListTemplatePacks!.execute(call);
      const commandArgs = () => ['new', 'uninstall', templatePackage];
      const isSuccess = ({ exitCode }: CommandRun) => exitCode === 0 || exitCode === PACK_NOT_FOUND;
      const { command, exitCode } = await runCli({ label: 'Template pack uninstall', commandArgs, isSuccess }, call);
      call.services.sdk.reset();
      const isAbsent = exitCode === PACK_NOT_FOUND;
      const summary = `${templatePackage} ${isAbsent ? 'is not installed' : 'uninstalled'}`;
      return changed(summary, { ...(isAbsent && { changed: false }), templatePackage }, { command });
    },
  },
  FrameworkInfo: {
    optional: ['framework'],
    isReadOnly: true,
    execute: async ({ args, services }) => {
      if (args.framework !== undefined) return frameworkAnswer(args.framework);
      const { sdks } = await services.sdk.sdks();
      const catalog = frameworkCatalog(sdks.map(({ version }) => version));
      const lines = [...catalog.modernFrameworks, ...catalog.netCoreFrameworks, ...catalog.netStandardFrameworks].map(
        ({ tfm, description }) => `${tfm}: ${description}`,
      );
      const { latestRecommended, latestLts } = catalog;
      const text = [...lines, `Recommended: ${latestRecommended}`, `Latest LTS: ${latestLts}`].join('\n');
      return { data: catalog, text };
    },
  },
  CacheMetrics: {
    isReadOnly: true,
    execute: async ({ services }) => {
      const caches = Object.entries({ ...services.sdk.caches, ...services.caches }).map(([name, { metrics }]) => {
        const { hits, misses } = metrics;
        const lookups = hits + misses;
        return [
          name,
          { hits, misses, hitRatio: lookups === 0 ? 0 : Math.round((hits / lookups) * 100) / 100 },
        ] as const;
      });
      const lines = caches.map(
        ([name, { hits, misses, hitRatio }]) => `${name}: ${hits} hits, ${misses} misses (${hitRatio})`,
      );
      return { data: { caches: Object.fromEntries(caches) }, text: lines.join('\n') };
    },
  },
  ConfigureGlobalJson: {
    optional: ['sdkVersion', 'rollForward', 'testRunner', 'globalJsonPath'],
    checks: { testRunner: globalJsonValue(TEST_RUNNERS) },
    check({ sdkVersion, rollForward, testRunner }) {
      if ((sdkVersion ?? rollForward ?? testRunner) === undefined) throw missingParameter('sdkVersion');
    },
    lock: {
      operation: 'global.json',
      targets: (call) => [lockTargetFor(dirname(globalJsonFile(call)), call.cwd)],
    },
    execute: configure,
  },
};

function globalJsonFile({ args, resolve }: ActionContext): string {
  return resolve(args.globalJsonPath ?? 'global.json');
}

async function configure(call: ActionContext): Promise<ActionResult> {
  const path = globalJsonFile(call);
  const { text, isNew, changed: isChanged } = await configureGlobalJson(path, call.args);
  const done = isNew ? `Created '${path}' successfully.` : `Updated '${path}' successfully.`;
  const summary = isChanged ? done : `'${path}' already has this value.`;
  return changed(summary, { ...(!isChanged && { changed: false }), path }, { text: `${summary}\n${text}` });
}

function frameworkAnswer(framework: string): ActionResult {
  const properties = describeFramework(framework)!;
  const details = Object.entries(properties).map(([name, value]) => `${name}: ${String(value)}`);
  return { data: properties, text: details.join('\n') };
}

export const sdkTool: DotnetTool = {
  name: 'dotnet_sdk',
  title: '.NET SDK & Templates',
  description:
    'The .NET SDK itself: versions, runtimes, templates and template packs, target frameworks, global.json (SDK version, test runner).',
  annotations: DESTRUCTIVE,
  actions,
  common: ['workingDirectory', 'timeoutSeconds'],
  describes: {
    filter: 'Part of a name or type',
    templatePackage: 'Package id, id@version, or path',
    searchTerm: 'Part of a name or description',
    testRunner: { type: 'string', description: 'Microsoft.Testing.Platform or VSTest' },
  },
  output: {
    summary: 'string',
    changed: 'boolean',
    version: 'string',
    commit: 'string',
    rid: 'string',
    os: 'string',
    basePath: 'string',
    sdks: 'array',
    runtimes: 'array',
    templates: 'array',
    template: 'object',
    templatePacks: 'array',
    templatePackage: 'string',
    note: 'string',
    tfm: 'string',
    caches: 'object',
    path: 'string',
    globalJson: 'object',
    globalJsonPath: 'string',
  },
};

/** Parses the output of `dotnet --info`. */
function parseInfo(stdout: string): object {
  const field = (name: string) => new RegExp(`^\\s*${name}:\\s*(.+?)\\s*$`, 'm').exec(stdout)?.[1];
  const present = (name: string, value: string | undefined) => value !== undefined && { [name]: value };
  const globalJson = /^global\.json file:\r?\n\s+(.+?)\s*$/m.exec(stdout)?.[1];
  return {
    version: field('Version') ?? '',
    ...present('commit', field('Commit')),
    ...present('rid', field('RID')),
    ...(field('OS Name') && { os: `${field('OS Name')} ${field('OS Version') ?? ''}`.trim() }),
    ...present('basePath', field('Base Path')),
    sdks: [...stdout.matchAll(/^ {2}(\d\S*) \[(.+)\]\r?$/gm)].map(([, version, path]) => ({ version, path })),
    runtimes: [...stdout.matchAll(/^ {2}([A-Z]\S*) (\d\S*) \[(.+)\]\r?$/gm)].map(([, name, version, path]) => ({
      name,
      version,
      path,
    })),
    ...(globalJson !== undefined && globalJson !== 'Not found' && { globalJsonPath: globalJson }),
  };
}
