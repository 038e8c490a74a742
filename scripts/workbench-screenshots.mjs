// Makes screenshots of the main views of the workbench page, in light and dark, 1440 and 360 pixels wide, to look at.
// `node scripts/workbench-screenshots.mjs <folder> [url]`: without a URL it serves the example plugins and those of the page's tests.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const [folder = 'screenshots', givenUrl] = process.argv.slice(2);
const SIZES = [
  { name: '1440', width: 1440, height: 900 },
  { name: '360', width: 360, height: 740 },
];

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

/** What is done before the picture is taken. */
const VIEWS = {
  start: ['tools', async () => {}],
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
  resources: ['resources/weather%3A%2F%2Fstations%2FTokyo', async () => {}],
  history: ['history', async () => {}],
  connect: ['connect', async () => {}],
  media: ['tools/results_media', showResult('Done')],
  locked: ['tools/results_locked', showResult('Error')],
  mismatch: ['tools/results_mismatch', showResult('Error', 'Data')],
  log: ['tools/results_log', showResult('Done', /^Log/)],
  exchange: ['tools/results_tests', showResult('Done', 'Exchange')],
  json: ['tools/shapes_echo', (page) => tab(page, 'JSON')],
  schema: ['tools/shapes_echo', (page) => tab(page, /^Schema/)],
  search: ['tools', (page) => page.getByRole('searchbox', { name: 'Search the tools' }).fill('nothing like this')],
  keys: ['tools/weather_temperature', (page) => page.keyboard.press('?')],
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

const server = givenUrl === undefined ? await serve() : undefined;
const url = givenUrl ?? server.url;
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
  server?.close();
}

async function shoot(colorScheme, { name: sizeName, width, height }) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
  for (const [name, [path, prepare]] of Object.entries(VIEWS)) {
    const page = await context.newPage();
    await page.goto(`${url}/#/${path}`);
    await page.locator('main h1:visible, main .tool-row:visible').first().waitFor();
    // The lists have come.
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Plugins \d/ })
      .waitFor();
    await prepare(page);
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${sizeName}.png`) });
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
  writeFileSync(join(place, 'plugins/broken.mjs'), 'export function register(api) {\n  api.registerTool({ name: \n');
  const config = join(place, 'appsettings.json');
  writeFileSync(
    config,
    JSON.stringify({ Plugins: { Directory: 'plugins', StartWaitMs: 60_000 }, Dotnet: { Enabled: false } }),
  );
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
    close() {
      child.kill();
      child.once('exit', () => rmSync(place, { recursive: true, force: true }));
    },
  };
}
