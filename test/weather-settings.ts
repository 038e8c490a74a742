import { type RunOptions, runMortise } from '../packages/server/test/cli/run-mortise.js';
import { createWorkplace, type Finished, linkContract, type Workplace } from './support/workplace.js';

/** Nothing about this value looks like a secret; only the schema of the settings says that it is one. */
export const SECRET = 'tangerine orange lemon';

export const WEATHER = `
import { definePlugin, secretString } from '@mortise/plugin';
export default definePlugin({
  config: {
    type: 'object',
    properties: {
      zone: secretString({ description: 'From your account.' }),
      retries: { type: 'integer', default: 3, minimum: 1 },
      cities: { type: 'array', items: { type: 'string' } },
      nested: { type: 'object', properties: { fast: { type: 'boolean' } } },
    },
    required: ['zone'],
  },
  register(api, config) {
    console.log('printed', config.zone);
    console.error('printed', config.zone);
    api.logger.info('logged ' + config.zone);
    api.registerTool({
      name: 'settings',
      description: 'Shows the settings of ' + config.zone,
      inputSchema: { type: 'object' },
      run: (_, { logger, progress }) => {
        logger.info('called with ' + config.zone);
        progress.report(10, config.zone);
        return { config, length: config.zone.length, text: 'it is ' + config.zone };
      },
    });
  },
});`;
export const OTHER = `export function register(api) {
  api.registerTool({ name: 'other', description: 'd', inputSchema: { type: 'object' }, run: () => 'other works' });
}`;

export function workplaceWith(weather: object | undefined, more: object = {}, plugin = WEATHER): Workplace {
  const Settings = weather === undefined ? {} : { Settings: { weather } };
  const workplace = createWorkplace(
    { 'plugins/weather.mjs': plugin, 'plugins/other.mjs': OTHER },
    { Plugins: { Directory: 'plugins', ...Settings, ...more } },
  );
  linkContract(workplace);
  return workplace;
}

export const run = (workplace: Workplace, args: string[], options?: RunOptions) =>
  runMortise(workplace, [...args, '--config', workplace.config], options);

export async function problems(workplace: Workplace, options?: RunOptions) {
  const { stdout } = await run(workplace, ['validate', '--json'], options);
  return (JSON.parse(stdout).problems as Record<string, unknown>[]).filter(
    ({ code }) => String(code).startsWith('SETTING') || String(code).startsWith('PLUGIN_NAME'),
  );
}

/** Plugins whose settings are wrong, by name, and what is said of each. */
export const WRONG: Record<string, { settings?: object; code: string; message: RegExp }> = {
  missing: {
    code: 'SETTING_MISSING',
    message: /^Plugins\.Settings\.missing\.zone is missing: add it to .*appsettings\.json\.$/,
  },
  wrong: {
    settings: { zone: SECRET, retries: 0 },
    code: 'SETTING_INVALID',
    message: /^Plugins\.Settings\.wrong\.retries is wrong: must be at least 1\.$/,
  },
  text_for_number: {
    settings: { zone: SECRET, retries: '5' },
    code: 'SETTING_INVALID',
    message: /text_for_number\.retries is wrong: must be integer\.$/,
  },
  not_set: {
    settings: { zone: `\${env:NOT_SET_ANYWHERE}` },
    code: 'SETTING_UNAVAILABLE',
    message: /^Plugins\.Settings\.not_set\.zone: \$\{env:NOT_SET_ANYWHERE\} names/,
  },
};
const MISSPELT = { zone: SECRET, retires: 4 };
export const WRONG_NAMES = Object.keys(WRONG);
/** A plugin for each, one whose settings are only misspelt, and one without settings. */
export function makeWrongWorkplace(finished: Finished): Workplace {
  const plugins = Object.fromEntries([...WRONG_NAMES, 'misspelt'].map((name) => [`plugins/${name}.mjs`, WEATHER]));
  const Settings = {
    ...Object.fromEntries(WRONG_NAMES.map((name) => [name, WRONG[name]!.settings])),
    misspelt: MISSPELT,
  };
  const made = createWorkplace(
    { ...plugins, 'plugins/other.mjs': OTHER },
    { Plugins: { Directory: 'plugins', Settings } },
    finished,
  );
  linkContract(made);
  return made;
}
