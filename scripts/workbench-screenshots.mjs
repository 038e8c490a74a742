// Makes screenshots of the views of the workbench page, in light and dark, 1400, 800 and 375 pixels wide, to look at.
// `node scripts/workbench-screenshots.mjs <folder> [view …]`: without names it shows all views. It serves the example plugins, those of
// the page's tests, and some that have long names or do not load.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const [folder = 'screenshots', ...wanted] = process.argv.slice(2);
const SIZES = [
  { width: 1400, height: 900 },
  { width: 800, height: 900 },
  { width: 375, height: 740 },
];

const KEY = 'a-long-access-key-for-the-operator-of-the-page';
const READER_KEY = 'a-long-access-key-without-rights-of-an-operator';

/** A tool whose definition can change. */
const sums = (description) => `export function register(api) {
  const inputSchema = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } };
  api.registerTool({ name: 'sums.add', title: 'Add', description: '${description}', inputSchema, run: () => 'added' });
}`;

const run = (page) => page.getByRole('button', { name: 'Run', exact: true }).click();
const done = (page, state) => page.getByRole('heading', { name: state }).waitFor();
const tab = (page, name) => page.getByRole('tab', { name }).click();
const runToEnd = async (page, state = 'Done') => {
  await run(page);
  await done(page, state);
};
/** Runs the tool and shows the result from its start, on a tab of it. */
const showResult = (state, tabName) => async (page) => {
  await runToEnd(page, state);
  if (tabName !== undefined) await tab(page, tabName);
  await page.getByRole('region', { name: 'Result', exact: true }).evaluate((element) => element.scrollIntoView());
};

/** Reloads the page with another key and waits for a heading. */
const useKey = async (page, key, heading) => {
  await page.evaluate((text) => sessionStorage.setItem('mortise.key', text), key);
  await page.reload();
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
};

/** The title of an action of dotnet_project in its form. */
const chooseAction = (page, action) => page.getByRole('combobox', { name: /^action/ }).selectOption(action);

/** What is done before the picture is taken. */
const VIEWS = {
  start: ['', async () => {}],
  form: [
    'tools/shapes_echo',
    async (page) => {
      await page.getByRole('textbox', { name: /^text/ }).fill('Hello');
      await page.getByRole('textbox', { name: /^count/ }).fill('9007199254740993');
      await page.getByRole('button', { name: 'Add tags' }).click();
      await page.getByRole('button', { name: 'Add an item to tags' }).click();
      await page.getByRole('textbox', { name: 'Item 1' }).fill('one');
      await page.locator('.detail').evaluate((element) => element.scrollTo(0, 0));
    },
  ],
  result: [
    'tools/weather_temperature',
    async (page) => {
      await page.getByRole('textbox', { name: /^city/ }).fill('Nairobi');
      await runToEnd(page);
    },
  ],
  error: ['tools/shapes_broken', (page) => runToEnd(page, 'Error')],
  running: [
    'tools/countdown',
    async (page) => {
      await page.getByRole('textbox', { name: /^from/ }).fill('60');
      await run(page);
      await page.getByText(/^\d+ to go$/).waitFor();
    },
  ],
  question: [
    'tools/shapes_ask',
    async (page) => {
      await page.getByRole('textbox', { name: /^topic/ }).fill('lunch');
      await run(page);
      await page.getByRole('form').getByRole('button', { name: 'Answer' }).waitFor();
    },
  ],
  model: [
    'tools/weather_temperature',
    async (page) => {
      await page.getByRole('textbox', { name: /^city/ }).fill('Nairobi');
      await runToEnd(page);
      await tab(page, 'As a model sees it');
    },
  ],
  tests: ['tools/results_tests', showResult('Done')],
  data: ['tools/shapes_broken', showResult('Error', 'Data')],
  prompts: [
    'prompts',
    async (page) => {
      await page.getByRole('link', { name: /^Packing list/ }).click();
      await page.getByRole('combobox', { name: /^city/ }).fill('Nairobi');
      await page.getByRole('button', { name: 'Get the messages' }).click();
      await page.getByRole('article', { name: 'Message of the user' }).waitFor();
    },
  ],
  plugins: ['plugins', async () => {}],
  changes: [
    'plugins',
    async (page) => {
      server.changeSums();
      await page.getByRole('button', { name: 'Reload changed plugins' }).click();
      await page.getByRole('button', { name: 'Accept …' }).waitFor();
      await page.getByRole('button', { name: 'Reload changed plugins' }).waitFor();
    },
  ],
  summary: ['plugins', (page) => useKey(page, READER_KEY, 'Plugins')],
  accept: ['plugins', (page) => page.getByRole('button', { name: 'Accept …' }).click()],
  card: [
    'plugins',
    (page) =>
      page
        .getByRole('article', { name: 'weather', exact: true })
        .evaluate((element) => element.scrollIntoView({ block: 'center' })),
  ],
  resources: ['resources/weather%3A%2F%2Fstations%2FTokyo', async () => {}],
  template: ['resources/weather%3A%2F%2Fstations%2F%7Bcity%7D', async () => {}],
  resourceList: ['resources', async () => {}],
  promptList: ['prompts', async () => {}],
  connect: ['connect', async () => {}],
  stdio: ['connect', (page) => tab(page, 'Over stdio')],
  blocks: ['tools/shapes_blocks', showResult('Done')],
  visit: [
    'tools/shapes_visit',
    async (page) => {
      await run(page);
      await page.getByRole('link', { name: 'Open the page' }).waitFor();
    },
  ],
  invalid: [
    'tools/shapes_echo',
    async (page) => {
      await run(page);
      await page.getByRole('alert').waitFor();
    },
  ],
  long: ['tools/long_names', (page) => page.getByRole('button', { name: /^Add rows/ }).click()],
  longResult: ['tools/long_names', showResult('Done')],
  longData: ['tools/long_names', showResult('Done', 'Data')],
  missing: ['tools/no_such_tool', async () => {}],
  dotnet: ['tools/dotnet_project', (page) => chooseAction(page, 'Build')],
  dotnetError: [
    'tools/dotnet_project',
    async (page) => {
      await chooseAction(page, 'Build');
      await page
        .getByRole('textbox', { name: /^project/ })
        .first()
        .fill('/no/such/Shop.csproj');
      await showResult('Error')(page);
    },
  ],
  sessions: ['sessions', async () => {}],
  tasks: [
    'tools/countdown',
    async (page) => {
      await page.getByRole('textbox', { name: /^from/ }).fill('30');
      await run(page);
      await done(page, 'Running as a task');
      await page
        .getByRole('link', { name: /^Tasks/, exact: false })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    },
  ],
  media: ['tools/results_media', showResult('Done')],
  locked: ['tools/results_locked', showResult('Error')],
  mismatch: ['tools/results_mismatch', showResult('Error', 'Data')],
  log: ['tools/results_log', showResult('Done', /^Log/)],
  exchange: ['tools/results_tests', showResult('Done', 'Exchange')],
  json: ['tools/shapes_echo', (page) => tab(page, 'JSON')],
  schema: ['tools/shapes_echo', (page) => tab(page, /^Schema/)],
  search: ['tools', (page) => page.getByRole('searchbox', { name: 'Search the tools' }).fill('nothing like this')],
  keys: [
    'tools/weather_temperature',
    async (page) => {
      await page.getByRole('textbox', { name: /^city/ }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    },
  ],
  history: ['history', async () => {}],
  overview: ['', (page) => page.getByRole('region', { name: 'Latest calls' }).waitFor()],
  list: ['tools', async () => {}],
  key: ['tools', (page) => useKey(page, 'wrong', 'Access key')],
  disconnected: [
    'tools/weather_temperature',
    async (page) => {
      await page.context().setOffline(true);
      await page.getByRole('textbox', { name: /^city/ }).fill('Nairobi');
      await run(page);
      await page.getByText('The server is not connected.').waitFor();
    },
  ],
};

const server = await serve();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  chromiumSandbox: false,
  args: ['--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
mkdirSync(folder, { recursive: true });
try {
  for (const scheme of ['light', 'dark']) for (const size of SIZES) await shoot(scheme, size);
} finally {
  await browser.close();
  server.close();
}

async function shoot(colorScheme, { width, height }) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
  await context.addInitScript((key) => {
    if (sessionStorage.getItem('mortise.key') === null) sessionStorage.setItem('mortise.key', key);
  }, KEY);
  for (const [name, [path, prepare]] of Object.entries(VIEWS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const page = await context.newPage();
    await page.goto(`${server.url}/#/${path}`);
    await page.locator('main h1:visible, main .tool-row:visible, main .notice:visible').first().waitFor();
    // The lists have come.
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Plugins \d/ })
      .waitFor();
    await prepare(page);
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
    await page.close();
  }
  await context.close();
}

