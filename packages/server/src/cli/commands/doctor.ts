import type { Command } from 'commander';
import { readProcessEnvironment } from '../../settings/process-environment.js';
import { SettingsError } from '../../settings/settings-error.js';
import { createTrustStore } from '../../settings/trusted-config.js';
import { awaitPlugins } from '../shared/await-plugins.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { CliError } from '../shared/cli-error.js';
import { checkDefinitionCost } from '../shared/definition-cost.js';
import {
  type Check,
  checkCache,
  checkConfiguration,
  checkDotnet,
  checkFolders,
  checkNode,
  checkPluginHost,
  checkPlugins,
  checkSections,
  checkText,
  checkTrust,
  toCheck,
} from '../shared/doctor-checks.js';
import { count } from '../shared/format-text.js';
import { settingsIssue } from '../shared/issue.js';
import { cacheDir, openServer } from '../shared/open-server.js';
import { portabilityIssues } from '../shared/portability.js';
import type { SettingsOptions } from '../shared/settings-options.js';
import type { Terminal } from '../shared/terminal.js';

export function doctorCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'doctor',
    description:
      'Checks Node.js, configuration, trust, plugins, the .NET SDK and the cache. Exit code 1 when something is wrong.',
    examples: [
      ['doctor', 'look at everything'],
      ['doctor --json', 'print it as JSON'],
      ['doctor --url https://tools.example.com/mcp', 'follow the login with OAuth as a client does'],
    ],
  })
    .option('--json', 'one JSON document on stdout')
    .option('--url <url>', 'check instead how clients of the server at this URL find out where to log in')
    .action(async (_: unknown, command: Command) => {
      const { json, url, ...options } = command.optsWithGlobals<SettingsOptions & { json?: true; url?: string }>();
      const checks = url === undefined ? await checkAll(options, terminal) : await checkUrl(url);
      const isHealthy = checks.every(({ status }) => status !== 'error');
      terminal.out(json ? JSON.stringify({ healthy: isHealthy, checks }, null, 2) : reportText(checks, terminal));
      end(isHealthy ? 'ok' : 'failed');
    });
}

async function checkAll(options: SettingsOptions, terminal: Terminal): Promise<Check[]> {
  const installation = await checkInstallation(options, terminal);
  return [checkNode(process.versions.node), ...installation, checkCache(cacheDir())];
}

async function checkUrl(url: string): Promise<Check[]> {
  if (!URL.canParse(url)) {
    const hint = 'Write it as clients do: https://tools.example.com/mcp.';
    throw new CliError('usage', { message: `--url ${url} is not a URL.`, hint });
  }
  const { checkDiscovery } = await import('../shared/discovery-checks.js');
  return checkDiscovery(url);
}

async function checkInstallation(options: SettingsOptions, terminal: Terminal): Promise<Check[]> {
  const { cwd, env, userConfigDir } = readProcessEnvironment();
  try {
    const { server, loaded } = await openServer(terminal, options, { isFresh: true });
    await awaitPlugins(server, terminal);
    const checks = [
      ...checkConfiguration(loaded),
      checkTrust(cwd, createTrustStore(userConfigDir).isTrusted(cwd)),
      ...checkFolders(loaded),
      ...checkPlugins(server.plugins()),
      ...checkDefinitionCost(loaded.settings, server.mcpLists().tools),
      ...portabilityIssues(server.mcpLists().tools).map(toCheck),
      ...checkSections(server.problems()),
      checkDotnet(server.settings, env, process.platform),
      checkPluginHost(server.settings, env, process.platform),
    ];
    await server.close();
    return server.redact(checks);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.map((problem) => toCheck(settingsIssue(problem)));
  }
}

function reportText(checks: readonly Check[], { style }: Terminal): string {
  const errors = checks.filter(({ status }) => status === 'error').length;
  const warnings = checks.filter(({ status }) => status === 'warning').length;
  const counts = [errors > 0 ? count(errors, 'error') : '', warnings > 0 ? count(warnings, 'warning') : ''].filter(
    Boolean,
  );
  const verdict = counts.length === 0 ? 'Everything is in order.' : `${counts.join(', ')}.`;
  return [...checks.map((check) => checkText(check, style)), '', verdict].join('\n');
}