/** A server with the plugins that the views need. */
async function serve() {
  const place = mkdtempSync(join(tmpdir(), 'mortise-screenshots-'));
  for (const plugins of ['examples/plugins', 'test/workbench/plugins']) {
    cpSync(join(root, plugins), join(place, 'plugins'), { recursive: true });
  }
  mkdirSync(join(place, 'node_modules/@mortise'), { recursive: true });
  symlinkSync(join(root, 'packages/plugin'), join(place, 'node_modules/@mortise/plugin'), 'junction');
  const write = (file, text) => writeFileSync(join(place, file), text);
  write('plugins/broken.mjs', 'export function register(api) {\n  api.registerTool({ name: \n');
  cpSync(join(root, 'test/workbench/long-names.mjs'), join(place, 'plugins/long.mjs'));
  write('plugins/sums.mjs', sums('Adds two numbers.'));
  const config = join(place, 'appsettings.json');
  const settings = {
    Plugins: { Directory: 'plugins', StartWaitMs: 60_000, OnChange: 'refuse' },
    Auth: {
      Keys: [
        { Name: 'operator', Key: KEY, Scopes: ['mortise:read', 'mortise:write', 'mortise:operate'] },
        { Name: 'reader', Key: READER_KEY },
      ],
    },
    Tasks: { AfterMs: 2_000 },
  };
  writeFileSync(config, JSON.stringify(settings));
  const bin = resolve(root, 'packages/server/bin/mortise.mjs');
  const child = spawn(process.execPath, [bin, 'serve', '--http', '--port', '0', '--config', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: place },
  });
  const lines = createInterface({ input: child.stderr });
  const origin = await new Promise((found, failed) => {
    lines.on('line', (line) => {
      const match = /(http:\/\/[^\s"]+)\/mcp/.exec(line);
      if (match) found(match[1]);
    });
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}`)));
  });
  return {
    url: origin,
    changeSums: () => write('plugins/sums.mjs', sums('Adds two numbers, and remembers both of them.')),
    close() {
      child.kill();
      child.once('exit', () => rmSync(place, { recursive: true, force: true }));
    },
  };
}
